// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of values. Layouts of up to a million points or so are asked at
// each point, so that the answers hold for swizzles and offsets too; larger
// plain ones are judged by their strides where those decide.

#include "fly/Drawing/Summary.h"

#include "fly/Drawing/PointMap.h"
#include "fly/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <numeric>

using namespace fly::drawing;
using namespace fly::layout;

/// Leaves that are looked at for all points together, at most; fewer when they
/// make tuples.
static constexpr int64_t maxWork = int64_t(1) << 22;
static constexpr int64_t maxTupleWork = int64_t(1) << 17;

//===----------------------------------------------------------------------===//
// By strides
//===----------------------------------------------------------------------===//

namespace {
/// One leaf of a layout with more than one point; the stride's magnitude.
struct Mode {
  int64_t extent, stride;
};
} // namespace

/// Whether sums of digits times strides differ for different digits, as far
/// as the strides alone decide.
static Answer injectiveByStrides(std::vector<Mode> modes) {
  llvm::sort(modes,
             [](const Mode &a, const Mode &b) { return a.stride < b.stride; });
  int64_t reach = 0, points = 1;
  bool nested = true, small = true;
  for (size_t i = 0, e = modes.size(); i != e; ++i) {
    auto [extent, stride] = modes[i];
    if (stride == 0 || (i && modes[i - 1].stride == stride))
      return Answer::No;
    int64_t last = 0;
    nested &= stride > reach;
    if (llvm::MulOverflow(points, extent, points) ||
        llvm::MulOverflow(extent - 1, stride, last) ||
        llvm::AddOverflow(reach, last, reach))
      small = false;
    if (!small)
      break;
  }
  if (!small)
    return Answer::Open;
  if (nested)
    return Answer::Yes;
  // More points than places.
  return reach < points - 1 ? Answer::No : Answer::Open;
}

/// Splits the leaves by the coordinate that they add to. False when a stride
/// has no magnitude of 64 bits.
static bool
modesByPath(const Layout &l,
            std::map<std::vector<int32_t>, std::vector<Mode>> &out) {
  std::vector<IntTuple> extents = l.shape.leaves(), strides = l.stride.leaves();
  for (size_t i = 0, e = std::min(extents.size(), strides.size()); i != e;
       ++i) {
    int64_t extent = extents[i].leaf().value();
    int64_t stride = strides[i].leaf().value();
    if (stride == INT64_MIN)
      return false;
    if (extent > 1)
      out[strides[i].modes().vec()].push_back({extent, std::abs(stride)});
  }
  return true;
}

/// A broadcast in any coordinate, or two points on one place, decides; the
/// coordinates of a codomain are independent.
static Answer injectiveByStrides(const Layout &l) {
  std::map<std::vector<int32_t>, std::vector<Mode>> paths;
  if (!modesByPath(l, paths))
    return Answer::Open;
  Answer all = Answer::Yes;
  for (const auto &[path, modes] : paths) {
    Answer one = injectiveByStrides(modes);
    if (one == Answer::No)
      return Answer::No;
    if (one == Answer::Open)
      all = Answer::Open;
  }
  return all;
}

/// True when nothing but one-to-one swizzles and offsets lies around the
/// linear layout.
static bool keepsPointsApart(const AnyLayout &l) {
  if (l.isPlain())
    return true;
  const ComposedLayout &composed = l.composed();
  if (composed.inner.kind != InnerMap::Kind::Swizzle)
    return false;
  const Swizzle &swizzle = composed.inner.swizzle;
  // A shift of 0 clears bits.
  return (swizzle.isTrivial() || swizzle.shift > 0) &&
         keepsPointsApart(composed.outer);
}

//===----------------------------------------------------------------------===//
// By points
//===----------------------------------------------------------------------===//

/// Asks each point of a layout of numbers.
static bool judgeNumbers(const PointMap &map, Summary &summary) {
  std::vector<int64_t> offsets;
  offsets.reserve(map.size());
  int64_t run = map.size();
  for (int64_t i = 0, e = map.size(); i != e; ++i) {
    std::optional<int64_t> offset = map.scalarAt(i);
    if (!offset) {
      summary.note = "an offset exceeds 64 bits";
      return false;
    }
    if (i && (offsets.back() == INT64_MAX || *offset != offsets.back() + 1))
      run = std::gcd(run, i);
    offsets.push_back(*offset);
  }
  summary.run = run;
  llvm::sort(offsets);
  bool injective =
      std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end();
  // Without repetition a gap is a span larger than the number of points.
  uint64_t span = static_cast<uint64_t>(offsets.back()) -
                  static_cast<uint64_t>(offsets.front());
  bool contiguous = injective && span == offsets.size() - 1;
  summary.injective = injective ? Answer::Yes : Answer::No;
  summary.contiguous = contiguous ? Answer::Yes : Answer::No;
  return true;
}

/// Asks each point of a layout of tuples.
static void judgeTuples(const PointMap &map, Summary &summary) {
  std::vector<std::string> images;
  images.reserve(map.size());
  for (int64_t i = 0, e = map.size(); i != e; ++i) {
    std::string why;
    std::optional<IntTuple> image = map.at(i, why);
    if (!image) {
      summary.note = "point " + std::to_string(i) + ": " + why;
      return;
    }
    images.push_back(image->str());
  }
  llvm::sort(images);
  bool injective =
      std::adjacent_find(images.begin(), images.end()) == images.end();
  summary.injective = injective ? Answer::Yes : Answer::No;
}

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

