// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers and memory (specification 3.9).

#ifndef FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_MakePtrOp : Fly_Op<"make_ptr"> {
  let summary = "a pointer to fresh memory, or from parts";
  let description = [{
    For registers `dictAttrs` holds `allocSize`, for shared memory `allocBytes`
    and `allocAlign`; with operands, target spaces build their pointers (for
    example a buffer descriptor).

    ```mlir
    %p = fly.make_ptr() {dictAttrs = {allocSize = 12 : i64}} : () -> !fly.ptr<bf16, register>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$args,
                       OptionalAttr<DictionaryAttr>:$dictAttrs);
  let results = (outs Fly_PointerType:$result);
}

def Fly_GetDynSharedOp : Fly_InferredOp<"get_dyn_shared", [Pure]> {
  let summary = "the dynamically sized shared memory of the workgroup";
  let description = [{
    ```mlir
    %p = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    ```
  }];
  let results = (outs Fly_PointerType:$result);
  let assemblyFormat = "`(` `)` attr-dict `:` qualified(type($result))";
}

def Fly_IntToPtrOp : Fly_Op<"inttoptr", [Pure]> {
  let summary = "the pointer with an integer address";
  let description = [{
    ```mlir
    %p = fly.inttoptr(%i) : (i64) -> !fly.ptr<f32, global>
    ```
  }];
  let arguments = (ins Fly_DynamicLeaf:$src);
  let results = (outs Fly_PointerType:$result);
}

def Fly_PtrToIntOp : Fly_InferredOp<"ptrtoint", [Pure]> {
  let summary = "the address of a pointer: shared i32, global i64";
  let description = [{
    ```mlir
    %i = fly.ptrtoint(%p) : (!fly.ptr<f32, global>) -> i64
    ```
  }];
  let arguments = (ins Fly_PointerType:$ptr);
  let results = (outs Fly_DynamicLeaf:$result);
}

def Fly_ToLLVMPtrOp : Fly_InferredOp<"to_llvm_ptr", [Pure]> {
  let summary = "the pointer as LLVM's, in a numbered address space";
  let description = [{
    ```mlir
    %l = fly.to_llvm_ptr(%p) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<1>
    ```
  }];
  let arguments = (ins Fly_PointerType:$ptr, I32Attr:$llvm_address_space);
  let results = (outs AnyType:$result);
}

def Fly_AddOffsetOp : Fly_AlgebraOp<"add_offset"> {
  let summary = "the iterator moved by elements";
  let description = [{
    The alignment is what the pointer and the offset promise together. An
    int_tuple iterator is added to.

    ```mlir
    %q = fly.add_offset(%p, %o) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<12>) -> !fly.ptr<f16, global, align<8>>
    ```
  }];
  let arguments = (ins Fly_IteratorLike:$ptr, Fly_IntTupleType:$offset);
  let results = (outs Fly_IteratorLike:$result);
}

def Fly_ApplySwizzleOp : Fly_AlgebraOp<"apply_swizzle", [AcceptsLegacyType]> {
  let summary = "the pointer whose byte addresses are swizzled";
  let description = [{
    The swizzle replaces the pointer's. The alignment in the type is
    gcd(elements, 2^base) elements, which is what the original promises, not the
    2^base bytes that survive: accesses use the true alignment. The trivial
    swizzle keeps the alignment.

    ```mlir
    %q = fly.apply_swizzle(%p, %s) : (!fly.ptr<f16, shared, align<32>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<f16, shared, align<16>, S<2,3,3>>
    ```
  }];
  let arguments = (ins Fly_PointerType:$ptr, Fly_SwizzleType:$swizzle);
  let results = (outs Fly_PointerType:$result);
}

def Fly_DecompositionOp : Fly_AlgebraOp<"decomposition"> {
  let summary = "moves the offsets of a composed layout into the iterator";
  let description = [{
    Valid only where inner(offset + outer(c)) = inner(offset) + outer(c); this
    is not checked.

    ```mlir
    %q = fly.decomposition(%m) : (!fly.memref<f16, shared, S<2,1,3> o 8 o (8,8):(1,8), align<16>>) -> !fly.memref<f16, shared, (8,8):(1,8), align<16>>
    ```
  }];
  let arguments = (ins Fly_TensorLike:$tensor);
  let results = (outs Fly_TensorLike:$result);
}

def Fly_PtrLoadOp : Fly_Op<"ptr.load"> {
  let summary = "loads what the iterator points at";
  let description = [{
    ```mlir
    %v = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<4xf32>
    ```
  }];
  let arguments = (ins Fly_IteratorLike:$ptr);
  let results = (outs AnyType:$result);
}

def Fly_PtrStoreOp : Fly_Op<"ptr.store"> {
  let summary = "stores where the pointer points";
  let description = [{
    ```mlir
    fly.ptr.store(%v, %p) : (vector<4xf32>, !fly.ptr<f32, register>) -> ()
    ```
  }];
  let arguments = (ins AnyType:$value, Fly_PointerType:$ptr);
}

def Fly_RecastIterOp : Fly_Op<"recast_iter", [Pure]> {
  let summary = "the same address with another element type or alignment";
  let description = [{
    ```mlir
    %q = fly.recast_iter(%p) : (!fly.ptr<i8, shared, align<16>>) -> !fly.ptr<f32, shared, align<16>>
    ```
  }];
  let arguments = (ins Fly_PointerType:$src);
  let results = (outs Fly_PointerType:$result);
}

def Fly_MemRefAllocaOp : Fly_Op<"memref.alloca",
    [DeclareOpInterfaceMethods<AlgebraOpInterface>]> {
  let summary = "registers with a layout";
  let description = [{
    ```mlir
    %m = fly.memref.alloca(%l) : (!fly.layout<(4,2):(1,4)>) -> !fly.memref<f32, register, (4,2):(1,4)>
    ```
  }];
  let arguments = (ins Fly_LayoutType:$layout);
  let results = (outs Fly_MemRefType:$result);
  let hasVerifier = 1;
}

def Fly_MemRefLoadVecOp : Fly_InferredOp<"memref.load_vec"> {
  let summary = "all elements as one vector, in coordinate order";
  let description = [{
    The layout is plain and its size static. The elements of a coord_tensor are
    i32, or i64 where they need it.

    ```mlir
    %v = fly.memref.load_vec(%m) : (!fly.memref<f32, register, (4,2):(1,4)>) -> vector<8xf32>
    ```
  }];
  let arguments = (ins Fly_TensorLike:$memref);
  let results = (outs AnyType:$result);
}

def Fly_MemRefStoreVecOp : Fly_Op<"memref.store_vec"> {
  let summary = "stores a vector, in coordinate order";
  let description = [{
    The layout is plain. It has as many elements as the vector; a vector of
    several dimensions counts in row-major order, a scalar as one element.

    ```mlir
    fly.memref.store_vec(%v, %m) : (vector<8xf32>, !fly.memref<f32, register, (4,2):(1,4)>) -> ()
    ```
  }];
  let arguments = (ins AnyType:$vector, Fly_MemRefType:$memref);
  let hasVerifier = 1;
}

def Fly_MemRefLoadOp : Fly_EffectfulAlgebraOp<"memref.load"> {
  let summary = "the element at a coordinate";
  let description = [{
    The coordinate fits the layout. Of a coord_tensor the element is the
    coordinate base + layout(indices).

    ```mlir
    %e = fly.memref.load(%m, %c) : (!fly.memref<f32, global, (4,8):(1,4)>, !fly.int_tuple<(?,?)>) -> f32
    ```
  }];
  let arguments = (ins Fly_TensorLike:$memref, Fly_IntTupleType:$indices);
  let results = (outs AnyType:$result);
}

def Fly_MemRefStoreOp : Fly_Op<"memref.store"> {
  let summary = "stores one element at a coordinate";
  let description = [{
    The coordinate fits the layout.

    ```mlir
    fly.memref.store(%v, %m, %c) : (f32, !fly.memref<f32, global, (4,8):(1,4)>, !fly.int_tuple<(?,?)>) -> ()
    ```
  }];
  let arguments = (ins AnyType:$value, Fly_MemRefType:$memref,
                       Fly_IntTupleType:$indices);
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD
