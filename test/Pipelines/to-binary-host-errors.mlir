// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What host=llvm would lower to a stream that is destroyed twice, or leave.
//
// RUN: %fly-opt %s --pass-pipeline='builtin.module(fly-to-binary{target=gfx942 host=llvm})' -split-input-file -verify-diagnostics
// RUN: grep -v 'expected-error' %s | %fly-opt --pass-pipeline='builtin.module(fly-to-binary{target=gfx942})' -split-input-file -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='error:'

// The other forms leave gpu.launch, and say so; tokens are the runtime's.
// CHECK: warning: no kernel is compiled from gpu.launch

module attributes {gpu.container_module} {
  gpu.module @a { gpu.func @e() kernel { gpu.return } }
  func.func @one_token_for_two() {
    %c1 = arith.constant 1 : index
    // expected-error @below {{host=llvm has one stream for a token: expected one op to depend on it, found 2}}
    %t0 = gpu.launch_func async @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    %t1 = gpu.launch_func async [%t0] @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    %t2 = gpu.launch_func async [%t0] @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.wait [%t1]
    gpu.wait [%t2]
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @a { gpu.func @e() kernel { gpu.return } }
  func.func @two_tokens_for_one() {
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
    %t1 = gpu.wait async
    // expected-error @below {{host=llvm launches after one token, found 2: join them by gpu.wait async}}
    %t2 = gpu.launch_func async [%t0, %t1] @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.wait [%t2]
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @a { gpu.func @e() kernel { gpu.return } }
  func.func @token_in_a_loop(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
    // expected-error @below {{host=llvm takes no token through this op: expected tokens between gpu ops of one block alone}}
    %t = scf.for %i = %c0 to %n step %c1 iter_args(%b = %t0) -> !gpu.async.token {
      %t1 = gpu.launch_func async [%b] @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      // expected-error @below {{host=llvm takes no token through this op}}
      scf.yield %t1 : !gpu.async.token
    }
    gpu.wait [%t]
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @a { gpu.func @e() kernel { gpu.return } }
  func.func @inline(%m: !fly.ptr<f32, global>, %v: f32) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{no kernel is compiled from gpu.launch: expected gpu.launch_func of a kernel in a gpu.module, which gpu-kernel-outlining makes}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      fly.ptr.store(%v, %m) : (f32, !fly.ptr<f32, global>) -> ()
      gpu.terminator
    }
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @a { gpu.func @e() kernel { gpu.return } }
  func.func @stream_and_token(%s: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %t0 = gpu.launch_func async @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    // expected-error @below {{host=llvm launches on a stream or after a token: expected no token beside the stream}}
    gpu.launch_func [%t0] <%s : !llvm.ptr> @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    %t1 = gpu.wait async
    // expected-error @below {{host=llvm launches on a stream or after a token}}
    %t2 = gpu.launch_func async [%t1] <%s : !llvm.ptr> @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @a { gpu.func @e() kernel { gpu.return } }
  func.func @wait_for_the_host(%s: !llvm.ptr, %given: !gpu.async.token) {
    %c1 = arith.constant 1 : index
    %cast = builtin.unrealized_conversion_cast %s : !llvm.ptr to !gpu.async.token
    %t0 = gpu.launch_func async [%cast] @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    // expected-error @below {{host=llvm waits for streams of its own alone: the stream behind this token is the host's, synchronise it there}}
    gpu.wait [%t0]
    %t1 = gpu.launch_func async <%s : !llvm.ptr> @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    %own = gpu.launch_func async @a::@e blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    // expected-error @below {{the stream behind this token is the host's}}
    gpu.wait [%own, %t1]
    // expected-error @below {{the stream behind this token is the host's}}
    %t2 = gpu.wait async [%given]
    gpu.wait [%t2]
    return
  }
}