/// What is known of a plain layout of numbers without asking its points.
static void judgeLargePlain(const Layout &l, Summary &summary) {
  bool isGapless =
      summary.size && summary.cosize && *summary.size == *summary.cosize;
  if (summary.injective == Answer::Yes)
    summary.contiguous = isGapless ? Answer::Yes : Answer::No;
  else if (summary.injective == Answer::No)
    summary.contiguous = Answer::No;
  StaticArith arith;
  Layout flat = coalesce(arith, l);
  if (arith.failed())
    return;
  Layout first = {flat.shape.leaves().front(), flat.stride.leaves().front()};
  summary.run = first.stride.isKnown(1) ? first.shape.leaf().value() : 1;
}

/// True when offsets are numbers: integer strides, or an inner layout or
/// swizzle that makes numbers of them.
static bool hasNumbers(const AnyLayout &l) {
  if (l.isComposed()) {
    const InnerMap &inner = l.composed().inner;
    if (inner.kind == InnerMap::Kind::CoordSwizzle)
      return false;
    return inner.kind == InnerMap::Kind::Swizzle || hasNumbers(inner.layout);
  }
  bool numbers = true;
  l.plain().stride.forEachLeaf(
      [&](const IntTuple &leaf) { numbers &= leaf.isInt(); });
  return numbers;
}

static void judge(const AnyLayout &l, Summary &summary) {
  summary.injective = Answer::Open;
  bool numbers = hasNumbers(l);
  if (numbers)
    summary.contiguous = Answer::Open;
  else
    summary.note = "offsets are coordinates";
  if (!l.isStatic()) {
    summary.note = "unknown leaves";
    return;
  }
  std::string why;
  std::optional<PointMap> map = PointMap::of(l, why);
  if (!map) {
    summary.note = why;
    return;
  }
  if (map->isScalar() && map->size() <= maxWork / map->cost()) {
    judgeNumbers(*map, summary);
    return;
  }
  if (keepsPointsApart(l))
    summary.injective = injectiveByStrides(l.linear());
  if (l.isPlain() && map->isScalar())
    judgeLargePlain(l.plain(), summary);
  else if (!map->isScalar() && summary.injective == Answer::Open &&
           map->size() <= maxTupleWork / map->cost())
    judgeTuples(*map, summary);
  if (summary.injective == Answer::Open && summary.note.empty())
    summary.note = std::to_string(map->size()) + " points are too many to ask";
}

Summary fly::drawing::summarize(const Value &value) {
  Summary summary;
  summary.value = value;
  switch (value.kind) {
  case Value::Kind::Tuple:
    summary.rank = value.tuple.rank();
    summary.depth = value.tuple.depth();
    return summary;
  case Value::Kind::Tile:
    summary.rank = value.tile.rank();
    return summary;
  case Value::Kind::Swizzle:
  case Value::Kind::CoordSwizzle:
    return summary;
  case Value::Kind::Layout:
    break;
  }
  const AnyLayout &l = value.layout;
  summary.rank = l.rank();
  summary.depth = l.depth();
  TypeArith sizes, cosizes;
  IntTuple size = layout::size(sizes, l.linear());
  if (!sizes.failed())
    summary.size = size;
  IntTuple cosize = layout::cosize(cosizes, l.linear());
  if (!cosizes.failed())
    summary.cosize = cosize;
  judge(l, summary);
  if (summary.note.empty() && (sizes.failed() || cosizes.failed()))
    summary.note = sizes.failed() ? sizes.message() : cosizes.message();
  return summary;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static llvm::StringRef spell(Answer answer) {
  switch (answer) {
  case Answer::No:
    return "no";
  case Answer::Yes:
    return "yes";
  case Answer::Open:
    break;
  }
  return "open";
}

static void printRow(llvm::raw_ostream &os, llvm::StringRef name,
                     const std::string &text) {
  os << llvm::left_justify(name, 12) << text << "\n";
}

void Summary::print(llvm::raw_ostream &os) const {
  os << value.str() << "\n";
  printRow(os, "kind", value.kindName().str());
  if (rank)
    printRow(os, "rank", std::to_string(*rank));
  if (depth)
    printRow(os, "depth", std::to_string(*depth));
  if (value.kind == Value::Kind::Layout) {
    printRow(os, "size", size ? size->str() : "open");
    printRow(os, "cosize", cosize ? cosize->str() : "open");
    printRow(os, "injective", spell(injective.value_or(Answer::Open)).str());
    if (contiguous)
      printRow(os, "contiguous", spell(*contiguous).str());
    if (contiguous)
      printRow(os, "run", run ? std::to_string(*run) : "open");
  }
  if (!note.empty())
    printRow(os, "note", note);
}

static llvm::json::Value toJson(const std::optional<IntTuple> &number) {
  if (!number)
    return nullptr;
  if (number->isInt() && number->isStatic())
    return number->leaf().value();
  return number->str();
}

static llvm::json::Value toJson(const std::optional<Answer> &answer) {
  if (!answer || *answer == Answer::Open)
    return nullptr;
  return *answer == Answer::Yes;
}

void Summary::printJson(llvm::raw_ostream &os,
                        llvm::StringRef expression) const {
  llvm::json::OStream json(os, 2);
  json.objectBegin();
  json.attribute("schema", "fly-layout/1");
  json.attribute("expression", llvm::json::fixUTF8(expression));
  json.attribute("kind", value.kindName());
  json.attribute("result", value.str());
  if (rank)
    json.attribute("rank", static_cast<int64_t>(*rank));
  if (depth)
    json.attribute("depth", static_cast<int64_t>(*depth));
  if (value.kind == Value::Kind::Layout) {
    json.attribute("size", toJson(size));
    json.attribute("cosize", toJson(cosize));
    json.attribute("injective", toJson(injective));
    json.attribute("contiguous", toJson(contiguous));
    json.attribute("run", run ? llvm::json::Value(*run) : nullptr);
  }
  if (!note.empty())
    json.attribute("note", note);
  json.objectEnd();
  os << "\n";
}
