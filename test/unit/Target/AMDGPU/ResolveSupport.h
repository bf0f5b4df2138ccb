// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of resolution share: requests that see nothing of the machine
// that runs the tests.

#ifndef FLY_TEST_UNIT_TARGET_AMDGPU_RESOLVESUPPORT_H
#define FLY_TEST_UNIT_TARGET_AMDGPU_RESOLVESUPPORT_H

#include "TestSupport.h"

#include "fly/Target/AMDGPU/Resolve.h"

#include "llvm/Support/JSON.h"

namespace fly::amdgpu {

/// A request with the given variables, and no detection.
inline ResolveRequest
hermetic(std::vector<std::pair<std::string, std::string>> variables = {}) {
  ResolveRequest request;
  request.environment = support::Environment::fromPairs(variables);
  request.detect = DetectMode::None;
  return request;
}

inline std::string errorOf(const ResolveRequest &request) {
  llvm::Expected<Resolution> found = resolve(request);
  return found ? "no error: " + found->reportText()
               : llvm::toString(found.takeError());
}

inline Resolution valueOf(const ResolveRequest &request) {
  llvm::Expected<Resolution> found = resolve(request);
  if (found)
    return *found;
  ADD_FAILURE() << llvm::toString(found.takeError());
  Resolution none;
  none.targets.push_back({});
  return none;
}

/// The ID of the one target, or the error.
inline std::string idOf(const ResolveRequest &request) {
  llvm::Expected<Resolution> found = resolve(request);
  if (!found)
    return llvm::toString(found.takeError());
  EXPECT_EQ(found->targets.size(), 1u);
  return found->target().id();
}

inline IrCandidate inModule(const Target &target) {
  return {IrPlace::GpuModule, target, "fly.target of @kernels", target.text()};
}

inline IrCandidate fromRocdl(llvm::StringRef chip, llvm::StringRef features,
                             llvm::StringRef abi) {
  return {IrPlace::RocdlTargets, *fromROCDLFields(chip, features, abi),
          "#rocdl.target of @kernels", chip.str()};
}

} // namespace fly::amdgpu

#endif // FLY_TEST_UNIT_TARGET_AMDGPU_RESOLVESUPPORT_H
