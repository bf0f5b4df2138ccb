// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of fly-compile as plain values, without MLIR: fly-compile
// itself reads it to look into the stores, and the compiler library that it
// loads on a miss reads it again. CommandLine.cpp reads, Check.cpp checks.
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
  bool outputIsGiven = false;
  Emit emit = Emit::Object;
  /// The inputs are IR that a newer MLIR printed.
  bool import = false;
  std::vector<std::string> targets;
  /// How to find the target, but for `targets`.
  fly::amdgpu::ResolveOptions resolve;
  std::optional<unsigned> optLevel;
  std::optional<Debug> debug;
  /// Nothing when not given; an empty one is refused.
  std::optional<std::string> deviceLibraries;
  std::vector<std::string> hints;
  std::vector<std::string> llvmOptions;
  std::string llvmDir;
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
  bool keepIR = false;

  std::string plan;
  unsigned shard = 0;
  unsigned shards = 1;
  /// Nothing: as many as there are processors.
  std::optional<unsigned> workers;

  bool explain = false;
  bool quiet = false;
  bool timeReport = false;
  std::string depfile;
};

/// Says what is wrong with the command line, and answers the exit status.
int refuse(const llvm::Twine &text);

/// Checks what must hold between arguments, and fills in the output.
std::optional<int> checkArguments(Arguments &arguments);

/// Reads the command line and checks what can be checked without a compiler.
/// Answers the exit status when there is nothing more to do.
std::optional<int> parseArguments(int argc, const char *const *argv,
                                  Arguments &arguments);

} // namespace flycompile

#endif // FLY_TOOLS_FLYCOMPILE_COMMANDLINE_H
