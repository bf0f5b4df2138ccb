// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detection of GPUs: the kernel driver's topology folder and programs that
// print processors. Folders, variables and program output go in, a list of
// GPUs that may be used comes out; whether they agree is the caller's business.

#ifndef FLY_LIB_TARGET_AMDGPU_DETECT_H
#define FLY_LIB_TARGET_AMDGPU_DETECT_H

#include "fly/Support/Environment.h"
#include "fly/Target/AMDGPU/Target.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::amdgpu {

/// A GPU that was found.
struct Gpu {
  /// Whether it is a node of the topology, and which.
  bool isNode = false;
  unsigned node = 0;
  /// "kfd:node4", or the program that printed it.
  std::string source;
  /// What the source said: "90402", "gfx942:sramecc+:xnack-".
  std::string raw;
  /// 16 hexadecimal digits, or empty when not known.
  std::string uuid;
  /// Absent when the processor is not known.
  std::optional<Target> target;
  /// The coded error when it is not: code and text.
  std::string code;
  std::string problem;

  /// Takes the target, or remembers why there is none.
  void set(llvm::Expected<Target> result);
  /// "node 4 gfx942 GPU-0123456789abcdef": for messages.
  std::string describe() const;
};

/// What a search found, and notes about what it met on the way.
struct Search {
  std::vector<Gpu> gpus;
  std::vector<std::string> notes;
};

/// Reads the folder `nodes` of a KFD topology: GPU nodes in numerical order,
/// CPU nodes left out, unreadable ones left out with a note.
Search readKfd(llvm::StringRef root);

/// Applies ROCR_VISIBLE_DEVICES, then HIP_VISIBLE_DEVICES (or, when unset,
/// CUDA_VISIBLE_DEVICES), then GPU_DEVICE_ORDINAL. Identifiers select exactly.
/// Ordinals never choose between different processors, because enumeration
/// orders differ: then all stay and a note says so.
void applyVisibility(Search &search, const support::Environment &environment);

/// A program that ran, or did not.
struct ToolRun {
  std::string command;
  Search search;
  /// Why there is no GPU: "printed nothing (exit status 0)"; empty on success.
  std::string failure;
};

/// Runs a program that prints one processor a line, for at most `seconds`.
ToolRun runArchTool(llvm::StringRef path, unsigned seconds);

/// The file that `name` means: itself when it holds a slash, else searched in
/// the folders of `searchPath`; empty when there is none.
std::string findTool(llvm::StringRef name, llvm::StringRef searchPath);

} // namespace fly::amdgpu

#endif // FLY_LIB_TARGET_AMDGPU_DETECT_H
