// RUN: %fly-opt %s -allow-unregistered-dialect -split-input-file -fly-rewrite-func-signature | FileCheck %s
// RUN: %fly-opt %s -allow-unregistered-dialect -split-input-file -fly-rewrite-func-signature -fly-rewrite-func-signature | FileCheck %s

// The example of the specification, section 3.4. P2: a static layout comes back
// as constructors, so that no other pass has to run first. P45 is not done: what
// is known at launch only stays a packed struct, the calling convention of 3.5.
// CHECK-LABEL: gpu.func @k(
// CHECK-SAME: %[[N:.*]]: !llvm.struct<packed (i32)>, %[[MP:.*]]: !fly.ptr<f32, global, align<16>>, %[[ML:.*]]: !llvm.struct<packed (struct<packed (i32)>)>) kernel
// CHECK-DAG: %[[A:.*]] = llvm.extractvalue %[[ML]][0]
// CHECK-DAG: %[[B:.*]] = llvm.extractvalue %[[A]][0]
// CHECK-DAG: %[[SH:.*]] = fly.make_int_tuple(%[[B]]) : (i32) -> !fly.int_tuple<(?,8)>
// CHECK-DAG: %[[ST:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<(8,1)>
// CHECK-DAG: %[[L:.*]] = fly.make_layout(%[[SH]], %[[ST]])
// CHECK-DAG: %[[M:.*]] = fly.make_view(%[[MP]], %[[L]])
// CHECK-DAG: %[[C:.*]] = llvm.extractvalue %[[N]][0]
// CHECK-DAG: %[[T:.*]] = fly.make_int_tuple(%[[C]]) : (i32) -> !fly.int_tuple<(?,4)>
// CHECK-DAG: %[[K:.*]] = fly.make_layout(%{{.*}}, %{{.*}}) : (!fly.int_tuple<4>, !fly.int_tuple<1>) -> !fly.layout<4:1>
// CHECK: "test.use"(%[[T]], %[[M]], %[[K]])
gpu.module @m {
  gpu.func @k(%n: !fly.int_tuple<(?,4)>, %m: !fly.memref<f32, global, (?,8):(8,1), align<16>>, %s: !fly.layout<4:1>) kernel {
    "test.use"(%n, %m, %s) : (!fly.int_tuple<(?,4)>, !fly.memref<f32, global, (?,8):(8,1), align<16>>, !fly.layout<4:1>) -> ()
    gpu.return
  }
}

// -----

// Every row of the table in section 3.1; nothing is made of unused arguments.
// CHECK-LABEL: func.func @table(
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.struct<packed (i32, i64)>,
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.struct<packed (struct<packed (i32)>, struct<packed (i64)>)>,
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.struct<packed (struct<packed (struct<packed (i32)>)>, struct<packed (i32)>)>,
// CHECK-SAME: %{{[a-z0-9]*}}: !llvm.struct<packed (struct<packed (i32)>)>,
// CHECK-SAME: %{{[a-z0-9]*}}: !fly.ptr<f16, shared>, %{{[a-z0-9]*}}: !llvm.struct<packed (struct<packed (struct<packed (i32)>)>)>,
// CHECK-SAME: %{{[a-z0-9]*}}: !fly.ptr<f16, shared, align<16>, S<3,3,3>>,
// CHECK-SAME: %{{[a-z0-9]*}}: !fly.ptr<i8, global>, %{{[a-z0-9]*}}: f32)
// CHECK-NEXT: return
func.func @table(%0: !fly.int_tuple<(4,?,(?{i64},2))>,
                 %1: !fly.layout<(4,?):(?{i64},1)>,
                 %2: !fly.composed_layout<S<3,3,3> o ? o (4,?):(1,4)>,
                 %3: !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>,
                 %4: !fly.memref<f16, shared, S<2,3,3> o 0 o (?,8):(8,1)>,
                 %5: !fly.memref<f16, shared, (8,8):(8,1), align<16>, S<3,3,3>>,
                 %6: !fly.copy_atom<!fly.universal_copy<64>, 16>,
                 %7: !fly.swizzle<S<3,3,3>>, %8: !fly.tile<[4|*]>,
                 %9: !fly.ptr<i8, global>, %10: f32) {
  return
}

// -----

