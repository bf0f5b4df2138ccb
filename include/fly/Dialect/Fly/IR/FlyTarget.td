// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target attribute: one uniqued attribute says all that the processor's
// part of a compile input is. The law: two targets are equal exactly if their
// attributes are the same pointer, however they were spelled.
//
//   #fly.target<"gfx942:sramecc+:xnack-">
//   #fly.target<"gfx1100", wave = 64, cumode = true>

#ifndef FLY_DIALECT_FLY_IR_FLYTARGET_TD
#define FLY_DIALECT_FLY_IR_FLYTARGET_TD

include "fly/Dialect/Fly/IR/FlyDialect.td"

def Fly_TargetAttr : AttrDef<Fly_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "A resolved compile target";
  let description = [{
    A target ID (processor and the settings of its target-ID features), the
    lanes of a wave, compute-unit mode and the code-object version. A feature
    that the ID does not name is "any": the code runs on devices with either
    setting. What is a default of the processor is not printed.

    Everything else that is known about a target (ISA version, LDS bytes, the
    text of features) is derived from these fields. Optimisation level, math
    flags, debug information and where the target came from are not part of it.

    ```mlir
    #fly.target<"gfx942">                    // any/any, wave 64, abi 600
    #fly.target<"gfx942:sramecc+:xnack-">
    #fly.target<"gfx1100", wave = 64>
    #fly.target<"gfx11-generic", cumode = true, abi = 500>
    ```
  }];
  let parameters = (ins
    AttrParameter<"::fly::amdgpu::Target", "the target",
                  "const ::fly::amdgpu::Target &">:$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The row of the processor.
    const ::fly::amdgpu::Chip &getChip() const;
    /// `gfx942:sramecc+`.
    std::string getID() const;
    unsigned getWave() const;
    bool getCumode() const;
    unsigned getAbi() const;
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYTARGET_TD
