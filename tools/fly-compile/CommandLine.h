// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of fly-compile as plain values, without MLIR: fly-compile
// itself reads it to look into the stores, and the compiler library that it
// loads on a miss reads it again.
//
//   Arguments arguments;
//   if (std::optional<int> status = parseArguments(argc, argv, arguments))
//     return *status;

#ifndef FLY_TOOLS_FLYCOMPILE_COMMANDLINE_H
#define FLY_TOOLS_FLYCOMPILE_COMMANDLINE_H

#include "fly/Store/Layers.h"
#include "fly/Target/AMDGPU/Resolve.h"

#include <optional>
#include <string>
#include <vector>

namespace flycompile {

/// Exit status for what is wrong with the command line or a file that it
/// names.
inline constexpr int exitUsage = 2;
/// Exit status for what is no target.
inline constexpr int exitNoTarget = 6;

enum class Emit { Object, Assembly, LLVMIR, MLIR, Key, Components };
enum class Debug { None, Lines, Full };

struct Arguments {
  std::vector<std::string> inputs;
  /// As the driver takes it: a file, a folder with a slash, `-`, or empty for
  /// the store alone.
  std::string output;
  Emit emit = Emit::Object;
  std::vector<std::string> targets;
  std::optional<unsigned> optLevel;
  std::optional<Debug> debug;
  std::optional<unsigned> wave;
  std::optional<bool> cumode;
  std::optional<unsigned> abi;
  std::string deviceName;
  std::string deviceLibraries;
  fly::amdgpu::ConflictPolicy onConflict = fly::amdgpu::ConflictPolicy::Error;
  fly::amdgpu::FeaturePolicy features = fly::amdgpu::FeaturePolicy::Portable;
  fly::amdgpu::DetectMode detect = fly::amdgpu::DetectMode::Auto;
  std::string kfdRoot;
  std::string archTool;
  std::string allowDefault;
  bool useEnvironment = true;
  std::vector<std::string> hints;
  std::vector<std::string> link;
  std::vector<std::string> extraInputs;
  std::vector<std::string> prefixMap;
  std::string salt;
  bool requireRelocatable = false;
  bool allowOpaque = false;

  std::vector<fly::store::LayerSpec> stores;
  bool strict = false;
  bool verify = false;
  bool direct = true;
  bool verifyDirect = false;

  std::string plan;
  unsigned shard = 0;
  unsigned shards = 1;
  unsigned workers = 0;

  bool explain = false;
  bool quiet = false;
  bool timeReport = false;
  std::string depfile;
};

/// Reads the command line and checks what can be checked without a compiler.
/// Answers the exit status when there is nothing more to do.
std::optional<int> parseArguments(int argc, const char *const *argv,
                                  Arguments &arguments);

} // namespace flycompile

#endif // FLY_TOOLS_FLYCOMPILE_COMMANDLINE_H
