rocdl.sched.barrier often
  %d = rocdl.mfma.f32.4x4x1f32 %a, %b, %c, all : (f32)
%v = rocdl.raw.ptr.buffer.load %r, %o, %o, zero : f32
%v = rocdl.raw.ptr.buffer.atomic.fadd %v, %r
%w = rocdl.wave.id range 0
  rocdl.tensor.load.to.lds %a, %b, 0 : i32
