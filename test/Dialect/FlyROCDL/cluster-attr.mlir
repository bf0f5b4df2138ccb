// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %fly-opt %s --fly-rocdl-cluster-attr | FileCheck %s
// Twice is once, from any anchor.
// RUN: %fly-opt %s --pass-pipeline='builtin.module(gpu.module(fly-rocdl-cluster-attr,fly-rocdl-cluster-attr))' | FileCheck %s

gpu.module @m {
  // CHECK-LABEL: llvm.func @alone()
  // CHECK-SAME: attributes {passthrough = {{\[\[}}"amdgpu-cluster-dims", "2,2,1"]], rocdl.kernel}
  llvm.func @alone() attributes {rocdl.cluster_dims = "2,2,1", rocdl.kernel}
  // Entries that are there stay.
  // CHECK-LABEL: llvm.func @more()
  // CHECK-SAME: attributes {passthrough = ["nounwind", ["a", "b"], ["amdgpu-cluster-dims", "4,1,1"]]}
  llvm.func @more() attributes {passthrough = ["nounwind", ["a", "b"]], rocdl.cluster_dims = "4,1,1"}
  // CHECK: llvm.func @none()
  // CHECK-NOT: attributes
  llvm.func @none()
}
