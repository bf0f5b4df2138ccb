// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of the target resolution, shared by the files that read explicit
// sources (Resolve.cpp) and the others (ResolveDetected.cpp). A request goes
// in, a resolution or a coded error comes out.

#ifndef FLY_LIB_TARGET_AMDGPU_RESOLVER_H
#define FLY_LIB_TARGET_AMDGPU_RESOLVER_H

#include "Detect.h"

#include "fly/Target/AMDGPU/Resolve.h"

#include "llvm/ADT/Twine.h"

namespace fly::amdgpu {

/// A candidate and which fields beside the target ID it gives.
struct Source {
  Candidate candidate;
  bool waveGiven = false;
  bool cumodeGiven = false;
  bool abiGiven = false;
};

/// One run of the resolution.
class Resolver {
public:
  explicit Resolver(const ResolveRequest &request) : request(request) {}
  llvm::Expected<Resolution> run();
  /// After a run that failed: what was met on the way.
  Resolution considered() const;

private:
  // Each of these adds sources, or an error, or a line to `tried`.
  llvm::Error readOption();
  llvm::Error readTargets();
  llvm::Error readIr();
  llvm::Error readVariable(llvm::StringRef name, unsigned rank);
  llvm::Error readArch();
  llvm::Expected<std::optional<Source>> readOverride();
  llvm::Expected<std::optional<Source>> readDeviceName();
  llvm::Expected<std::optional<Source>> readKfdTree();
  llvm::Expected<std::optional<Source>> readTools();
  llvm::Expected<std::optional<Source>> readDefault();

  llvm::Error addText(llvm::StringRef source, llvm::StringRef raw,
                      unsigned rank);
  llvm::Error refuse(llvm::Error error, llvm::StringRef source,
                     llvm::StringRef raw);
  llvm::Error checkConflicts();
  llvm::Expected<std::optional<Source>>
  oneOf(const Search &search, unsigned rank, llvm::StringRef label);
  llvm::Error noTarget();
  void noteWeaker(const Source &winner);
  llvm::Expected<Resolution> finish(const Source &winner);

  std::optional<llvm::StringRef> variable(llvm::StringRef name);
  /// The option `name` as the program at hand spells it.
  std::string spelled(llvm::StringRef name) const;
  void ignore(llvm::StringRef source, llvm::StringRef raw,
              const llvm::Twine &why, llvm::StringRef code = "");
  Target generalise(Target target) const;

  const ResolveRequest &request;
  Resolution result;
  std::vector<Source> given;
  std::vector<std::string> tried;
};

} // namespace fly::amdgpu

#endif // FLY_LIB_TARGET_AMDGPU_RESOLVER_H