// The composed layout and the coordinates are put together in normal form.
// CHECK-LABEL: func.func @composed(
// CHECK-SAME: %[[C:.*]]: !llvm.struct<packed (struct<packed (struct<packed (i32)>)>, struct<packed (i32)>)>, %[[X:.*]]: !llvm.struct<packed (struct<packed (i32)>)>)
// CHECK-DAG: %[[O:.*]] = llvm.extractvalue %[[C]][0]
// CHECK-DAG: %[[OS:.*]] = llvm.extractvalue %[[O]][0]
// CHECK-DAG: %[[N:.*]] = llvm.extractvalue %[[OS]][0]
// CHECK-DAG: %[[F:.*]] = llvm.extractvalue %[[C]][1]
// CHECK-DAG: %[[OFF:.*]] = llvm.extractvalue %[[F]][0]
// CHECK-DAG: %[[SHAPE:.*]] = fly.make_int_tuple(%[[N]]) : (i32) -> !fly.int_tuple<(4,?)>
// CHECK-DAG: %[[OUTER:.*]] = fly.make_layout(%[[SHAPE]],
// CHECK-DAG: %[[OFFSET:.*]] = fly.make_int_tuple(%[[OFF]]) : (i32) -> !fly.int_tuple<?>
// CHECK-DAG: %[[SW:.*]] = fly.static : !fly.swizzle<S<3,3,3>>
// CHECK-DAG: %[[CL:.*]] = fly.make_composed_layout(%[[SW]], %[[OFFSET]], %[[OUTER]])
// CHECK-DAG: %[[BASE:.*]] = fly.make_int_tuple(%{{.*}}) : (i32) -> !fly.int_tuple<(?,0)>
// CHECK-DAG: %[[CT:.*]] = fly.make_view(%[[BASE]], %{{.*}}) : (!fly.int_tuple<(?,0)>, !fly.layout<(4,8):(1E0,1E1)>)
// CHECK: "test.use"(%[[CL]], %[[CT]])
func.func @composed(%c: !fly.composed_layout<S<3,3,3> o ? o (4,?):(1,4)>, %x: !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>) {
  "test.use"(%c, %x) : (!fly.composed_layout<S<3,3,3> o ? o (4,?):(1,4)>, !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>) -> ()
  return
}

// -----

// Calls, returns and launches pack what constructors in sight have.
// CHECK-LABEL: func.func private @callee(!fly.ptr<f32, global>, !llvm.struct<packed (struct<packed (i32)>)>) -> (!fly.ptr<f32, global>, !llvm.struct<packed (struct<packed (i32)>)>)
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f32, global>, %[[N:.*]]: i32) -> (!fly.ptr<f32, global>, !llvm.struct<packed (struct<packed (i32)>)>)
// CHECK: %[[U0:.*]] = llvm.mlir.poison
// CHECK: %[[U1:.*]] = llvm.mlir.poison
// CHECK: %[[I:.*]] = llvm.insertvalue %[[N]], %[[U1]][0] : !llvm.struct<packed (i32)>
// CHECK: %[[S:.*]] = llvm.insertvalue %[[I]], %[[U0]][0]
// CHECK: gpu.launch_func @kernels::@kernel {{.*}} args(%[[P]] : !fly.ptr<f32, global>, %{{.*}} : !llvm.struct<packed (struct<packed (i32)>)>)
// CHECK: %[[R:.*]]:2 = call @callee(%[[P]], %{{.*}})
// CHECK: return %[[R]]#0, %{{.*}}
!M = !fly.memref<f32, global, (?,4):(4,1)>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%m: !M, %l: !fly.layout<4:1>) kernel {
      gpu.return
    }
  }
  func.func private @callee(!M) -> !M
  func.func @caller(%p: !fly.ptr<f32, global>, %n: i32) -> !M {
    %c1 = arith.constant 1 : index
    %s = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(?,4)>
    %d = fly.make_int_tuple() : () -> !fly.int_tuple<(4,1)>
    %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(?,4)>, !fly.int_tuple<(4,1)>) -> !fly.layout<(?,4):(4,1)>
    %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(?,4):(4,1)>) -> !M
    %k = fly.static : !fly.layout<4:1>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : !M, %k : !fly.layout<4:1>)
    %r = func.call @callee(%m) : (!M) -> !M
    return %r : !M
  }
}

// -----

