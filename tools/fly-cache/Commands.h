// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of fly-cache share: the request that the command line made,
// one function a command, and helpers for output. Each command answers an exit
// status.
//
//   int status = runShow(request);

#ifndef FLY_TOOLS_FLYCACHE_COMMANDS_H
#define FLY_TOOLS_FLYCACHE_COMMANDS_H

#include "fly/Store/Layers.h"
#include "fly/Target/AMDGPU/Resolve.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace flycache {

/// Exit statuses: the table of the project's tools.
enum ExitStatus : int {
  ExitSuccess = 0,
  ExitUsage = 2,
  ExitMiss = 3,
  ExitCorrupt = 4,
  ExitConflict = 5,
  ExitNoTarget = 6
};

/// The command line as values.
struct Request {
  std::vector<fly::store::LayerSpec> stores;
  /// What follows the command: keys, files.
  std::vector<std::string> operands;
  bool json = false;
  std::string target;
  std::string kernel;
  std::string unit;
  std::string output;
  std::string keyFile;
  std::string plan;
  unsigned nearest = 1;
  /// Options that are handed to fly-compile.
  std::vector<std::string> compilerOptions;
  bool explainComponents = false;
  /// 0: fly-compile decides.
  unsigned workers = 0;
  bool dryRun = false;
  fly::store::GcOptions gc;
  /// How `resolve` finds the target, but for `target`.
  fly::amdgpu::ResolveOptions resolve;
};

int runAdd(const Request &request);
int runCoverage(const Request &request);
int runDiff(const Request &request);
int runExplain(const Request &request);
int runGc(const Request &request);
int runKey(const Request &request);
int runLs(const Request &request);
int runMerge(const Request &request);
int runPack(const Request &request);
int runResolve(const Request &request);
int runShow(const Request &request);
int runStats(const Request &request);
int runUnpack(const Request &request);
int runVerify(const Request &request);
int runWarm(const Request &request);

/// Whether `path` is called like an MLIR module.
bool isModule(llvm::StringRef path);
/// The key that fly-compile derives for the module at `path`.
llvm::Expected<fly::support::CacheKey> keyOfModule(const Request &request,
                                                   llvm::StringRef path);

/// Prints the error and answers the exit status of its code.
int report(llvm::Error error);
/// Prints what is wrong with the command line; `ExitUsage`.
int usage(const llvm::Twine &message);

/// Opens the stores of the request for reading, however they are given.
llvm::Expected<fly::store::Layers> openLayers(const Request &request);
/// Opens the only store of the request; more or none is refused.
llvm::Expected<fly::store::Store> openOne(const Request &request,
                                          fly::store::Mode mode);

/// S006 for a store that is given as `ro:`, whatever it holds: a command that
/// changes a store asks before it looks at anything.
llvm::Error expectWritable(const Request &request);

/// Whether `text` is a key or at least four of its digits.
bool looksLikeKey(llvm::StringRef text);
/// The targets for which a unit is stored, sorted.
llvm::Expected<std::vector<std::string>>
targetsOfUnit(const fly::store::Layers &layers, llvm::StringRef unit);

/// A key that the user means, in a store.
struct Found {
  const fly::store::Store *store;
  std::string key;
};
/// Finds `text`: a key, at least four of its digits, or the name of a unit (of
/// which `--target` chooses one).
llvm::Expected<Found> findEntry(const fly::store::Layers &layers,
                                llvm::StringRef text, llvm::StringRef target);

/// The content of a file, of a pipe, or of standard input for `-`, of at most
/// 1 GiB where the end is not known.
llvm::Expected<std::string> readInput(llvm::StringRef path);

/// Keys in a file of JSON lines, schema `fly-key/1`.
llvm::Expected<std::vector<fly::support::CacheKey>>
readKeys(llvm::StringRef path);

/// `22.1 KiB`.
std::string bytesText(uint64_t bytes);
/// `3 h ago`.
std::string agoText(int64_t time);

/// Rows with aligned columns; the first row is the head.
void printTable(llvm::raw_ostream &os,
                const std::vector<std::vector<std::string>> &rows);
void printJsonLine(const llvm::json::Value &value);

} // namespace flycache

#endif // FLY_TOOLS_FLYCACHE_COMMANDS_H
