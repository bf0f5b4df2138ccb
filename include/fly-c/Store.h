/* Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiled kernels out of stores, without a compiler. Folders of stores, the
 * name of a unit (or a key) and the target of the device go in; the bytes of
 * the code object, verified in full, and what a launch needs to know come out.
 * The library libfly_store.so needs neither libLLVM nor libMLIR.
 *
 *   const char *folders[] = {"/usr/share/app/aot"};
 *   FlyStore *store = NULL;
 *   FlyArtefact *code = NULL;
 *   char target[FLY_TARGET_SIZE];
 *   if (flyStoreOpen(folders, 1, &store) ||
 *       flyStoreResolveTarget(store, gcnArchName, NULL, target) ||
 *       flyStoreFindUnit(store, "gemm/bf16", target, &code))
 *     fprintf(stderr, "%s\n", flyStoreMessage(store));
 *   hipModuleLoadData(&module, flyArtefactBytes(code, NULL));
 *
 * All functions may be called from several threads, each thread with a store of
 * its own or under a lock; artefacts are independent of the store that gave
 * them. Nothing is ever written. */

#ifndef FLY_C_STORE_H
#define FLY_C_STORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct FlyStore FlyStore;
typedef struct FlyArtefact FlyArtefact;

/* Outcomes; the numbers are the exit statuses of the project's tools. */
typedef enum FlyStoreStatus {
  FLY_STORE_OK = 0,
  /* A store cannot be opened, or an argument is wrong. */
  FLY_STORE_USAGE = 2,
  FLY_STORE_MISS = 3,
  /* The entry is there but damaged; it is not served. */
  FLY_STORE_CORRUPT = 4,
  FLY_STORE_NO_TARGET = 6
} FlyStoreStatus;

/* Enough for every target text, with its end. */
#define FLY_TARGET_SIZE 128

/* What a launch needs to know of a kernel; sizes in bytes. The name lives as
 * long as the artefact. */
typedef struct FlyKernel {
  const char *name;
  uint32_t kernarg;
  uint32_t lds;
  uint32_t scratch;
  uint32_t vgprs;
  uint32_t sgprs;
  uint32_t agprs;
  uint32_t wave;
  uint32_t maxWorkgroup;
} FlyKernel;

/* Opens `count` folders, searched in this order, for reading. `*store` is set
 * also when opening fails, so that the message can be read; close it then too.
 */
FlyStoreStatus flyStoreOpen(const char *const *folders, size_t count,
                            FlyStore **store);

/* A folder that is no store and an entry that is damaged are passed over with a
 * warning; what is in no other folder is FLY_STORE_MISS. Without this, both are
 * errors. */
#define FLY_STORE_TOLERANT 1u
/* Code objects are copied in place of mapped, for folders in which somebody may
 * change files in place; stores themselves only ever rename. */
#define FLY_STORE_COPY 2u

/* As flyStoreOpen, with flags of the above. */
FlyStoreStatus flyStoreOpenWith(const char *const *folders, size_t count,
                                unsigned flags, FlyStore **store);
void flyStoreClose(FlyStore *store);

/* All warnings since the store was opened, a line each, or "". */
const char *flyStoreWarnings(const FlyStore *store);

/* The message of the last call that failed on this store, or "". */
const char *flyStoreMessage(const FlyStore *store);

/* The target of the device: of `deviceName` (gcnArchName such as
 * "gfx942:sramecc+:xnack-") with its exact features, or when that is NULL, of
 * the GPU of this machine. `kfdNodes` is the folder `nodes` of the KFD topology
 * instead of the system's, or NULL. Variables that replace detection
 * (HSA_OVERRIDE_GFX_VERSION, visibility) are heeded. Writes the canonical text.
 */
FlyStoreStatus flyStoreResolveTarget(FlyStore *store, const char *deviceName,
                                     const char *kfdNodes,
                                     char target[FLY_TARGET_SIZE]);

/* The entry that the build gave the name `unit`, for `target` or for a less
 * specific target whose code runs there. */
FlyStoreStatus flyStoreFindUnit(FlyStore *store, const char *unit,
                                const char *target, FlyArtefact **artefact);

/* The entry of a key, `fly1-` and 64 digits. */
FlyStoreStatus flyStoreFindKey(FlyStore *store, const char *key,
                               FlyArtefact **artefact);

/* Frees the bytes as well. */
void flyArtefactFree(FlyArtefact *artefact);

/* The code object; `size` may be NULL. */
const void *flyArtefactBytes(const FlyArtefact *artefact, size_t *size);
const char *flyArtefactKey(const FlyArtefact *artefact);
/* The target that it was built for. */
const char *flyArtefactTarget(const FlyArtefact *artefact);
size_t flyArtefactKernelCount(const FlyArtefact *artefact);
/* 0, or FLY_STORE_USAGE when there is no kernel `index`. */
FlyStoreStatus flyArtefactKernel(const FlyArtefact *artefact, size_t index,
                                 FlyKernel *kernel);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* FLY_C_STORE_H */
