// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The serialiser: a gpu.module that is already in the LLVM and ROCDL dialects
// and a #rocdl.target go in; LLVM IR, assembly or a loadable code object come
// out. The laws: the output depends on the module, the target and the content
// of the device libraries that it needs, and on nothing else; whatever LLVM or
// lld object to becomes a located diagnostic, never the end of the process;
// nothing is generated for a processor or a feature that LLVM does not know.
//
//   SerializeOptions options;                       // code object
//   FailureOr<CodeBytes> hsaco = serializeGPUModule(module, target, options);
//
// Hints (register limits, waves per unit) are attributes in the module by now;
// the optimisation level is part of the target attribute.

#ifndef FLY_CODEGEN_SERIALIZER_H
#define FLY_CODEGEN_SERIALIZER_H

#include "fly/Analysis/LLVMOptions.h"
#include "fly/CodeGen/Linker.h"
#include "fly/Support/CacheKey.h"
#include "fly/Support/Environment.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#include <string>

namespace mlir::fly {

/// What comes out of code generation.
enum class CodeFormat {
  /// The linked ELF image that the runtime loads.
  Object,
  /// Assembly text.
  Assembly,
  /// Text of the optimised LLVM IR that instruction selection is given.
  LLVMIR
};

/// How to serialise; defaults give a code object.
struct SerializeOptions {
  CodeFormat format = CodeFormat::Object;
  /// The folder of the device libraries or a ROCm root; empty to search.
  std::string deviceLibraries;
  /// Options of LLVM's code generator that hold for this run alone.
  LLVMOptions llvmOptions;
  /// Where the search reads its variables.
  ::fly::support::Environment environment;
  /// The component of the key with the digests of what may be linked: files
  /// that hold something else by now are refused. Null when there is no key.
  const ::fly::support::KeyComponent *bitcode = nullptr;
};

/// Serialises `module` for `target`. Emits diagnostics on failure. The module
/// is not changed. Several threads may serialise at once; a run with LLVM
/// options waits for the others to end, and they for it.
FailureOr<CodeBytes> serializeGPUModule(gpu::GPUModuleOp module,
                                        ROCDL::ROCDLTargetAttr target,
                                        const SerializeOptions &options);

/// Refuses a target attribute that LLVM would silently replace by something
/// else or would end the process for: an unknown processor, triple, feature,
/// ABI version or optimisation level. Emits the diagnostic at `location`.
LogicalResult verifyTarget(ROCDL::ROCDLTargetAttr target, Location location);

/// Makes the translation of every dialect that a lowered kernel may hold to
/// LLVM IR known to `registry`, and the interface of target attributes.
void registerCodeGenInterfaces(DialectRegistry &registry);

/// Makes the translation of `#fly.explicit_module` known to `registry`: of
/// gpu.binary and gpu.launch_func in host modules. Part of the above.
void registerExplicitModule(DialectRegistry &registry);

} // namespace mlir::fly

#endif // FLY_CODEGEN_SERIALIZER_H
