// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fly_rocdl` dialect: atoms of AMD GPUs. A copy or MMA op type names one
// instruction; its layouts, registers and legal shapes are rows of the tables
// in fly/Target/AMDGPU. The types are parameters of `!fly.copy_atom` and
// `!fly.mma_atom`, never the type of a value by themselves:
//
//   !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>
//   !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDL_TD
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDL_TD

include "fly/Dialect/Fly/IR/FlyInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FlyROCDL_Dialect : Dialect {
  let name = "fly_rocdl";
  let cppNamespace = "::mlir::fly_rocdl";
  let summary = "Copy and matrix instructions of AMD GPUs as atoms";
  let description = [{
    Types that stand for one instruction each: what it moves or multiplies, and
    which thread holds which value. A type exists only when the table of
    instructions has a row for it; whether a processor has the instruction is
    asked when it is lowered.
  }];
  let dependentDialects = ["::mlir::fly::FlyDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::ROCDL::ROCDLDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def FlyROCDL_BufferDescAttr : AttrDef<FlyROCDL_Dialect, "BufferDesc"> {
  let mnemonic = "buffer_desc";
  let summary = "address space of buffer descriptors";
  let description = [{
    A pointer in this space is a 128-bit buffer resource and a 32-bit offset in
    elements.

    Example: `!fly.ptr<f32, #fly_rocdl.buffer_desc>`
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class FlyROCDL_Type<string name, string typeMnemonic, list<Trait> traits>
    : TypeDef<FlyROCDL_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  let genVerifyDecl = 1;
}

/// A copy whose atoms carry state.
class FlyROCDL_StatefulCopy<string name, string typeMnemonic>
    : FlyROCDL_Type<name, typeMnemonic, [
        DeclareTypeInterfaceMethods<CopyOpTypeInterface>,
        DeclareTypeInterfaceMethods<StatefulOpTypeInterface>]>;

/// A matrix instruction without state.
class FlyROCDL_StaticMma<string name, string typeMnemonic>
    : FlyROCDL_Type<name, typeMnemonic, [
        DeclareTypeInterfaceMethods<MmaOpTypeInterface>,
        DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let extraClassDeclaration = [{
    /// The instruction; never null in a verified type.
    const ::fly::amdgpu::MmaRow *getRow() const;
  }];
}

def FlyROCDL_BufferCopy
    : FlyROCDL_StatefulCopy<"CopyOpCDNA3BufferCopy", "cdna3.buffer_copy"> {
  let summary = "copy between a buffer and registers";
  let description = [{
    One lane moves `bitSize` bits between a buffer and registers. `cache` is the
    instruction's cache policy, 0 for cached. State: `soffset`, a uniform offset
    in elements of the buffer's tensor.

    Example: `!fly_rocdl.cdna3.buffer_copy<128, cache = 2>`
  }];
  let parameters = (ins "int32_t":$bitSize,
                        DefaultValuedParameter<"int32_t", "0">:$cache);
  let assemblyFormat = "`<` $bitSize (`,` `cache` `=` $cache^)? `>`";
}

def FlyROCDL_BufferCopyLds
    : FlyROCDL_StatefulCopy<"CopyOpCDNA3BufferCopyLds",
                            "cdna3.buffer_copy_lds"> {
  let summary = "copy from a buffer to LDS that passes no registers";
  let description = [{
    Lane i of a wave writes at the LDS address plus i times the width: the
    address must be the same in all lanes. State: `soffset` in elements of the
    buffer's tensor, `imm_offset` in bytes.

    Example: `!fly_rocdl.cdna3.buffer_copy_lds<128>`
  }];
  let parameters = (ins "int32_t":$bitSize);
  let assemblyFormat = "`<` $bitSize `>`";
}

def FlyROCDL_BufferAtomic
    : FlyROCDL_StatefulCopy<"CopyOpCDNA3BufferAtomic", "cdna3.buffer_atomic"> {
  let summary = "atomic combination of a register with a buffer";
  let description = [{
    Integers without a sign count as signed in `max` and `min`. State:
    `soffset` in elements of the buffer's tensor.

    Example: `!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>`
  }];
  let parameters = (ins "::mlir::fly::AtomicOp":$operation,
                        "::mlir::Type":$valueType);
  let assemblyFormat =
      "`<` custom<AtomicKeyword>($operation) `,` $valueType `>`";
  let extraClassDeclaration = [{
    /// The instruction; never null in a verified type.
    const ::fly::amdgpu::BufferAtomicRow *getRow() const;
  }];
}

def FlyROCDL_LdsReadTrans
    : FlyROCDL_Type<"CopyOpCDNA4LdsReadTrans", "cdna4.lds_read_trans", [
        DeclareTypeInterfaceMethods<CopyOpTypeInterface>,
        DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "read of LDS that transposes among 16 lanes";
  let description = [{
    Lane t addresses `bitSize` consecutive bits and receives the elements t,
    t + 16, t + 32 and so on of the sixteen lanes' rows.

    Example: `!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>`
  }];
  let parameters = (ins "int32_t":$elementBits, "int32_t":$bitSize);
  let assemblyFormat =
      "`<` `trans` `=` custom<ElementBits>($elementBits) `,` $bitSize `>`";
}

def FlyROCDL_BufferLoadAsyncLds
    : FlyROCDL_StatefulCopy<"CopyOpCDNA4BufferLoadAsyncLds",
                            "cdna4.buffer_load_async_lds"> {
  let summary = "copy from a buffer to LDS that the program waits for";
  let description = [{
    As `cdna3.buffer_copy_lds`, in the widths 32, 96 and 128. LLVM 22.1 has no
    form without waits of its own, so that the waits of the compiler are there
    as well: the result is the same.

    Example: `!fly_rocdl.cdna4.buffer_load_async_lds<96>`
  }];
  let parameters = (ins "int32_t":$bitSize);
  let assemblyFormat = "`<` $bitSize `>`";
}

def FlyROCDL_GlobalLoadAsyncLds
    : FlyROCDL_Type<"CopyOpCDNA4GlobalLoadAsyncLds",
                    "cdna4.global_load_async_lds", [
        DeclareTypeInterfaceMethods<CopyOpTypeInterface>,
        DeclareTypeInterfaceMethods<MayStaticTypeInterface>]> {
  let summary = "copy from global memory to LDS that the program waits for";
  let description = [{
    Lane i of a wave writes at the LDS address plus i times the width: the
    address must be the same in all lanes. As of `cdna4.buffer_load_async_lds`,
    the waits of the compiler are there as well.

    Example: `!fly_rocdl.cdna4.global_load_async_lds<128>`
  }];
  let parameters = (ins "int32_t":$bitSize);
  let assemblyFormat = "`<` $bitSize `>`";
}

def FlyROCDL_TDM
    : FlyROCDL_Type<"CopyOpGFX1250TDM", "gfx1250.tdm", [
        DeclareTypeInterfaceMethods<CopyOpTypeInterface>,
        DeclareTypeInterfaceMethods<StatefulOpTypeInterface>, WholeTile]> {
  let summary = "copy of a tile between global memory and LDS";
  let description = [{
    One call moves a whole tile of `rank` dimensions, 1 to 5, by the tensor data
    mover. The tensor on the global side has the tile: a plain layout with
    static shape, outermost dimension first, the last one contiguous. In LDS it
    lies row by row, with `pad` = interval, amount: after each interval of
    elements, that many are left out; 0, 0 is none. The `warps` waves of the
    workgroup, a power of two, share the tile: from the outermost dimension on
    it is cut into parts, and a wave without one does nothing. The program waits
    by `rocdl.s.wait.tensorcnt`.

    State: `workgroup_mask` (i32) for multicast, `extent_0` to `extent_4` (i32),
    the size of the tensor from the tile's begin on, past which loads give zero
    and stores do nothing, `stride_0` to `stride_3` (i64) in elements where they
    are not the layout's, and `imm_offset` (i64) in bytes.

    Example: `!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8,
    cache = 0, barrier = false, timeout = false>`
  }];
  let parameters = (ins "int32_t":$rank, "int32_t":$warps,
                        "int32_t":$padInterval, "int32_t":$padAmount,
                        "int32_t":$cache, "bool":$barrier, "bool":$timeout);
  let assemblyFormat = "`<` `rank` `=` $rank `,` `warps` `=` $warps `,`"
      " `pad` `=` $padInterval `,` $padAmount `,` `cache` `=` $cache `,`"
      " `barrier` `=` custom<Flag>($barrier) `,`"
      " `timeout` `=` custom<Flag>($timeout) `>`";
}

def FlyROCDL_MFMA : FlyROCDL_StaticMma<"MmaOpCDNA3MFMA", "cdna3.mfma"> {
  let summary = "matrix instruction of a wave of 64 lanes";
  let description = [{
    Lane l holds row l mod M of A, and of B likewise, with K * M / 64 consecutive
    k; of the result column l mod N and runs of four rows.

    Example: `!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>`
  }];
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$aType, "::mlir::Type":$bType,
                        "::mlir::Type":$accType);
  let assemblyFormat = "`<` custom<MmaShape>($m, $n, $k) `,`"
      " `(` $aType `,` $bType `)` `->` $accType `>`";
}

def FlyROCDL_MFMAScale
    : FlyROCDL_Type<"MmaOpCDNA4MFMAScale", "cdna4.mfma_scale", [
        DeclareTypeInterfaceMethods<MmaOpTypeInterface>,
        DeclareTypeInterfaceMethods<StatefulOpTypeInterface>]> {
  let summary = "matrix instruction with a scale for each block of 32 values";
  let description = [{
    State: `scale_a` and `scale_b`, words of four E8M0 exponents; `opselA` and
    `opselB` choose the byte. A fresh atom has the scale 1.0.

    Example:
    `!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 0, opselB = 0>`
  }];
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$aType, "::mlir::Type":$bType,
                        "::mlir::Type":$accType,
                        "int32_t":$opselA, "int32_t":$opselB);
  let assemblyFormat = "`<` custom<MmaShape>($m, $n, $k) `,`"
      " `(` $aType `,` $bType `)` `->` $accType `,`"
      " `opselA` `=` $opselA `,` `opselB` `=` $opselB `>`";
  let extraClassDeclaration = [{
    /// The instruction; never null in a verified type.
    const ::fly::amdgpu::MmaRow *getRow() const;
  }];
}

