// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader of AMDGPU code objects. The bytes of an ELF file go in; the
// processor and features of its flags and the resources of its kernels come
// out. The law: any bytes give a value or an error, and what is read of an
// object that was compiled for a target agrees with that target.
//
//   llvm::Expected<CodeObject> object = readCodeObject(bytes);
//   object->chip;                  // "gfx942"
//   object->kernels[0].ldsBytes;   // 16384

#ifndef FLY_TARGET_AMDGPU_CODEOBJECT_H
#define FLY_TARGET_AMDGPU_CODEOBJECT_H

#include "fly/Target/AMDGPU/Target.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fly::amdgpu {

/// What the metadata of a kernel says. Sizes are in bytes.
struct KernelInfo {
  std::string name;
  /// Symbol of the kernel descriptor: `name.kd`.
  std::string symbol;
  uint32_t kernargBytes = 0;
  uint32_t ldsBytes = 0;
  /// Scratch memory of one lane.
  uint32_t privateBytes = 0;
  uint32_t vgprs = 0;
  uint32_t sgprs = 0;
  /// Accumulation registers; included in `vgprs` on processors where both are
  /// one file.
  uint32_t agprs = 0;
  uint32_t vgprSpills = 0;
  uint32_t sgprSpills = 0;
  uint32_t wave = 0;
  uint32_t maxWorkgroupSize = 0;
};

/// What the flags and the metadata of a code object say.
struct CodeObject {
  /// `e_flags` as it stands in the file.
  uint32_t flags = 0;
  /// Canonical name of the processor.
  std::string chip;
  Setting sramecc = Setting::Unsupported;
  Setting xnack = Setting::Unsupported;
  /// Code-object version times 100: 400, 500 or 600.
  unsigned abi = 0;
  /// Version of a generic processor, else 0.
  unsigned genericVersion = 0;
  /// `amdhsa.target` of the metadata: `amdgcn-amd-amdhsa--gfx942:xnack-`.
  std::string metadataTarget;
  /// In the order of the metadata.
  std::vector<KernelInfo> kernels;
};

/// Reads a code object (version 4 to 6) with one metadata note, linked or not.
/// The error is a plain sentence that says where the file is wrong.
llvm::Expected<CodeObject> readCodeObject(llvm::StringRef bytes);

/// A sentence that names the first thing in which `object` is not code for
/// `target`, or nothing: processor, features, abi, wave of each kernel.
std::optional<std::string> disagreement(const CodeObject &object,
                                        const Target &target);

} // namespace fly::amdgpu

#endif // FLY_TARGET_AMDGPU_CODEOBJECT_H
