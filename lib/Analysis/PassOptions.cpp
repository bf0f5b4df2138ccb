// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of passes as plain values, and back. An option that was not given
// stays "not said".

#include "fly/Analysis/PassOptions.h"

using namespace mlir;
using namespace mlir::fly;

ResolveOptions TargetPass::resolveOptions() const {
  ResolveOptions options;
  options.target = target;
  options.targets.assign(targets.begin(), targets.end());
  if (wave.hasValue())
    options.wave = wave;
  if (cumode.hasValue())
    options.cumode = cumode;
  if (abi.hasValue())
    options.abi = abi;
  options.detect = detect;
  options.kfdRoot = kfdRoot;
  options.archTool = archTool;
  options.deviceName = deviceName;
  options.allowDefault = allowDefault;
  options.features = featurePolicy;
  options.onConflict = onConflict;
  options.useEnvironment = env;
  options.report = report;
  return options;
}

void TargetPass::setResolveOptions(const ResolveOptions &options) {
  target = options.target;
  targets = options.targets;
  if (options.wave)
    wave = *options.wave;
  if (options.cumode)
    cumode = *options.cumode;
  if (options.abi)
    abi = *options.abi;
  detect = options.detect;
  kfdRoot = options.kfdRoot;
  archTool = options.archTool;
  deviceName = options.deviceName;
  allowDefault = options.allowDefault;
  featurePolicy = options.features;
  onConflict = options.onConflict;
  env = options.useEnvironment;
  report = options.report;
}

CompileOptions CompilePass::compileOptions() const {
  CompileOptions options;
  options.resolve = resolveOptions();
  if (optLevel.hasValue())
    options.optLevel = optLevel;
  if (debug.hasValue())
    options.debug = debug;
  options.hints.assign(hints.begin(), hints.end());
  options.llvmOptions.assign(llvmOptions.begin(), llvmOptions.end());
  options.llvmDir = llvmDir;
  options.link.assign(link.begin(), link.end());
  options.deviceLibraries = deviceLibraries;
  options.inputs.assign(inputs.begin(), inputs.end());
  options.salt = salt;
  options.prefixMap.assign(prefixMap.begin(), prefixMap.end());
  options.requireRelocatable = requireRelocatable;
  options.allowOpaque = allowOpaque;
  return options;
}

void CompilePass::setCompileOptions(const CompileOptions &options) {
  setResolveOptions(options.resolve);
  if (options.optLevel)
    optLevel = *options.optLevel;
  if (options.debug)
    debug = *options.debug;
  hints = options.hints;
  llvmOptions = options.llvmOptions;
  llvmDir = options.llvmDir;
  link = options.link;
  deviceLibraries = options.deviceLibraries;
  inputs = options.inputs;
  salt = options.salt;
  prefixMap = options.prefixMap;
  requireRelocatable = options.requireRelocatable;
  allowOpaque = options.allowOpaque;
}