class FlyROCDL_WMMA<string name, string typeMnemonic>
    : FlyROCDL_StaticMma<name, typeMnemonic> {
  let summary = "matrix instruction of a wave of 32 lanes";
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$aType, "::mlir::Type":$bType,
                        "::mlir::Type":$accType,
                        "bool":$signA, "bool":$signB, "bool":$clamp);
  let assemblyFormat = "`<` custom<MmaShape>($m, $n, $k) `,`"
      " `(` $aType `,` $bType `)` `->` $accType `,`"
      " `signA` `=` custom<Flag>($signA) `,`"
      " `signB` `=` custom<Flag>($signB) `,`"
      " `clamp` `=` custom<Flag>($clamp) `>`";
}

def FlyROCDL_Gfx11WMMA : FlyROCDL_WMMA<"MmaOpGFX11WMMA", "gfx11.wmma"> {
  let description = [{
    Both halves of the wave hold the same A and B; rows of the result alternate
    between the halves. The flags belong to integer elements.

    Example:
    `!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>`
  }];
}

def FlyROCDL_Gfx120xWMMA : FlyROCDL_WMMA<"MmaOpGFX120xWMMA", "gfx120x.wmma"> {
  let description = [{
    The upper half of the wave holds the upper half of k, and of the rows.

    Example:
    `!fly_rocdl.gfx120x.wmma<16x16x16, (bf16, bf16) -> f32, signA = false, signB = false, clamp = false>`
  }];
}

