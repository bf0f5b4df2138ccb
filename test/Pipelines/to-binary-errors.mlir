// What LLVM or the linker refuse is a diagnostic at its place, never the end of
// the process: each of these inputs ends a plain LLVM tool.
//
// RUN: %fly-opt %s -split-input-file -verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(fly-to-binary{target=gfx1100})'

// An instruction that the processor lacks: LLVM's "Cannot select", at the op.
gpu.module @no_matrix_cores {
  gpu.func @k(%dst: !llvm.ptr<1>, %a: vector<4xf16>, %c: vector<4xf32>) kernel {
    %z = arith.constant 0 : i32
    // expected-error-re@+1 {{LLVM cannot compile this for 'gfx1100': Cannot select: {{.*}}mfma}}
    %v = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %z, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %v, %dst : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }
}

// -----

// More LDS than a workgroup has.
gpu.module @too_much_lds {
  llvm.mlir.global internal @big() {addr_space = 3 : i32} : !llvm.array<70000 x i8>
  // expected-error@+1 {{LLVM refused to compile this: local memory (70000) exceeds limit (65536) in function 'k'}}
  gpu.func @k(%i: i32) kernel {
    %p = llvm.mlir.addressof @big : !llvm.ptr<3>
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %one = llvm.mlir.constant(1 : i8) : i8
    llvm.store volatile %one, %q : i8, !llvm.ptr<3>
    gpu.return
  }
}

// -----

gpu.module @bad_assembly {
  // expected-error@+1 {{LLVM refused to compile this: <inline asm>:1:2: invalid instruction}}
  gpu.func @k() kernel {
    llvm.inline_asm has_side_effects "v_bogus v0", "" : () -> ()
    gpu.return
  }
}

// -----

// A code object with a hole would fail when it is loaded, far from here.
// expected-error@+1 {{linking failed: undefined symbol: somewhere_else}}
gpu.module @undefined_function {
  llvm.func @somewhere_else()
  gpu.func @k() kernel {
    llvm.call @somewhere_else() : () -> ()
    gpu.return
  }
}

// -----

// What the lowering cannot convert is an error of the lowering.
gpu.module @unconverted {
  // expected-error@+1 {{argument 0 of 'k' has type 'tensor<4xf32>', which device code is not passed}}
  gpu.func @k(%x: tensor<4xf32>) kernel {
    gpu.return
  }
}

// -----

// expected-warning@+1 {{no gpu.module found, so there is nothing to compile}}
module {
  func.func @host() {
    return
  }
}
