// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans: what a program will need, so that it can be built ahead of time and
// checked. Text of schema `fly-plan/1` goes in, a list of units comes out. The
// laws: names of units are unique; the same unit is in the same shard on every
// machine.
//
//   {"schema":"fly-plan/1",
//    "units":[{"name":"gemm/bf16","module":"gemm.mlir",
//              "targets":["gfx942","gfx950"],"options":{"opt-level":3}}]}
//
// `module` is relative to the plan; `options` may be left out.

#ifndef FLY_STORE_PLAN_H
#define FLY_STORE_PLAN_H

#include "fly/Store/Layers.h"

#include <string>
#include <utility>
#include <vector>

namespace fly::store {

struct PlanUnit {
  std::string name;
  std::string module;
  /// At least one, distinct, in the order of the plan.
  std::vector<amdgpu::Target> targets;
  /// Name and value as a command line spells it (`true`, `3`, `text`), sorted.
  std::vector<std::pair<std::string, std::string>> options;
};

struct Plan {
  std::vector<PlanUnit> units;

  /// The error is a plain sentence that names the unit.
  static llvm::Expected<Plan> parse(llvm::StringRef text);
};

/// In which of `count` shards (from 0) the unit `name` is: the BLAKE3 of the
/// name, read as one big-endian number, modulo `count`, which is not 0.
unsigned shardOf(llvm::StringRef name, unsigned count);

/// One unit and target of a plan in the stores.
struct Coverage {
  enum State {
    Present,
    Missing,
    /// Stored, but built with options other than those of the plan.
    Stale,
    Corrupt
  };
  std::string unit;
  amdgpu::Target target;
  State state = Missing;
  /// The key, when there is one.
  std::string key;
  /// What is wrong, some lines; empty when present.
  std::string detail;
};

/// Looks at every unit and target of the plan. Found by name; whether the
/// module has changed since only the compiler can tell.
llvm::Expected<std::vector<Coverage>> coverage(const Plan &plan,
                                               const Layers &layers);

llvm::StringRef spell(Coverage::State state);

} // namespace fly::store

#endif // FLY_STORE_PLAN_H