// What is not made in sight is taken apart by ops that the lowering knows.
// CHECK-LABEL: func.func @taken_apart(
// CHECK: %[[T:.*]] = "test.tuple"
// CHECK: %[[V:.*]]:2 = fly.get_leaves(%[[T]]) {dynamicOnly = true} : (!fly.int_tuple<(?,3,?{i64})>) -> (i32, i64)
// CHECK: llvm.insertvalue %[[V]]#0, %{{.*}}[0]
// CHECK: llvm.insertvalue %[[V]]#1, %{{.*}}[1]
// CHECK: %[[M:.*]] = "test.memref"
// CHECK: %[[P:.*]] = fly.get_iter(%[[M]])
// CHECK: %[[L:.*]] = fly.get_layout(%[[M]])
// CHECK: %[[S:.*]] = fly.get_shape(%[[L]])
// CHECK: %[[N:.*]] = fly.get_scalar(%[[S]]) : (!fly.int_tuple<?>) -> i32
func.func @taken_apart() {
  %t = "test.tuple"() : () -> !fly.int_tuple<(?,3,?{i64})>
  call @f(%t) : (!fly.int_tuple<(?,3,?{i64})>) -> ()
  %m = "test.memref"() : () -> !fly.memref<f32, global, ?:1>
  call @g(%m) : (!fly.memref<f32, global, ?:1>) -> ()
  return
}
func.func private @f(!fly.int_tuple<(?,3,?{i64})>)
func.func private @g(!fly.memref<f32, global, ?:1>)

// -----

