// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing, promises and bridges (specification 3.10).

#ifndef FLY_DIALECT_FLY_IR_FLYUTILITYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYUTILITYOPS_TD

include "fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_PrintOp : Fly_Op<"print"> {
  let summary = "prints values when the kernel runs";
  let description = [{
    `{}` in the format stands for the next value.

    ```mlir
    fly.print(%x) {format = "x={}"} : (f32) -> ()
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<AnyType>:$args);
}

def Fly_AssumeOp : Fly_Op<"assume", [Pure]> {
  let summary = "a value with what another promises about it";
  let description = [{
    ```mlir
    %r = fly.assume(%d, %s) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<?>) -> !fly.int_tuple<?{div=8}>
    ```
  }];
  let arguments = (ins AnyType:$dst, AnyType:$src);
  let results = (outs AnyType:$result);
}

def Fly_ExtractAlignedPointerAsIndexOp
    : Fly_Op<"extract_aligned_pointer_as_index", [Pure]> {
  let summary = "the address of a memref or pointer (deprecated)";
  let description = [{
    A memref type is printed without its prefix.

    ```mlir
    %i = fly.extract_aligned_pointer_as_index %m : <f16, register, 4:1> -> index
    ```
  }];
  let arguments = (ins Fly_PointerOrMemRef:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat =
      "$source attr-dict `:` custom<ShortType>(type($source)) `->` type($result)";
}

#endif // FLY_DIALECT_FLY_IR_FLYUTILITYOPS_TD
