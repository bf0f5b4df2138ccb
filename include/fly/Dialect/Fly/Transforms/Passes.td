// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Fly passes, in the order in which they run. Each works from any anchor.

#ifndef FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
#define FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyRewriteFuncSignature : Pass<"fly-rewrite-func-signature"> {
  let summary = "Take layout types off function, call, launch and loop "
                "boundaries";
  let description = [{
    A static value needs no run-time data: it disappears from the boundary and
    is rebuilt where it is used. A dynamic one becomes its dynamic leaves: at
    function and launch boundaries as one packed `!llvm.struct` in depth-first
    order (the calling convention of kernels), at `scf` and branch boundaries as
    plain scalars. A memref becomes its pointer, and its layout as above.
    `arith.select` selects each part. Another op that would have to hand on a
    layout type is an error.

    ```mlir
    gpu.module @m {
      gpu.func @k(%n: !fly.int_tuple<(?,4)>, %s: !fly.layout<4:1>) kernel {
        gpu.return
      }
    }
    // becomes
    gpu.module @m {
      gpu.func @k(%n: !llvm.struct<packed (i32)>) kernel {
        gpu.return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::fly::FlyDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect"];
}

def FlyCanonicalize : Pass<"fly-canonicalize"> {
  let summary = "Replace every static value by its normal form";
  let description = [{
    An op with one result whose type is static carries its answer in the type:
    it is rebuilt as constructors without operands. `make_shape`, `make_stride`
    and `make_coord` become `make_int_tuple`. Running it twice changes nothing.

    ```mlir
    %c = fly.cosize(%b) : (!fly.layout<(8,4):(4,1)>) -> !fly.int_tuple<32>
    // becomes
    %c = fly.make_int_tuple() : () -> !fly.int_tuple<32>
    ```
  }];
  let dependentDialects = ["::mlir::fly::FlyDialect"];
}

def FlyLayoutLowering : Pass<"fly-layout-lowering"> {
  let summary = "Carry the layout algebra out as integer arithmetic";
  let description = [{
    One walk in dominance order. Each algebra op is evaluated with an
    arithmetic that creates `arith` ops for dynamic leaves; what is left over
    uses constructors in normal form. `fly.copy` and `fly.gemm` are expanded
    into atom calls, register allocations into `make_ptr`, memory accesses into
    `ptr.load` and `ptr.store`, `fly.print` into `gpu.printf` (device) or
    `vector.print` (host). An op that cannot be lowered is an error at its
    location.

    Known addends gather in one place: accesses at constant distances share one
    dynamic base, and a swizzle is computed once for all distances that are
    multiples of its period. What is known to be never negative (ids, loop
    counters with known bounds, extents) is divided as unsigned, and `nsw` and
    `nuw` are set where the bounds of the operands prove them.

    ```mlir
    %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<(?,?)>, !fly.layout<(8,4):(1,8)>) -> !fly.int_tuple<?>
    // becomes
    %m = arith.muli %c1, %c8 : i32
    %a = arith.addi %c0, %m : i32
    %i = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<?>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::fly::FlyDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def FlyIntSwizzleSimplify : Pass<"fly-int-swizzle-simplify"> {
  let summary = "Take multiples of the period out of integer swizzles";
  let description = [{
    `swz(a + d) = swz(a) + d` when d is a multiple of the swizzle's period, a
    power of two. Such addends are moved out of `xori(x, shrui(andi(x, M), c))`,
    in either order of operands, so that accesses at constant distances share
    one swizzled base. What divides a number is known from its definition and
    from the promises (`?{div=8}`) of tuples made of it.

    ```mlir
    %s = arith.addi %b, %c512 : i32
    %m = arith.andi %s, %c448 : i32
    %h = arith.shrui %m, %c3 : i32
    %r = arith.xori %s, %h : i32
    // becomes: the swizzle of %b, plus 512
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect"];
}

def FlyConvertAtomCallToSSAForm : Pass<"fly-convert-atom-call-to-ssa-form"> {
  let summary = "Let atom calls take and give register data as values";
  let description = [{
    A register memref that coalesces to one contiguous run is loaded before the
    call or stored after it, and the call itself works on vectors.

    ```mlir
    fly.copy_atom_call(%at, %g, %r)
        : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1, align<8>>, !fly.memref<f16, register, 4:1>) -> ()
    // becomes
    %p = fly.get_iter(%r) : (!fly.memref<f16, register, 4:1>) -> !fly.ptr<f16, register>
    %v = fly.copy_atom_call_ssa(%at, %g) {operandSegmentSizes = array<i32: 1, 1, 0, 0>}
        : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1, align<8>>) -> vector<4xf16>
    fly.ptr.store(%v, %p) : (vector<4xf16>, !fly.ptr<f16, register>) -> ()
    ```

    A predicate becomes an i1 in whatever space it lies. A view that no
    `make_view` in sight makes (a block argument, a select) stays a memref.
  }];
  let options = [
    Option<"gather", "gather", "bool", "false",
           "take strided register views with a static layout apart as well, "
           "one load or store for each contiguous run">,
  ];
  let dependentDialects = ["::mlir::fly::FlyDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def FlyPromoteRegmemToVectorSSA
    : Pass<"fly-promote-regmem-to-vectorssa"> {
  let summary = "Turn register memory into vector values";
  let description = [{
    Each register array whose accesses have known offsets becomes a vector that
    is carried through `scf.if`, `scf.for`, `scf.while`, `scf.index_switch` and
    `scf.execute_region` where it is stored inside and read later. An array whose
    accesses agree on a partition becomes one vector for each granule. An array
    with a use that is not understood stays in memory. An access outside of its
    array is an error. What was never stored is unspecified (`ub.poison`).

    ```mlir
    %p = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f16, register>
    fly.ptr.store(%v, %p) : (vector<4xf16>, !fly.ptr<f16, register>) -> ()
    %w = fly.ptr.load(%p) : (!fly.ptr<f16, register>) -> vector<4xf16>
    // becomes: %w is %v
    ```
  }];
  let options = [
    Option<"split", "split", "bool", "true",
           "split an array into its granules (whole 32-bit registers) when each "
           "access is one granule or tiled by them">,
    Option<"report", "report", "bool", "false",
           "a remark for each register array that stays in memory, with the use "
           "that keeps it there">,
    Option<"zeroFill", "zero-fill", "bool", "false",
           "arrays start as zeros instead of unspecified values, so that a "
           "masked load of a fresh fragment gives zero where it is masked">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::fly::FlyDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def FlyCheckStrict : Pass<"fly-check-strict"> {
  let summary = "Report what verifies only because the original wrote it so";
  let description = [{
    Changes nothing. Reported are:

    * `legacy-types`: an op whose written result type is not the one that is
      inferred but the one that the original infers, where that is known to be
      wrong (`fly.make_layout_like`, `fly.cosize`, the divides, `fly.get`,
      `fly.apply_swizzle`, the partitions);
    * `ragged-tuples`: an element-wise op on tuples that do not match, for which
      the original keeps the tail of the longer one and lets a number meet the
      first mode alone. Sums of different lengths are fine: what is missing
      counts as zero;
    * `doubtful`: layouts that both make alike and that are hardly meant, as a
      warning that never makes the pass fail: modes of equal order in
      `fly.make_ordered_layout`, which share their offsets, and a block of
      `fly.tile_to_shape` that does not divide the target, which the result
      then exceeds.

    ```mlir
    %c = fly.cosize(%l) : (!fly.layout<(6,2):(1,6)>) -> !fly.int_tuple<12>
    ```

    passes; of `(6,2):(-1,6)`, written as `2`, it says "'fly.cosize' op relies on
    a type of the original: negative strides counted with their sign; written
    '!fly.int_tuple<2>', expected '!fly.int_tuple<12>'".
  }];
  let options = [
    Option<"legacyTypes", "legacy-types", "bool", "true",
           "report types of the original that are not the inferred ones">,
    Option<"raggedTuples", "ragged-tuples", "bool", "true",
           "report element-wise ops on tuples that do not match">,
    Option<"doubtful", "doubtful", "bool", "true",
           "warn of modes of equal order and of blocks that do not divide">,
    Option<"reportAs", "report-as", "::mlir::fly::StrictSeverity",
           "::mlir::fly::StrictSeverity::Error",
           "what a report is; an error makes the pass fail",
           [{::llvm::cl::values(
             clEnumValN(::mlir::fly::StrictSeverity::Error, "error",
                        "an error"),
             clEnumValN(::mlir::fly::StrictSeverity::Warning, "warning",
                        "a warning"),
             clEnumValN(::mlir::fly::StrictSeverity::Remark, "remark",
                        "a remark"))}]>,
  ];
}

#endif // FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