def FlyROCDL_Gfx1250WMMA : FlyROCDL_WMMA<"MmaOpGFX1250WMMA", "gfx1250.wmma"> {
  let description = [{
    K is 4, 32, 64 or 128, by the element type.

    Example:
    `!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>`
  }];
}

def FlyROCDL_Gfx1250WMMAScale
    : FlyROCDL_Type<"MmaOpGFX1250WMMAScale", "gfx1250.wmma_scale", [
        DeclareTypeInterfaceMethods<MmaOpTypeInterface>,
        DeclareTypeInterfaceMethods<StatefulOpTypeInterface>]> {
  let summary = "matrix instruction with a scale for each block of values";
  let description = [{
    State: `scale_a` and `scale_b`, words of E8M0 exponents, 32 bits for blocks
    of 32 values and 64 bits for blocks of 16. `opselA` and `opselB` choose the
    half of the wave that holds the scales. A fresh atom has the scale 1.0.

    Example:
    `!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 32>`
  }];
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$aType, "::mlir::Type":$bType,
                        "::mlir::Type":$accType,
                        "int32_t":$opselA, "int32_t":$opselB,
                        "int32_t":$modC, "bool":$reuseA, "bool":$reuseB,
                        "int32_t":$blockSize);
  let assemblyFormat = "`<` custom<MmaShape>($m, $n, $k) `,`"
      " `(` $aType `,` $bType `)` `->` $accType `,`"
      " `opselA` `=` $opselA `,` `opselB` `=` $opselB `,`"
      " `modC` `=` $modC `,` `reuseA` `=` custom<Flag>($reuseA) `,`"
      " `reuseB` `=` custom<Flag>($reuseB) `,` `blockSize` `=` $blockSize `>`";
  let extraClassDeclaration = [{
    /// The instruction; never null in a verified type.
    const ::fly::amdgpu::MmaRow *getRow() const;
  }];
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

def FlyROCDL_GetBufferRsrcOp : Op<FlyROCDL_Dialect, "get_buffer_rsrc", [
      Pure, VerifiesTypesOnce,
      DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "The buffer resource of a pointer";
  let description = [{
    The 128-bit resource of a pointer in the space `#fly_rocdl.buffer_desc`.

    ```mlir
    %r = fly_rocdl.get_buffer_rsrc(%p)
        : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
    ```
  }];
  let arguments = (ins AnyType:$pointer);
  let results = (outs AnyType:$resource);
  let assemblyFormat =
      "`(` $pointer `)` attr-dict `:` functional-type(operands, results)";
}

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDL_TD
