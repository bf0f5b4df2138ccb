// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no processor can keep is refused at the kernel, first of all by the
// pipeline too.

// RUN: %fly-opt %s --fly-check-kernels=chip=gfx942 -split-input-file -verify-diagnostics
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-lower{chip=gfx942})' -split-input-file -verify-diagnostics

gpu.module @m {
  // expected-error @below {{expected known_block_size to be three numbers of at least 1, found array<i32: 64, 0, 1>}}
  gpu.func @zero() kernel attributes {known_block_size = array<i32: 64, 0, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{expected gpu.known_block_size to be three numbers of at least 1, found array<i32: 64, -1, 1>}}
  gpu.func @one() kernel attributes {gpu.known_block_size = array<i32: 64, -1, 1>} {
    gpu.return
  }
}

// -----

// Three factors that overflow 64 bits.
gpu.module @m {
  // expected-error @below {{expected known_block_size to be at most 1024 work-items together, found array<i32: 2147483647, 2147483647, 2147483647>}}
  gpu.func @many() kernel attributes {known_block_size = array<i32: 2147483647, 2147483647, 2147483647>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{expected rocdl.reqd_work_group_size to be at most 1024 work-items together}}
  gpu.func @required() kernel attributes {rocdl.reqd_work_group_size = array<i32: 32, 32, 2>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{expected known_grid_size to be three numbers of at least 1, found array<i32: 1, -1, 1>}}
  gpu.func @negative() kernel attributes {known_grid_size = array<i32: 1, -1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{expected known_cluster_size to be three numbers of at least 1}}
  gpu.func @cluster() kernel attributes {known_cluster_size = array<i32: 0, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{asks for clusters of 4 workgroups (known_cluster_size), which gfx942 does not have}}
  gpu.func @no_clusters() kernel attributes {known_cluster_size = array<i32: 2, 2, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{launches 16777216 workgroups of 256 work-items in one direction; expected at most 4294967295 work-items}}
  gpu.func @grid() kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16777216, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{expected rocdl.max_flat_work_group_size to be a number from 1 to 1024, found 5000 : i32}}
  gpu.func @most() kernel attributes {rocdl.max_flat_work_group_size = 5000 : i32} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{has workgroups of 256 work-items, more than its rocdl.max_flat_work_group_size of 128}}
  gpu.func @contradiction() kernel attributes {known_block_size = array<i32: 16, 16, 1>, rocdl.max_flat_work_group_size = 128 : i32} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{expected rocdl.flat_work_group_size to be "least,most" within 1 and 1024, found "256,64"}}
  gpu.func @range() kernel attributes {rocdl.flat_work_group_size = "256,64"} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{expected rocdl.waves_per_eu to be a number from 1 to 8, found 99 : i32}}
  gpu.func @waves() kernel attributes {rocdl.waves_per_eu = 99 : i32} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{expected amdgpu-num-vgpr (the hint maxnreg) to be a number from 1 to 512, found "600"}}
  gpu.func @registers() kernel attributes {passthrough = [["amdgpu-num-vgpr", "600"]]} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 1 of 'tensor' has type 'tensor<4xf32>', which device code is not passed; expected an integer, a float, a vector of these, an LLVM pointer, struct or array, a fly type, or a memref of static shape with the identity layout}}
  gpu.func @tensor(%a: i32, %b: tensor<4xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of 'dynamic' has type 'memref<?xf32>', which device code is not passed}}
  gpu.func @dynamic(%a: memref<?xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of 'unranked' has type 'memref<*xf32>'}}
  gpu.func @unranked(%a: memref<*xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of 'strided' has type 'memref<4x4xf32, strided<[8, 1]>>'}}
  gpu.func @strided(%a: memref<4x4xf32, strided<[8, 1]>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of 'elsewhere' has type 'memref<4xf32, "elsewhere">'}}
  gpu.func @elsewhere(%a: memref<4xf32, "elsewhere">) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of 'scalable' has type 'vector<[4]xf32>'}}
  gpu.func @scalable(%a: vector<[4]xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of 'token' has type '!llvm.token'}}
  gpu.func @token(%a: !llvm.token) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{returns 'tensor<4xf32>', which device code does not return}}
  func.func private @helper() -> tensor<4xf32>
}

// -----

gpu.module @m {
  // expected-error @below {{'k\x00x' cannot be a symbol of a code object: it contains the character '\x00'}}
  gpu.func @"k\00x"() kernel {
    gpu.return
  }
}

// -----

// ELF takes what follows for a version.
gpu.module @m {
  // expected-error @below {{'k@1' cannot be a symbol of a code object: it contains the character '@'}}
  gpu.func @"k@1"() kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'k\xFF' cannot be a symbol of a code object: it is not UTF-8}}
  gpu.func @"k\FF"() kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{cannot be a symbol of a code object: it contains the character '\x0A'}}
  llvm.mlir.global internal @"g\0A"(0 : i32) : i32
}

// -----

gpu.module @m {
  // expected-error @below {{function 'llvm.amdgcn.mine' has the name of an LLVM intrinsic; expected one that does not begin with 'llvm.'}}
  gpu.func @llvm.amdgcn.mine() kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-note @below {{the kernel is here}}
  gpu.func @k() kernel {
    gpu.return
  }
  // expected-error @below {{'k.kd' is the name of the descriptor of kernel 'k'}}
  gpu.func @k.kd() kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'' cannot be a symbol of a code object: it is empty}}
  gpu.func @""() kernel {
    gpu.return
  }
}

// -----

// Memory that exists only while the kernel runs is not passed to it.
gpu.module @m {
  // expected-error @below {{argument 1 of kernel 'k' has type '!fly.memref<f32, shared, 16:1>', which points into shared memory; expected memory that a host can pass: global, generic or a buffer descriptor}}
  gpu.func @k(%a: !fly.memref<f32, global, 16:1>, %b: !fly.memref<f32, shared, 16:1>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{argument 0 of kernel 'k' has type '!fly.ptr<f16, register>', which points into registers}}
  gpu.func @k(%a: !fly.ptr<f16, register>) kernel {
    gpu.return
  }
}

// -----

// A function that a kernel calls may take it.
gpu.module @m {
  func.func private @f(%b: !fly.memref<f32, shared, 16:1>) {
    return
  }
}
