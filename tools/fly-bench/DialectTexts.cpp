// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that `fly-bench dialect` measures. The types of the algebra's
// results are computed with the layout library while the text is written.

#include "DialectTexts.h"

#include "fly/Layout/Algebra.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace fly::layout;

/// Ops of one step of either text.
static constexpr unsigned opsOfStep = 12;

std::string flybench::algebraText(unsigned numOps) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::minstd_rand random(1);
  TypeArith arith;
  os << "func.func @algebra(%n0: i32) -> i32 {\n";
  unsigned steps = numOps / opsOfStep;
  for (unsigned i = 0; i != steps; ++i) {
    // 4 x 4 tiles of layouts with 15 extents.
    int64_t tileM = int64_t(2) << random() % 4;
    int64_t tileN = int64_t(2) << random() % 4;
    int64_t m = tileM * (2 + random() % 5), n = tileN * (2 + random() % 3);
    Layout layout{IntTuple::of({m, n}), IntTuple::of({n, 1})};
    Tile tile = Tile::list({Tile(Int::known(tileM)), Tile(Int::known(tileN))});
    Layout divided = zippedDivide(arith, layout, tile);
    Layout rest = divided.at(1);
    Layout flat = coalesce(arith, divided.at(0));
    std::string layoutType = "!fly.layout<" + layout.str() + ">";
    std::string dividedType = "!fly.layout<" + divided.str() + ">";
    std::string tileType = "!fly.tile<" + tile.str() + ">";
    IntTuple coordinate = IntTuple::tuple(
        {IntTuple::of({tileM - 1, tileN - 1}), IntTuple(Int::unknown(32, 1))});
    IntTuple index = crd2idx(arith, coordinate, divided);
    IntTuple length = size(arith, rest);
    os << "  %l" << i << " = fly.static : " << layoutType << "\n"
       << "  %t" << i << " = fly.static : " << tileType << "\n"
       << "  %d" << i << " = fly.zipped_divide(%l" << i << ", %t" << i
       << ") : (" << layoutType << ", " << tileType << ") -> " << dividedType
       << "\n"
       << "  %g" << i << " = fly.get(%d" << i << ") {mode = array<i32: 0>} : ("
       << dividedType << ") -> !fly.layout<" << divided.at(0).str() << ">\n"
       << "  %f" << i << " = fly.coalesce(%g" << i << ") : (!fly.layout<"
       << divided.at(0).str() << ">) -> !fly.layout<" << flat.str() << ">\n"
       << "  %r" << i << " = fly.get(%d" << i << ") {mode = array<i32: 1>} : ("
       << dividedType << ") -> !fly.layout<" << rest.str() << ">\n"
       << "  %s" << i << " = fly.size(%r" << i << ") : (!fly.layout<"
       << rest.str() << ">) -> !fly.int_tuple<" << length.str() << ">\n"
       << "  %z" << i << " = fly.get_scalar(%s" << i << ") : (!fly.int_tuple<"
       << length.str() << ">) -> i32\n"
       << "  %c" << i << " = fly.make_coord(%n" << i
       << ") : (i32) -> !fly.int_tuple<" << coordinate.str() << ">\n"
       << "  %x" << i << " = fly.crd2idx(%c" << i << ", %d" << i
       << ") : (!fly.int_tuple<" << coordinate.str() << ">, " << dividedType
       << ") -> !fly.int_tuple<" << index.str() << ">\n"
       << "  %v" << i << " = fly.get_scalar(%x" << i << ") : (!fly.int_tuple<"
       << index.str() << ">) -> i32\n"
       << "  %n" << i + 1 << " = arith.addi %v" << i << ", %z" << i
       << " : i32\n";
  }
  os << "  return %n" << steps << " : i32\n}\n";
  return text;
}

std::string flybench::upstreamText(unsigned numOps) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::minstd_rand random(1);
  os << "func.func @upstream(%n0: i32) -> i32 {\n";
  unsigned steps = numOps / opsOfStep;
  for (unsigned i = 0; i != steps; ++i) {
    os << "  %a" << i << " = arith.constant " << random() % 64 << " : i32\n"
       << "  %b" << i << " = arith.constant " << 1 + random() % 64 << " : i32\n"
       << "  %p" << i << " = arith.muli %a" << i << ", %b" << i << " : i32\n"
       << "  %q" << i << " = arith.remsi %n" << i << ", %b" << i << " : i32\n"
       << "  %d" << i << " = arith.divsi %n" << i << ", %b" << i << " : i32\n"
       << "  %c" << i << " = arith.cmpi slt, %q" << i << ", %p" << i
       << " : i32\n"
       << "  %s" << i << " = scf.if %c" << i << " -> (i32) {\n"
       << "    %t" << i << " = arith.addi %q" << i << ", %p" << i << " : i32\n"
       << "    scf.yield %t" << i << " : i32\n"
       << "  } else {\n    scf.yield %d" << i << " : i32\n  }\n"
       << "  %x" << i << " = arith.xori %s" << i << ", %q" << i << " : i32\n"
       << "  %n" << i + 1 << " = arith.addi %x" << i << ", %d" << i
       << " : i32\n";
  }
  os << "  return %n" << steps << " : i32\n}\n";
  return text;
}
