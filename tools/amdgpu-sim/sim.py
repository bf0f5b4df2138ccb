#!/usr/bin/python3
"""Functional AMDGPU simulator: hsaco.py (loader) + libLLVM disassembler (C API, ctypes) + libamdemu.so (built from amdemu.cpp on first use)."""
import ctypes, os, sys, time, mmap
sys.path.insert(0,os.path.dirname(os.path.abspath(__file__)))
import numpy as np
from hsaco import CodeObject, pack_kernarg, user_sgprs, aql
HERE=os.path.dirname(os.path.abspath(__file__)); C=ctypes
def _lib():
    import hashlib, subprocess, tempfile
    p=os.environ.get('AMDEMU_LIB')
    if p: return p
    src=os.path.join(HERE,'amdemu.cpp'); p=os.path.join(HERE,'..','..','build','lib','libamdemu.so')
    if os.path.exists(p) and os.path.getmtime(p)>=os.path.getmtime(src): return p # CMake's, and not stale
    d=os.environ.get('AMDEMU_CACHE',os.path.join(os.environ.get('XDG_CACHE_HOME',os.path.expanduser('~/.cache')),'amdemu'))
    p=os.path.join(d,'libamdemu-'+hashlib.sha256(open(src,'rb').read()).hexdigest()[:16]+'.so')
    if not os.path.exists(p):
        os.makedirs(d,exist_ok=True); q=p+'.%d'%os.getpid()
        subprocess.run([os.environ.get('AMDEMU_CXX','clang++-22'),'-std=c++20','-O2','-fPIC','-shared','-w',src,'-o',q],check=True); os.replace(q,p)
    return p
L=C.CDLL(_lib())
for f,a,r in [('emu_new',[C.c_int]*2,C.c_void_p),('emu_add',[C.c_void_p,C.c_uint64,C.c_int,C.c_char_p],C.c_int),('emu_range',[C.c_void_p,C.c_uint64,C.c_uint64],None),('emu_clear',[C.c_void_p],None),('emu_err',[C.c_void_p],C.c_char_p),('emu_report',[C.c_void_p],C.c_char_p),('emu_count',[C.c_void_p],C.c_uint64),('emu_opts',[C.c_void_p,C.c_int,C.c_int,C.c_uint64],None),
    ('emu_run',[C.c_void_p,C.c_uint64,C.c_void_p,C.c_void_p,C.c_void_p,C.c_int,C.c_uint32,C.c_uint32,C.c_uint32,C.c_uint32,C.c_int],C.c_int)]:
    getattr(L,f).argtypes=a; getattr(L,f).restype=r
GFX={'gfx90a':90,'gfx942':94,'gfx950':95,'gfx1100':110,'gfx1200':120,'gfx1201':120}
_llvm=None
def disasm(code, addr, cpu, feats=''):
    global _llvm
    if _llvm is None:
        _llvm=C.CDLL(os.environ.get('AMDEMU_LLVM','/usr/lib/llvm-22/lib/libLLVM.so'))
        for n in('TargetInfo','TargetMC','Disassembler'): getattr(_llvm,'LLVMInitializeAMDGPU'+n)()
        _llvm.LLVMCreateDisasmCPUFeatures.restype=C.c_void_p; _llvm.LLVMCreateDisasmCPUFeatures.argtypes=[C.c_char_p]*3+[C.c_void_p,C.c_int,C.c_void_p,C.c_void_p]
        _llvm.LLVMDisasmInstruction.restype=C.c_size_t; _llvm.LLVMDisasmInstruction.argtypes=[C.c_void_p,C.c_char_p,C.c_uint64,C.c_uint64,C.c_char_p,C.c_size_t]
    dc=_llvm.LLVMCreateDisasmCPUFeatures(b'amdgcn-amd-amdhsa',cpu.encode(),feats.encode(),None,0,None,None); assert dc
    out=C.create_string_buffer(512); o=0
    while o<len(code):
        n=_llvm.LLVMDisasmInstruction(dc,code[o:o+32],len(code[o:o+32]),addr+o,out,512)
        if n==0: o+=4; continue
        yield addr+o,n,out.value; o+=n
