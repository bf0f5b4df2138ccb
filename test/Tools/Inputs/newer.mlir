func.func @all(%a: f32, %c: vector<4xf32>, %r: !llvm.ptr<8>, %o: i32, %l: !llvm.ptr<3>, %g4: vector<4xi32>, %g8: vector<8xi32>) {
  rocdl.sched.group.barrier ds_read|valu, 4, 0 // keep: none
  rocdl.sched.barrier none
  rocdl.sched.barrier 0
  %d = rocdl.mfma.f32.4x4x1f32 %a, %a, %c, 0, 0, none : (f32, f32, vector<4xf32>) -> vector<4xf32>
  %v = rocdl.raw.ptr.buffer.load %r, %o, %o, 0 : f32
  rocdl.raw.ptr.buffer.store %v, %r, %o, %o, 2 : f32
  rocdl.raw.ptr.buffer.load.lds %r, %l, %o, %o, %o, 0, 0
  %f = rocdl.raw.ptr.buffer.atomic.fadd %v, %r, %o, %o, 0 : f32
  %e = llvm.fpext %a fastmath<fast> : f32 to f64
  %h = llvm.fptrunc %a fastmath<fast> : f32 to f16
  %w = rocdl.wave.id : i32
  %x = rocdl.cluster.workgroup.id.x : i32
  rocdl.tensor.load.to.lds %g4, %g8, %g4, %g4, %g8, 0 : vector<4xi32>, vector<8xi32>
  return
}
