// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets over MLIR's C API: each function is one call into Target/AMDGPU,
// Dialect/Fly/IR or Analysis. What fails answers null and reports its message.

#include "fly-c/Target.h"

#include "fly/Analysis/TargetResolution.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"

using namespace mlir;
using ::fly::amdgpu::Target;

static const Target &valueOf(MlirAttribute attribute) {
  return cast<mlir::fly::TargetAttr>(unwrap(attribute)).getValue();
}

static void say(llvm::StringRef text, MlirStringCallback callback,
                void *userData) {
  if (callback)
    callback(wrap(text), userData);
}

/// The attribute of `target`, or null after a report.
static MlirAttribute attributeOf(MLIRContext *context,
                                 llvm::Expected<Target> target,
                                 MlirStringCallback report, void *userData) {
  if (!target) {
    say(llvm::toString(target.takeError()), report, userData);
    return {nullptr};
  }
  context->loadDialect<mlir::fly::FlyDialect>();
  return wrap(mlir::fly::TargetAttr::get(context, *target));
}

bool mlirFlyAttributeIsATarget(MlirAttribute attribute) {
  return isa_and_nonnull<mlir::fly::TargetAttr>(unwrap(attribute));
}

MlirAttribute mlirFlyTargetAttrParse(MlirContext context, MlirStringRef text,
                                     MlirStringCallback report,
                                     void *userData) {
  return attributeOf(unwrap(context),
                     ::fly::amdgpu::normalize(unwrap(text), "the caller"),
                     report, userData);
}

MlirAttribute mlirFlyTargetAttrWith(MlirAttribute target, uint32_t wave,
                                    bool cumode, uint32_t abi,
                                    MlirStringCallback report, void *userData) {
  Target value = valueOf(target);
  Target usual = Target::ofChip(value.row());
  value.wave = wave ? wave : usual.wave;
  value.cumode = cumode;
  value.abi = abi ? abi : usual.abi;
  MLIRContext *context = unwrap(target).getContext();
  if (llvm::Error error = value.verify())
    return attributeOf(context, std::move(error), report, userData);
  return attributeOf(context, std::move(value), report, userData);
}

void mlirFlyTargetAttrGetID(MlirAttribute target, MlirStringCallback callback,
                            void *userData) {
  say(valueOf(target).id(), callback, userData);
}

void mlirFlyTargetAttrGetFullText(MlirAttribute target,
                                  MlirStringCallback callback, void *userData) {
  say(valueOf(target).fullText(), callback, userData);
}

MlirStringRef mlirFlyTargetAttrGetChip(MlirAttribute target) {
  return wrap(llvm::StringRef(valueOf(target).row().name));
}

uint32_t mlirFlyTargetAttrGetWave(MlirAttribute target) {
  return valueOf(target).wave;
}

bool mlirFlyTargetAttrGetCumode(MlirAttribute target) {
  return valueOf(target).cumode;
}

uint32_t mlirFlyTargetAttrGetAbi(MlirAttribute target) {
  return valueOf(target).abi;
}

MlirAttribute mlirFlyTargetAttrToROCDL(MlirAttribute target,
                                       uint32_t optLevel) {
  mlir::fly::CodegenOptions options;
  options.optLevel = optLevel;
  return wrap(mlir::fly::toROCDL(unwrap(target).getContext(), valueOf(target),
                                 options));
}
