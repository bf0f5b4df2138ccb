// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the search for device libraries. Which function stands in which
// library is a table of name prefixes, the same that MLIR's ROCDL serialiser
// applies (mlir/lib/Target/LLVM/ROCDL/Target.cpp: __ocml_ and __ockl_ prefixes,
// __atomic_work_item_fence, printf); that printf of the OpenCL library calls
// ockl and ocml is from the same place. Nothing here reads a file; a folder is
// only asked whether the file exists.

#include "fly/Analysis/DeviceLibraries.h"

#include "fly/Support/Environment.h"
#include "fly/Support/Errors.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir::fly;

namespace {
/// One rule: functions whose name starts with `prefix` (or is it, for whole
/// names) need `fileName`.
struct SymbolRule {
  llvm::StringLiteral prefix;
  bool wholeName;
  llvm::StringLiteral fileName;
};
} // namespace

static constexpr SymbolRule symbolRules[] = {
    {"__ocml_", false, "ocml.bc"},
    {"__ockl_", false, "ockl.bc"},
    {"__atomic_work_item_fence", true, "hip.bc"},
    {"printf", true, "opencl.bc"},
    {"printf", true, "ocml.bc"},
    {"printf", true, "ockl.bc"},
};

/// Order of linking: a library comes before those that it calls.
static constexpr llvm::StringLiteral linkOrder[] = {"opencl.bc", "hip.bc",
                                                    "ocml.bc", "ockl.bc"};

static bool matches(const SymbolRule &rule, llvm::StringRef name) {
  return rule.wholeName ? name == rule.prefix : name.starts_with(rule.prefix);
}

/// The first undefined function of `module` that needs `fileName`, or empty.
static std::string firstSymbolThatNeeds(llvm::StringRef fileName,
                                        const llvm::Module &module) {
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration() || function.use_empty())
      continue;
    for (const SymbolRule &rule : symbolRules)
      if (rule.fileName == fileName && matches(rule, function.getName()))
        return function.getName().str();
  }
  return "";
}

llvm::SmallVector<NeededDeviceLibrary>
mlir::fly::neededDeviceLibraries(llvm::ArrayRef<const llvm::Module *> modules) {
  llvm::SmallVector<NeededDeviceLibrary> needed;
  for (llvm::StringLiteral fileName : linkOrder)
    for (const llvm::Module *module : modules) {
      std::string symbol = firstSymbolThatNeeds(fileName, *module);
      if (symbol.empty())
        continue;
      needed.push_back({fileName, std::move(symbol)});
      break;
    }
  return needed;
}

void mlir::fly::addLibrariesNamedIn(llvm::StringRef bitcode,
                                    std::vector<std::string> &libraries) {
  std::vector<std::string> all;
  for (llvm::StringLiteral fileName : linkOrder) {
    bool isNamed = llvm::any_of(symbolRules, [&](const SymbolRule &rule) {
      return rule.fileName == fileName && bitcode.contains(rule.prefix);
    });
    if (isNamed || llvm::is_contained(libraries, fileName))
      all.push_back(fileName.str());
  }
  libraries = std::move(all);
}

/// The folder itself and, as of a ROCm root, the bitcode folder in it.
static void addFolder(llvm::SmallVectorImpl<DeviceLibraryPlace> &places,
                      llvm::StringRef folder, const std::string &origin,
                      bool rootOnly) {
  if (!rootOnly)
    places.push_back({folder.str(), origin});
  llvm::SmallString<128> bitcode = folder;
  llvm::sys::path::append(bitcode, "amdgcn", "bitcode");
  places.push_back({std::string(bitcode), origin});
}

llvm::SmallVector<DeviceLibraryPlace>
mlir::fly::deviceLibraryPlaces(llvm::StringRef option,
                               const ::fly::support::Environment &environment) {
  llvm::SmallVector<DeviceLibraryPlace> places;
  if (!option.empty()) {
    addFolder(places, option, "option device-libs", /*rootOnly=*/false);
    return places;
  }
  auto addVariable = [&](llvm::StringRef name, bool rootOnly) {
    std::optional<llvm::StringRef> value = environment.get(name);
    if (value && !value->trim().empty())
      addFolder(places, value->trim(), name.str(), rootOnly);
  };
  addVariable("FLY_DEVICE_LIBS", /*rootOnly=*/false);
  addVariable("ROCM_PATH", /*rootOnly=*/true);
  addVariable("ROCM_ROOT", /*rootOnly=*/true);
  addVariable("ROCM_HOME", /*rootOnly=*/true);
  if (llvm::StringRef(FLY_DEVICE_LIBS_FOLDER).size())
    places.push_back({FLY_DEVICE_LIBS_FOLDER, "package rocm-device-libs"});
  return places;
}

llvm::Expected<std::string>
mlir::fly::findDeviceLibrary(const NeededDeviceLibrary &library,
                             llvm::ArrayRef<DeviceLibraryPlace> places) {
  std::string tried;
  for (const DeviceLibraryPlace &place : places) {
    llvm::SmallString<128> path(place.folder);
    llvm::sys::path::append(path, library.fileName);
    if (llvm::sys::fs::is_regular_file(path))
      return std::string(path);
    tried += (tried.empty() ? "" : ", ") +
             ::fly::support::quoted(place.folder) + " (" + place.origin + ")";
  }
  if (tried.empty())
    tried = "no place, since none of the option device-libs and the variables "
            "FLY_DEVICE_LIBS, ROCM_PATH, ROCM_ROOT and ROCM_HOME is set";
  return ::fly::support::makeError(
      "K007", "function '" + library.symbol + "' needs the device library '" +
                  library.fileName + "', which was not found; tried " + tried);
}
