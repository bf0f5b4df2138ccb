// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices of vectors of elements narrower than a byte are slices of the largest
// words that they consist of: LLVM would take such vectors apart in memory.

// RUN: %fly-opt %s --convert-fly-to-rocdl | FileCheck %s

// CHECK-LABEL: func.func @insert(
// CHECK-SAME: %[[PART:.*]]: vector<8xi4>, %[[WHOLE:.*]]: vector<64xi4>
func.func @insert(%part: vector<8xi4>, %whole: vector<64xi4>) -> vector<64xi4> {
  // CHECK-DAG: %[[P:.*]] = vector.bitcast %[[PART]] : vector<8xi4> to vector<1xi32>
  // CHECK-DAG: %[[W:.*]] = vector.bitcast %[[WHOLE]] : vector<64xi4> to vector<8xi32>
  // CHECK: %[[R:.*]] = vector.insert_strided_slice %[[P]], %[[W]] {offsets = [5], strides = [1]} : vector<1xi32> into vector<8xi32>
  // CHECK: vector.bitcast %[[R]] : vector<8xi32> to vector<64xi4>
  %r = vector.insert_strided_slice %part, %whole {offsets = [40], strides = [1]} : vector<8xi4> into vector<64xi4>
  return %r : vector<64xi4>
}

// CHECK-LABEL: func.func @extract(
func.func @extract(%whole: vector<32xi6>) -> vector<16xi6> {
  // CHECK: vector.extract_strided_slice {{.*}} {offsets = [3], sizes = [3], strides = [1]} : vector<6xi32> to vector<3xi32>
  %r = vector.extract_strided_slice %whole {offsets = [16], sizes = [16], strides = [1]} : vector<32xi6> to vector<16xi6>
  return %r : vector<16xi6>
}

// CHECK-LABEL: func.func @smaller_words(
func.func @smaller_words(%whole: vector<16xi4>) -> (vector<4xi4>, vector<2xi4>) {
  // CHECK: vector.extract_strided_slice {{.*}} {offsets = [1], sizes = [1], strides = [1]} : vector<4xi16> to vector<1xi16>
  %a = vector.extract_strided_slice %whole {offsets = [4], sizes = [4], strides = [1]} : vector<16xi4> to vector<4xi4>
  // CHECK: vector.extract_strided_slice {{.*}} {offsets = [3], sizes = [1], strides = [1]} : vector<8xi8> to vector<1xi8>
  %b = vector.extract_strided_slice %whole {offsets = [6], sizes = [2], strides = [1]} : vector<16xi4> to vector<2xi4>
  return %a, %b : vector<4xi4>, vector<2xi4>
}

// Parts of bytes, whole bytes and truth values stay as they are.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: bitcast
// CHECK: return
func.func @others(%a: vector<16xi4>, %b: vector<16xi8>, %c: vector<64xi1>) -> (vector<2xi4>, vector<4xi8>, vector<32xi1>) {
  %x = vector.extract_strided_slice %a {offsets = [1], sizes = [2], strides = [1]} : vector<16xi4> to vector<2xi4>
  %y = vector.extract_strided_slice %b {offsets = [4], sizes = [4], strides = [1]} : vector<16xi8> to vector<4xi8>
  %z = vector.extract_strided_slice %c {offsets = [32], sizes = [32], strides = [1]} : vector<64xi1> to vector<32xi1>
  return %x, %y, %z : vector<2xi4>, vector<4xi8>, vector<32xi1>
}