class DevBuf:
    libc=C.CDLL(None)
    def __init__(s,a,align=256):
        raw=a.tobytes(); s.n=len(raw); s.a=a; s.m=mmap.mmap(-1,(s.n+align+4096)&~4095); b=C.addressof(C.c_char.from_buffer(s.m)); s.off=-b%align; s.addr=b+s.off; s.m[s.off:s.off+s.n]=raw
    def back(s): s.a[...]=np.frombuffer(bytes(s.m[s.off:s.off+s.n]),dtype=s.a.dtype).reshape(s.a.shape)
class Runner:
    def __init__(s,path):
        s.co=CodeObject(path)
        if s.co.target not in GFX: raise ValueError(f'the simulator runs '+', '.join(GFX)+f', not {s.co.target}')
        k=next(iter(s.co.kernels.values())); s.c=L.emu_new(GFX[s.co.target],k.wave); t=time.perf_counter(); s.unimpl=[]
        import struct
        secs=[]  # executable ranges come from the ELF program headers
        d=s.co.mem; phoff=struct.unpack_from('<Q',d,32)[0] if d[:4]==b'\x7fELF' else None
        assert phoff; phe,phn=struct.unpack_from('<HH',d,54)
        for i in range(phn):
            ty,fl,off,va,pa,fs,ms,al=struct.unpack_from('<IIQQQQQQ',d,phoff+i*phe)
            if ty==1 and fl&1: secs.append((va,fs))
        for va,fs in secs:
            for pc,n,txt in disasm(bytes(d[va:va+fs]),s.co.base+va,s.co.target,'+real-true16' if s.co.target[3:5] in('11','12') else ''):
                if not L.emu_add(s.c,pc,n,txt): s.unimpl.append(txt.decode().strip())
        s.decode_s=time.perf_counter()-t
    def run(s,name,grid,block,args,dyn_lds=0,poison=True,trace=False,max_insts=1<<40,strict_waits=True,order='forward',watch=False):
        # order: 'forward', 'backward' or 'interleaved' waves between barriers; watch: LDS races and early reads of LDS DMA, in stats['report']
        if name not in s.co.kernels: raise ValueError(f'no kernel {name!r}; the object has: '+', '.join(s.co.kernels))
        k=s.co.kernels[name]
        if k.props&1: raise NotImplementedError('private segment buffer (pre-architected scratch, gfx90a and older)')
        grid=tuple(grid)+(1,)*(3-len(grid)); block=tuple(block)+(1,)*(3-len(block)); bufs={}
        if k.reqd and tuple(k.reqd)!=block: raise ValueError(f'kernel {name} requires workgroups of {tuple(k.reqd)}, not {block}')
        def addr_of(v):
            if id(v) not in bufs: bufs[id(v)]=DevBuf(v)
            return bufs[id(v)].addr
        ka=pack_kernarg(k,args,grid,block,addr_of); kb=DevBuf(np.frombuffer(ka,dtype=np.uint8)); pkt=DevBuf(np.frombuffer(aql(grid,block,k,kb.addr),dtype=np.uint8))
        us,pre=user_sgprs(k,kb.addr,ka,pkt.addr); entry=k.entry+(256 if pre else 0)
        L.emu_clear(s.c); L.emu_range(s.c,s.co.base,s.co.base+len(s.co.mem))
        for b in [kb,pkt,*bufs.values()]: L.emu_range(s.c,b.addr,b.addr+b.n+(0 if b not in(kb,) else 64))
        L.emu_opts(s.c,(2 if strict_waits else 0)|dict(forward=0,backward=4,interleaved=8)[order]|(16 if watch else 0),int(trace),max_insts); n0=L.emu_count(s.c); g=(C.c_uint32*3)(*grid); bl=(C.c_uint32*3)(*block); u=(C.c_uint32*max(len(us),1))(*us); t=time.perf_counter()
        rc=L.emu_run(s.c,entry,g,bl,u,len(us),k.rsrc1,k.rsrc2,k.lds+dyn_lds,k.scratch,int(poison)); dt=time.perf_counter()-t
        if rc: raise RuntimeError(L.emu_err(s.c).decode())
        for b in bufs.values():
            if b.a.flags.writeable: b.back()
        s.stats=dict(report=L.emu_report(s.c).decode().splitlines(),insts=L.emu_count(s.c)-n0,total_s=dt,compile_s=s.decode_s,exec_s=dt); return s.stats
