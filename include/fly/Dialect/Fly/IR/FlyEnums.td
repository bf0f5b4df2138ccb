// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enums of the dialect, and their attributes: `#fly<mma_operand a>`.

#ifndef FLY_DIALECT_FLY_IR_FLYENUMS_TD
#define FLY_DIALECT_FLY_IR_FLYENUMS_TD

include "fly/Dialect/Fly/IR/FlyDialect.td"
include "mlir/IR/EnumAttr.td"

// `summary` is a noun: a wrong keyword is refused with "expected one of [...]
// for <summary>, got: ...".
class Fly_Enum<string name, string summary, list<EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::fly";
}

class Fly_EnumAttr<EnumInfo enumInfo, string mnemonic, string meaning>
    : EnumAttr<Fly_Dialect, enumInfo, mnemonic> {
  let description = meaning # ".\n\nExample: `#fly<" # mnemonic # " "
      # !head(enumInfo.enumerants).str # ">`";
}

def Fly_AddressSpace : Fly_Enum<"AddressSpace", "an address space", [
  I32EnumCase<"Generic", 0, "generic">,
  I32EnumCase<"Global", 1, "global">,
  I32EnumCase<"Shared", 2, "shared">,
  I32EnumCase<"Register", 3, "register">,
]>;
def Fly_AddressSpaceAttr : Fly_EnumAttr<Fly_AddressSpace, "address_space",
    "Where a pointer points: anywhere, global memory, workgroup-shared memory"
    " or registers">;

def Fly_MmaOperand : Fly_Enum<"MmaOperand", "an MMA operand", [
  I32EnumCase<"A", 0, "a">,
  I32EnumCase<"B", 1, "b">,
  I32EnumCase<"C", 2, "c">,
  I32EnumCase<"D", 3, "d">,
]>;
def Fly_MmaOperandAttr : Fly_EnumAttr<Fly_MmaOperand, "mma_operand",
    "An operand of D = A * B + C">;

def Fly_AtomicOp : Fly_Enum<"AtomicOp", "an atomic operation", [
  I32EnumCase<"Add", 0, "add">,
  I32EnumCase<"Max", 1, "max">,
  I32EnumCase<"Min", 2, "min">,
  I32EnumCase<"And", 3, "and">,
  I32EnumCase<"Or", 4, "or">,
  I32EnumCase<"Inc", 5, "inc">,
  I32EnumCase<"Dec", 6, "dec">,
]>;
def Fly_AtomicOpAttr : Fly_EnumAttr<Fly_AtomicOp, "atomic_op",
    "What an atomic copy combines memory and value with">;

def Fly_CachePolicy : Fly_Enum<"CachePolicy", "a cache policy", [
  I32EnumCase<"CacheGlobal", 0, "cache_global">,
  I32EnumCase<"CacheAlways", 1, "cache_always">,
]>;
def Fly_CachePolicyAttr : Fly_EnumAttr<Fly_CachePolicy, "cache_policy",
    "Where a load is cached">;

def Fly_GemmTraversalOrder : Fly_Enum<"GemmTraversalOrder",
    "a traversal order of a gemm", [
  I32EnumCase<"KMN", 0, "kmn">,
  I32EnumCase<"KNM", 1, "knm">,
  I32EnumCase<"MKN", 2, "mkn">,
  I32EnumCase<"MNK", 3, "mnk">,
  I32EnumCase<"NKM", 4, "nkm">,
  I32EnumCase<"NMK", 5, "nmk">,
  I32EnumCase<"KMN_Serpentine", 6, "kmn_serpentine">,
  I32EnumCase<"KNM_Serpentine", 7, "knm_serpentine">,
  I32EnumCase<"MKN_Serpentine", 8, "mkn_serpentine">,
  I32EnumCase<"MNK_Serpentine", 9, "mnk_serpentine">,
  I32EnumCase<"NKM_Serpentine", 10, "nkm_serpentine">,
  I32EnumCase<"NMK_Serpentine", 11, "nmk_serpentine">,
]>;
def Fly_GemmTraversalOrderAttr
    : Fly_EnumAttr<Fly_GemmTraversalOrder, "gemm_traversal_order",
    "The order in which a gemm visits its tiles, fastest mode first; the"
    " serpentine forms turn round at the end of each row">;

#endif // FLY_DIALECT_FLY_IR_FLYENUMS_TD
