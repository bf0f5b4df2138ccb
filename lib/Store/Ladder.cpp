// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of compatible targets: exact, xnack any, sramecc any, both any, and
// the same for the generic processor that covers the device.
//
// Source of the rule: LLVM's AMDGPUUsage, "Target ID": code for "any" loads on
// devices with either setting, code for on or off only on a matching one;
// "Generic processor code objects".

#include "fly/Store/Ladder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

using namespace fly::store;
namespace amdgpu = fly::amdgpu;
using fly::amdgpu::Chip;
using fly::amdgpu::FeatureSupport;
using fly::amdgpu::Setting;
using fly::amdgpu::Target;

/// Adds `target` and its generalisations.
static void addWithFeatures(const Target &target, std::vector<Target> &rungs) {
  Setting anySramecc = target.sramecc == Setting::Unsupported
                           ? Setting::Unsupported
                           : Setting::Any;
  Setting anyXnack = target.xnack == Setting::Unsupported ? Setting::Unsupported
                                                          : Setting::Any;
  for (Setting sramecc : {target.sramecc, anySramecc})
    for (Setting xnack : {target.xnack, anyXnack}) {
      Target rung = target;
      rung.sramecc = sramecc;
      rung.xnack = xnack;
      if (!llvm::is_contained(rungs, rung))
        rungs.push_back(rung);
    }
}

std::vector<Target> fly::store::ladder(const Target &device, bool exact) {
  std::vector<Target> rungs;
  if (exact) {
    rungs.push_back(device);
    return rungs;
  }
  addWithFeatures(device, rungs);
  const Chip *chip = amdgpu::findChip(device.chip);
  const Chip *generic =
      chip ? amdgpu::findChip(chip->coveringGeneric) : nullptr;
  // Generic processors came with code object version 6.
  if (!generic || device.abi < 600)
    return rungs;
  Target covering = device;
  covering.chip = generic->name.str();
  if (generic->sramecc != FeatureSupport::Selectable)
    covering.sramecc = Setting::Unsupported;
  if (generic->xnack != FeatureSupport::Selectable)
    covering.xnack = Setting::Unsupported;
  if (llvm::Error error = covering.verify()) {
    llvm::consumeError(std::move(error));
    return rungs;
  }
  addWithFeatures(covering, rungs);
  return rungs;
}
