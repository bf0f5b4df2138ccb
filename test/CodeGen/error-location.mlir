// What LLVM refuses stands at the op: where debug information names it, by the
// intrinsic that it becomes, else at its function.
//
// RUN: %fly-opt %s -split-input-file -verify-diagnostics -o /dev/null --pass-pipeline='builtin.module(fly-to-binary{target=gfx1100 debug=lines})'

gpu.module @constraint {
  gpu.func @first() kernel {
    gpu.return
  }
  gpu.func @k(%dst: !llvm.ptr<1>) kernel {
    // expected-error @below {{LLVM refused to compile this: couldn't allocate output register for constraint 'q'}}
    %v = llvm.inline_asm has_side_effects "v_mov_b32 $0, 0", "=q" : () -> i32
    llvm.store %v, %dst : i32, !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @intrinsic {
  gpu.func @first() kernel {
    gpu.return
  }
  gpu.func @k(%dst: !llvm.ptr<1>, %a: vector<4xf16>, %c: vector<4xf32>) kernel {
    %z = arith.constant 0 : i32
    // expected-error-re @below {{LLVM cannot compile this for 'gfx1100': Cannot select: intrinsic %llvm.amdgcn.mfma{{.*}}}}
    %v = llvm.call_intrinsic "llvm.amdgcn.mfma.f32.16x16x16f16"(%a, %a, %c, %z, %z, %z) : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %v, %dst : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }
}

// -----

// Nothing is named: the only function is meant.
gpu.module @library {
  // expected-error @below {{LLVM cannot compile this for 'gfx1100': unsupported library call operation}}
  gpu.func @k(%dst: !llvm.ptr<1>, %x: f128) kernel {
    %v = llvm.fadd %x, %x : f128
    llvm.store %v, %dst : f128, !llvm.ptr<1>
    gpu.return
  }
}
