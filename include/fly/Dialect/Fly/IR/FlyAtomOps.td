// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atoms, tiled copies and tiled MMAs (specification 3.8, 4.16).

#ifndef FLY_DIALECT_FLY_IR_FLYATOMOPS_TD
#define FLY_DIALECT_FLY_IR_FLYATOMOPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_Atom : AnyTypeOf<[Fly_CopyAtomType, Fly_MmaAtomType],
    "copy_atom or mma_atom">;

def Fly_MakeMmaAtomOp : Fly_Op<"make_mma_atom", [Pure]> {
  let summary = "an MMA atom, its state at the defaults";
  let description = [{
    ```mlir
    %a = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
    ```
  }];
  let results = (outs Fly_MmaAtomType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Fly_MakeCopyAtomOp : Fly_Op<"make_copy_atom", [Pure]> {
  let summary = "a copy atom, its state at the defaults";
  let description = [{
    `valBits` is that of the type.

    ```mlir
    %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 32>
    ```
  }];
  let arguments = (ins I32Attr:$valBits);
  let results = (outs Fly_CopyAtomType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Fly_AtomSetValueOp : Fly_InferredOp<"atom.set_value", [Pure]> {
  let summary = "the atom with one field of its state set";
  let description = [{
    The copy or MMA op type says which fields there are.

    ```mlir
    %b = fly.atom.set_value(%a, "soffset", %o) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>
    ```
  }];
  let arguments = (ins Fly_Atom:$atom, StrAttr:$field, AnyType:$value);
  let results = (outs Fly_Atom:$result);
  let assemblyFormat = [{
    `(` $atom `,` $field `,` $value `)` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Fly_CopyAtomCallOp : Fly_Op<"copy_atom_call"> {
  let summary = "one copy instruction, from memref to memref";
  let description = [{
    With a predicate memref of one i1, nothing is copied where it is false.

    ```mlir
    fly.copy_atom_call(%a, %s, %d) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>, !fly.memref<f32, register, 2:1>) -> ()
    ```
  }];
  let arguments = (ins Fly_CopyAtomType:$copyAtom, Fly_MemRefType:$src,
                       Fly_MemRefType:$dst, Optional<Fly_MemRefType>:$pred);
}

def Fly_MmaAtomCallOp : Fly_Op<"mma_atom_call"> {
  let summary = "one matrix instruction, d = a * b + c, all memrefs";
  let description = [{
    ```mlir
    fly.mma_atom_call(%m, %d, %a, %b, %c) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>) -> ()
    ```
  }];
  let arguments = (ins Fly_MmaAtomType:$mmaAtom, Fly_MemRefType:$d,
                       Fly_MemRefType:$a, Fly_MemRefType:$b,
                       Fly_MemRefType:$c);
}

def Fly_CopyAtomCallSSAOp
    : Fly_Op<"copy_atom_call_ssa", [AttrSizedOperandSegments]> {
  let summary = "one copy instruction on register values";
  let description = [{
    Register operands are values. With a result the destination is the result,
    and `dst` what it is where the predicate is false; without one the
    destination is memory. `operandSegmentSizes` is printed and required.

    ```mlir
    %r = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>) -> vector<2xf32>
    ```
  }];
  let arguments = (ins Fly_CopyAtomType:$copyAtom, AnyType:$src,
                       Optional<AnyType>:$dst, Optional<AnyType>:$pred);
  let results = (outs Variadic<AnyType>:$results);
  let hasVerifier = 1;
}

def Fly_MmaAtomCallSSAOp : Fly_Op<"mma_atom_call_ssa"> {
  let summary = "one matrix instruction on register values";
  let description = [{
    The result is d, unless a memref `d` is given.

    ```mlir
    %r = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, f32, f32, f32) -> f32
    ```
  }];
  let arguments = (ins Fly_MmaAtomType:$mmaAtom, Optional<AnyType>:$d,
                       AnyType:$a, AnyType:$b, AnyType:$c);
  let results = (outs Variadic<AnyType>:$results);
  let hasVerifier = 1;
}

def Fly_MakeTiledCopyOp : Fly_InferredOp<"make_tiled_copy", [Pure]> {
  let summary = "a copy atom over threads and values of a tile";
  let description = [{
    The layout maps (thread, value) to the column-major index in the tile and
    must be static.

    ```mlir
    %c = fly.make_tiled_copy(%a, %l, %t) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(4,2):(1,4)>, !fly.tile<8>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(4,2):(1,4)>, !fly.tile<8>>
    ```
  }];
  let arguments = (ins Fly_CopyAtomType:$copyAtom, Fly_LayoutType:$layoutThrVal,
                       Fly_TileType:$tileMN);
  let results = (outs Fly_TiledCopyType:$result);
}

def Fly_MakeTiledMmaOp : Fly_InferredOp<"make_tiled_mma", [Pure]> {
  let summary = "an MMA atom repeated over M, N and K";
  let description = [{
    The layout must be static; without a permutation it is `[*|*|*]`.

    ```mlir
    %t = fly.make_tiled_mma(%a, %l) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(1,1,1):(0,1,2)>) -> !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(1,1,1):(0,1,2)>>
    ```
  }];
  let arguments = (ins Fly_MmaAtomType:$mmaAtom, Fly_LayoutType:$atomLayout,
                       Optional<Fly_TileType>:$permutation);
  let results = (outs Fly_TiledMmaType:$result);
  let assemblyFormat = [{
    `(` $mmaAtom `,` $atomLayout (`,` $permutation^)? `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def Fly_TiledCopyPartitionSrcOp
    : Fly_AlgebraOp<"tiled_copy.partition_src", [AcceptsLegacyType]> {
  let summary = "what one thread reads of a tensor";
  let description = [{
    ((values of the atom, its repetitions), rest...).

    ```mlir
    %p = fly.tiled_copy.partition_src(%c, %m, %t) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<((4,2),(2,2)):((2,16),(1,8))>, !fly.tile<[8|4]>>, !fly.memref<f32, global, (16,8):(1,16), align<16>>, !fly.int_tuple<?>) -> !fly.memref<f32, global, ((2,2),2,2):((1,16),8,64), align<8>>
    ```
  }];
  let arguments = (ins Fly_TiledCopyType:$tiledCopy, Fly_TensorLike:$src,
                       Fly_IntTupleType:$coord);
  let results = (outs Fly_TensorLike:$result);
}

def Fly_TiledCopyPartitionDstOp
    : Fly_AlgebraOp<"tiled_copy.partition_dst", [AcceptsLegacyType]> {
  let summary = "what one thread writes of a tensor";
  let description = [{
    As tiled_copy.partition_src.

    ```mlir
    %p = fly.tiled_copy.partition_dst(%c, %m, %t) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<((4,2),(2,2)):((2,16),(1,8))>, !fly.tile<[8|4]>>, !fly.memref<f32, global, (16,8):(1,16), align<16>>, !fly.int_tuple<?>) -> !fly.memref<f32, global, ((2,2),2,2):((1,16),8,64), align<8>>
    ```
  }];
  let arguments = (ins Fly_TiledCopyType:$tiledCopy, Fly_TensorLike:$dst,
                       Fly_IntTupleType:$coord);
  let results = (outs Fly_TensorLike:$result);
}

def Fly_TiledCopyRetileOp : Fly_AlgebraOp<"tiled_copy.retile"> {
  let summary = "a fragment as the tiled copy sees it";
  let description = [{
    ```mlir
    %r = fly.tiled_copy.retile(%c, %f) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<((4,2),(2,2)):((2,16),(1,8))>, !fly.tile<[8|4]>>, !fly.memref<f32, register, (4,2,2):(1,4,8)>) -> !fly.memref<f32, register, ((2,2),2,2):((1,2),4,8)>
    ```
  }];
  let arguments = (ins Fly_TiledCopyType:$tiledCopy, Fly_MemRefType:$input);
  let results = (outs Fly_MemRefType:$result);
}

def Fly_TiledMmaPartitionOp
    : Fly_AlgebraOpWithAttributes<"tiled_mma.partition", [AcceptsLegacyType]> {
  let summary = "what one thread holds of an operand";
  let description = [{
    A over (M,K), B over (N,K), C and D over (M,N); the result is
    (values, rest of mode 0, rest of mode 1).

    ```mlir
    %p = fly.tiled_mma.partition(a, %m, %x, %t) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(4,2,1):(1,4,0)>>, !fly.memref<f32, global, (16,8):(1,16)>, !fly.int_tuple<0>) -> !fly.memref<f32, global, (1,4,8):(0,4,16)>
    ```
  }];
  let arguments = (ins Fly_MmaOperandAttr:$operand_id,
                       Fly_TiledMmaType:$tiledMma, Fly_TensorLike:$input,
                       Fly_IntTupleType:$coord);
  let results = (outs Fly_TensorLike:$result);
  let assemblyFormat = [{
    `(` custom<MmaOperandKeyword>($operand_id) `,` $tiledMma `,` $input `,`
    $coord `)` attr-dict `:` functional-type(operands, results)
  }];
}

def Fly_TiledMmaPartitionShapeOp
    : Fly_AlgebraOpWithAttributes<"tiled_mma.partition_shape"> {
  let summary = "the shape of a partition of an operand of this shape";
  let description = [{
    ```mlir
    %p = fly.tiled_mma.partition_shape(%m, %s) {operand_id = #fly<mma_operand a>} : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(4,2,1):(1,4,0)>>, !fly.int_tuple<(16,8)>) -> !fly.int_tuple<(1,4,8)>
    ```
  }];
  let arguments = (ins Fly_TiledMmaType:$tiledMma, Fly_IntTupleType:$shape,
                       Fly_MmaOperandAttr:$operand_id);
  let results = (outs Fly_IntTupleType:$result);
}

def Fly_MmaMakeFragmentOp : Fly_AlgebraOpWithAttributes<"mma.make_fragment"> {
  let summary = "a register memref for a thread's share of an operand";
  let description = [{
    `stages` adds an outermost mode of that size.

    ```mlir
    %f = fly.mma.make_fragment(a, %m, %x, stages = 3) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(4,2,1):(1,4,0)>>, !fly.memref<f32, global, (16,8):(8,1)>) -> !fly.memref<f32, register, (1,4,8,3):(0,8,1,32)>
    ```
  }];
  let arguments = (ins Fly_MmaOperandAttr:$operand_id,
                       Fly_TiledMmaType:$tiledMma, Fly_MemRefType:$input,
                       OptionalAttr<I32Attr>:$stages);
  let results = (outs Fly_MemRefType:$result);
  let assemblyFormat = [{
    `(` custom<MmaOperandKeyword>($operand_id) `,` $tiledMma `,` $input
    (`,` `stages` `=` $stages^)? `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def Fly_CopyOp : Fly_Op<"copy"> {
  let summary = "copies a tensor, atom by atom";
  let description = [{
    Mode 0 is what one atom moves; the other modes are walked.

    ```mlir
    fly.copy(%a, %s, %d) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, (2,4):(1,2)>, !fly.memref<f32, register, (2,4):(1,2)>) -> ()
    ```
  }];
  let arguments = (ins Fly_CopyAtomOrTiled:$copyAtom, Fly_MemRefType:$src,
                       Fly_MemRefType:$dst, Optional<Fly_MemRefType>:$pred);
  let assemblyFormat = [{
    `(` $copyAtom `,` $src `,` $dst (`,` $pred^)? `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def Fly_GemmOp : Fly_Op<"gemm"> {
  let summary = "d = a * b + c on register fragments, atom by atom";
  let description = [{
    d and c are (V, M, N), a is (V, M[, K]), b is (V, N[, K]), or all are one
    atom's values. `traversalOrder` names the modes fastest first; a
    `traversalLayout` maps the number of the call to the column-major (m,n,k)
    instead.

    ```mlir
    fly.gemm(%m, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order kmn>} : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, (1,2,2):(0,1,2)>, !fly.memref<f32, register, (1,2):(0,1)>, !fly.memref<f32, register, (1,2):(0,1)>, !fly.memref<f32, register, (1,2,2):(0,1,2)>) -> ()
    ```
  }];
  let arguments = (ins Fly_MmaAtomOrTiled:$mmaAtom, Fly_MemRefType:$d,
                       Fly_MemRefType:$a, Fly_MemRefType:$b, Fly_MemRefType:$c,
                       Optional<Fly_LayoutType>:$traversalLayout,
                       OptionalAttr<Fly_GemmTraversalOrderAttr>:$traversalOrder);
  let assemblyFormat = [{
    `(` $mmaAtom `,` $d `,` $a `,` $b `,` $c `)`
    (`traversalLayout` `=` $traversalLayout^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYATOMOPS_TD