// P1: loops carry plain scalars.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[N:.*]]: i32,
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[N]]) -> (i32) {
// CHECK:   %[[T:.*]] = fly.make_int_tuple(%[[A]]) : (i32) -> !fly.int_tuple<?{div=4}>
// CHECK:   %[[U:.*]] = fly.int_tuple_add(%[[T]], %{{.*}})
// CHECK:   %[[X:.*]] = fly.get_scalar(%[[U]])
// CHECK:   scf.yield %[[X]] : i32
// CHECK: }
// CHECK: %[[Z:.*]] = fly.make_int_tuple(%[[R]])
// CHECK: "test.use"(%[[Z]])
// CHECK-NOT: llvm
func.func @loop(%n: i32, %e: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?{div=4}>
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  %r = scf.for %i = %c0 to %e step %c1 iter_args(%a = %t) -> (!fly.int_tuple<?{div=4}>) {
    %b = fly.int_tuple_add(%a, %s) : (!fly.int_tuple<?{div=4}>, !fly.int_tuple<8>) -> !fly.int_tuple<?{div=4}>
    scf.yield %b : !fly.int_tuple<?{div=4}>
  } {unroll_hint = 2 : i32}
  "test.use"(%r) : (!fly.int_tuple<?{div=4}>) -> ()
  return
}

// -----

// A memref through scf.while and scf.if; a static one in between costs nothing
// but its pointer.
// CHECK-LABEL: func.func @while(
// CHECK: %[[W:.*]]:2 = scf.while (%[[P:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}) : (!fly.ptr<f32, global>, i32) -> (!fly.ptr<f32, global>, i32) {
// CHECK:   scf.condition(%{{.*}}) %[[P]], %[[N]] : !fly.ptr<f32, global>, i32
// CHECK: } do {
// CHECK: ^bb0(%[[Q:.*]]: !fly.ptr<f32, global>, %[[K:.*]]: i32):
// CHECK:   scf.yield %[[Q]], %[[K]] : !fly.ptr<f32, global>, i32
// CHECK: %[[I:.*]] = scf.if %{{.*}} -> (!fly.ptr<f32, global>) {
// CHECK:   scf.yield %{{.*}} : !fly.ptr<f32, global>
// CHECK: } else {
// CHECK:   scf.yield %{{.*}} : !fly.ptr<f32, global>
func.func @while(%m: !fly.memref<f32, global, ?:1>, %s: !fly.memref<f32, global, 4:1>, %t: !fly.memref<f32, global, 4:1>, %c: i1) {
  %r = scf.while (%a = %m) : (!fly.memref<f32, global, ?:1>) -> !fly.memref<f32, global, ?:1> {
    scf.condition(%c) %a : !fly.memref<f32, global, ?:1>
  } do {
  ^bb0(%b: !fly.memref<f32, global, ?:1>):
    scf.yield %b : !fly.memref<f32, global, ?:1>
  }
  "test.use"(%r) : (!fly.memref<f32, global, ?:1>) -> ()
  %i = scf.if %c -> (!fly.memref<f32, global, 4:1>) {
    scf.yield %s : !fly.memref<f32, global, 4:1>
  } else {
    scf.yield %t : !fly.memref<f32, global, 4:1>
  }
  "test.use"(%i) : (!fly.memref<f32, global, 4:1>) -> ()
  return
}

// -----

// P3: select, index_switch, execute_region and branches are taken along.
// CHECK-LABEL: func.func @select(
// CHECK: %[[P:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : !fly.ptr<f32, global>
// CHECK: %[[V:.*]] = fly.make_view(%[[P]],
// CHECK: "test.use"(%[[V]])
// CHECK: %[[N:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
// CHECK: %[[T:.*]] = fly.make_int_tuple(%[[N]])
// CHECK: "test.use"(%[[T]])
func.func @select(%c: i1, %m0: !fly.memref<f32, global, 8:1>, %m1: !fly.memref<f32, global, 8:1>, %a: !fly.int_tuple<(?,2)>, %b: !fly.int_tuple<(?,2)>) {
  %m = arith.select %c, %m0, %m1 : !fly.memref<f32, global, 8:1>
  "test.use"(%m) : (!fly.memref<f32, global, 8:1>) -> ()
  %t = arith.select %c, %a, %b : !fly.int_tuple<(?,2)>
  "test.use"(%t) : (!fly.int_tuple<(?,2)>) -> ()
  return
}

// CHECK-LABEL: func.func @other_regions(
// CHECK: %[[S:.*]] = scf.index_switch %{{.*}} -> i32
// CHECK: scf.yield %{{.*}} : i32
// CHECK: scf.yield %{{.*}} : i32
// CHECK: scf.execute_region -> i32
func.func @other_regions(%k: index, %a: !fly.int_tuple<?>, %b: !fly.int_tuple<?>) {
  %r = scf.index_switch %k -> !fly.int_tuple<?>
  case 1 {
    scf.yield %a : !fly.int_tuple<?>
  }
  default {
    scf.yield %b : !fly.int_tuple<?>
  }
  "test.use"(%r) : (!fly.int_tuple<?>) -> ()
  %e = scf.execute_region -> !fly.int_tuple<?> {
    scf.yield %r : !fly.int_tuple<?>
  }
  "test.use"(%e) : (!fly.int_tuple<?>) -> ()
  return
}

// CHECK-LABEL: func.func @branches(
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}}, %{{.*}} : i32, i32), ^bb2(%{{.*}} : i32)
// CHECK: ^bb1(%[[A:.*]]: i32, %[[X:.*]]: i32):
// CHECK: cf.br ^bb2(%[[A]] : i32)
// CHECK: ^bb2(%[[B:.*]]: i32):
// CHECK: fly.make_int_tuple(%[[B]])
func.func @branches(%c: i1, %x: i32, %t: !fly.int_tuple<?>, %s: !fly.layout<4:1>) {
  cf.cond_br %c, ^bb1(%t, %s, %x : !fly.int_tuple<?>, !fly.layout<4:1>, i32), ^bb2(%t : !fly.int_tuple<?>)
^bb1(%a: !fly.int_tuple<?>, %l: !fly.layout<4:1>, %y: i32):
  cf.br ^bb2(%a : !fly.int_tuple<?>)
^bb2(%b: !fly.int_tuple<?>):
  "test.use"(%b) : (!fly.int_tuple<?>) -> ()
  return
}

// -----

// Attributes of arguments stay with the pointer or the struct; memory
// attributions of a gpu.func stay behind the arguments.
// CHECK-LABEL: gpu.func @attributes(
// CHECK-SAME: %{{[a-z0-9]*}}: !fly.ptr<f32, global> {llvm.noalias}, %{{[a-z0-9]*}}: !llvm.struct<packed (struct<packed (i32)>)>, %{{[a-z0-9]*}}: f32 {test.last})
// CHECK-SAME: workgroup(%[[W:.*]] : memref<4xf32, 3>)
// CHECK: "test.use"(%{{.*}}, %[[W]])
gpu.module @m {
  gpu.func @attributes(%s: !fly.layout<4:1> {test.gone}, %m: !fly.memref<f32, global, ?:1> {llvm.noalias}, %x: f32 {test.last}) workgroup(%w: memref<4xf32, 3>) kernel {
    "test.use"(%m, %w) : (!fly.memref<f32, global, ?:1>, memref<4xf32, 3>) -> ()
    gpu.return
  }
}
