// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of runCompile, private to the driver: which units an input has,
// what a compile has read, the bytes of one unit from a store or the compiler.

#ifndef FLY_LIB_DRIVER_STEPS_H
#define FLY_LIB_DRIVER_STEPS_H

#include "fly/Driver/Driver.h"
#include "fly/Store/Explain.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::fly {

/// One gpu.module and one target of an input.
struct DriverUnit {
  CompileUnit unit;
  ::fly::amdgpu::Resolution resolution;
  /// Under which the code object is published.
  std::string name;
  /// Targets whose code runs on the device that the target stands for, most
  /// specific first; the unit's target alone when it was said explicitly.
  std::vector<::fly::amdgpu::Target> rungs;
  /// Nobody has said the target.
  bool isForDevice = false;
  /// For the explanation of a miss.
  std::vector<std::string> kernels;
};

/// Resolves the targets of `module`, which has a gpu.module, and of each option
/// that holds. Answers an exit status.
int collectUnits(ModuleOp module, const CompileRequest &request,
                 const KeyEnvironment &environment,
                 std::vector<DriverUnit> &units);

/// Remembers what is read through it, each file once.
class RecordingEnvironment : public KeyEnvironment {
public:
  explicit RecordingEnvironment(const KeyEnvironment &base)
      : KeyEnvironment(base.environment()), base(base) {}

  llvm::Expected<Toolchain> toolchain() const override;
  llvm::Expected<std::string> readFile(StringRef path) const override;
  std::optional<std::string> deviceLibrary(StringRef fileName,
                                           StringRef option) const override;

  const FileReads &reads() const { return seen; }

private:
  void add(StringRef path, std::optional<::fly::support::Digest> digest) const;

  const KeyEnvironment &base;
  mutable FileReads seen;
};

/// CPU time by step.
class StepTimes {
public:
  /// Ends the step that runs and begins `step`.
  void begin(StringRef step);
  /// Lines `step  1.2 ms`.
  std::string text();

private:
  std::vector<std::pair<std::string, double>> steps;
  double since = 0;
};

/// The bytes of a unit and where they came from.
struct Produced {
  std::string bytes;
  CacheKey key;
  /// The target that the code is for: the unit's or a rung of it.
  ::fly::amdgpu::Target target;
  bool isHit = false;
  /// "hit", "miss", "key" and what follows the target in the line of the unit.
  std::string verb;
  std::string where;
};

/// What the units of one input share.
struct DriverRun {
  const CompileRequest &request;
  const KeyEnvironment &environment;
  const ::fly::store::Layers *layers;
  llvm::raw_ostream &messages;
  StepTimes &times;
};

/// Looks `unit` up, compiles it on a miss and publishes it, as the request
/// says. Answers an exit status.
int produce(const DriverRun &run, const DriverUnit &unit, Produced &produced);

/// Keeps the canonical text of `unit`, whose key is `key`, in the store that is
/// written, if the request says so.
void keepIR(const DriverRun &run, const DriverUnit &unit, const CacheKey &key);

/// The canonical text of the module whose component `ir` is given: that of
/// `unit`, if `key` is its key, else what the stores have kept.
std::optional<std::string> textUnder(const DriverRun &run,
                                     const DriverUnit &unit,
                                     const CacheKey &key,
                                     const ::fly::support::Digest &ir);

/// Prints `error` and answers its exit status.
int reportError(llvm::Error error, llvm::raw_ostream &messages);

/// `text` as part of the name of a file: letters, digits, `.`, `_`, `-`, `+`,
/// `:` and `,` stay, others become `%xx`.
std::string fileNameOf(StringRef text);

/// The rule of make that says that `outputs` are made of `inputPath` and
/// `reads`. Fails for a path that cannot stand in one.
llvm::Expected<std::string> depfileText(ArrayRef<std::string> outputs,
                                        StringRef inputPath,
                                        const FileReads &reads);

} // namespace mlir::fly

#endif // FLY_LIB_DRIVER_STEPS_H
