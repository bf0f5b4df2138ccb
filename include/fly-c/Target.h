/* Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Targets over MLIR's C API: `#fly.target` is made from a text in any spelling
 * or from its fields, asked for them, and turned into MLIR's `#rocdl.target`.
 * The law: whatever text says a target, the attribute is the same.
 *
 *   MlirAttribute target = mlirFlyTargetAttrParse(
 *       context, mlirStringRefCreateFromCString("gfx942:xnack-"), NULL, NULL);
 */

#ifndef FLY_C_TARGET_H
#define FLY_C_TARGET_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether `attribute` is a `#fly.target`.
MLIR_CAPI_EXPORTED bool mlirFlyAttributeIsATarget(MlirAttribute attribute);

/// The target that `text` says: a target ID, an alias, a triple, a version with
/// dots; upper case and blanks do not count. Null when it says none: `report`,
/// if given, gets the message with its code, in one or more pieces.
MLIR_CAPI_EXPORTED MlirAttribute
mlirFlyTargetAttrParse(MlirContext context, MlirStringRef text,
                       MlirStringCallback report, void *userData);

/// The target with the ID of `target` and the other fields as given; `wave` and
/// `abi` 0 are the processor's defaults. Null and a report as above when the
/// processor does not have it.
MLIR_CAPI_EXPORTED MlirAttribute
mlirFlyTargetAttrWith(MlirAttribute target, uint32_t wave, bool cumode,
                      uint32_t abi, MlirStringCallback report, void *userData);

/// `gfx942:sramecc+:xnack-`.
MLIR_CAPI_EXPORTED void mlirFlyTargetAttrGetID(MlirAttribute target,
                                               MlirStringCallback callback,
                                               void *userData);

/// Every field spelled, as it enters keys.
MLIR_CAPI_EXPORTED void
mlirFlyTargetAttrGetFullText(MlirAttribute target, MlirStringCallback callback,
                             void *userData);

/// The canonical name of the processor; lives as long as the program.
MLIR_CAPI_EXPORTED MlirStringRef mlirFlyTargetAttrGetChip(MlirAttribute target);

/// Lanes of a wave.
MLIR_CAPI_EXPORTED uint32_t mlirFlyTargetAttrGetWave(MlirAttribute target);
MLIR_CAPI_EXPORTED bool mlirFlyTargetAttrGetCumode(MlirAttribute target);
/// 500 or 600.
MLIR_CAPI_EXPORTED uint32_t mlirFlyTargetAttrGetAbi(MlirAttribute target);

/// The `#rocdl.target` that upstream's passes read, with an optimisation level
/// from 0 to 3. The ROCDL dialect must be loaded.
MLIR_CAPI_EXPORTED MlirAttribute mlirFlyTargetAttrToROCDL(MlirAttribute target,
                                                          uint32_t optLevel);

#ifdef __cplusplus
}
#endif

#endif /* FLY_C_TARGET_H */
