// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ROCm device libraries: bitcode with the mathematical (`__ocml_...`) and
// other helper functions that a lowered kernel may call. In go the names of the
// functions that a kernel leaves undefined and the places where the bitcode may
// lie; out come the files to link. The law: a kernel that needs none causes no
// file to be looked for, and one that needs a library which is not there gets
// the error FLY-K007 with the symbol and each place, never silence.
//
//   __ocml_exp_f32 undefined    ->  <place>/ocml.bc

#ifndef FLY_ANALYSIS_DEVICELIBRARIES_H
#define FLY_ANALYSIS_DEVICELIBRARIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fly::support {
class Environment;
} // namespace fly::support
namespace llvm {
class Module;
} // namespace llvm

namespace mlir::fly {

class CanonicalPlan;

/// A folder that may hold the bitcode, and why it is looked at.
struct DeviceLibraryPlace {
  std::string folder;
  /// For example `ROCM_PATH` or `option device-libs`.
  std::string origin;
};

/// A library that a kernel needs, and the first symbol that needs it.
struct NeededDeviceLibrary {
  /// Name of the file, for example `ocml.bc`.
  llvm::StringRef fileName;
  std::string symbol;
};

/// The libraries that the undefined functions of `modules` stand in, with those
/// that they need in turn; in the order in which they are linked.
llvm::SmallVector<NeededDeviceLibrary>
neededDeviceLibraries(llvm::ArrayRef<const llvm::Module *> modules);

/// Adds to `libraries` those that a file of bitcode, or of LLVM's text, may
/// need: names of functions stand in either as they are. Sometimes more.
void addLibrariesNamedIn(llvm::StringRef bitcode,
                         std::vector<std::string> &libraries);

/// Names of the libraries that code for the module of `plan` may need, in the
/// order in which they are linked, as far as it can be told before lowering:
/// all that are needed, and sometimes more.
std::vector<std::string> mayNeedDeviceLibraries(const CanonicalPlan &plan);

/// The folders to look in, first match wins: `option` (the folder of the files
/// or a ROCm root), the variable FLY_DEVICE_LIBS (the same), the ROCm roots
/// ROCM_PATH, ROCM_ROOT and ROCM_HOME, and the folder of the Debian package
/// rocm-device-libs that was found when this library was built. An option that
/// is not empty is the only place.
llvm::SmallVector<DeviceLibraryPlace>
deviceLibraryPlaces(llvm::StringRef option,
                    const ::fly::support::Environment &environment);

/// The path of `library` in the first of `places` that has it, else FLY-K007.
llvm::Expected<std::string>
findDeviceLibrary(const NeededDeviceLibrary &library,
                  llvm::ArrayRef<DeviceLibraryPlace> places);

} // namespace mlir::fly

#endif // FLY_ANALYSIS_DEVICELIBRARIES_H
