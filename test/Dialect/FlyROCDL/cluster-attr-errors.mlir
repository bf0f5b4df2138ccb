// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %fly-opt %s --fly-rocdl-cluster-attr -split-input-file -verify-diagnostics

// expected-error@+1 {{expected rocdl.cluster_dims to be a string "x,y,z" of positive numbers, got "2,2"}}
llvm.func @short() attributes {rocdl.cluster_dims = "2,2"}

// -----

// expected-error@+1 {{expected rocdl.cluster_dims to be a string "x,y,z" of positive numbers, got "2,0,1"}}
llvm.func @zero() attributes {rocdl.cluster_dims = "2,0,1"}

// -----

// expected-error@+1 {{expected rocdl.cluster_dims to be a string "x,y,z" of positive numbers, got 7 : i32}}
llvm.func @number() attributes {rocdl.cluster_dims = 7 : i32}
