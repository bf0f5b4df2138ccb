// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the words that each bank must give in each phase of an access.

#include "fly/Drawing/Banks.h"

#include "fly/Drawing/PointMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace fly::drawing;
using namespace fly::layout;

static constexpr int64_t wordBits = 32;
/// Largest numbers of lanes and banks, and of accesses of all lanes, that are
/// looked at.
static constexpr int64_t maxLanes = 1024, maxAccesses = int64_t(1) << 18;
/// Widest element and access, in bits.
static constexpr int64_t maxBits = 1024;

//===----------------------------------------------------------------------===//
// The question
//===----------------------------------------------------------------------===//

static bool inRange(int64_t number, int64_t high, const char *what,
                    std::string &why) {
  if (number >= 1 && number <= high)
    return true;
  why = std::string("expected ") + what + " between 1 and " +
        std::to_string(high) + ", got " + std::to_string(number);
  return false;
}

static bool checkQuestion(const BankQuestion &q, std::string &why) {
  if (!inRange(q.lanes, maxLanes, "a number of lanes", why) ||
      !inRange(q.banks, maxLanes, "a number of banks", why) ||
      !inRange(q.elementBits, maxBits, "an element's bits", why) ||
      !inRange(q.accessBits, maxBits, "an access's bits", why))
    return false;
  if (q.accessBits % q.elementBits == 0)
    return true;
  why = "an access of " + std::to_string(q.accessBits) +
        " bits is not a whole number of elements of " +
        std::to_string(q.elementBits) + " bits";
  return false;
}

/// The lanes of each phase when nobody says: as many neighbours as use each
/// bank once.
static std::vector<std::vector<int64_t>> consecutive(const BankQuestion &q) {
  int64_t words = std::max<int64_t>(q.accessBits / wordBits, 1);
  int64_t together = std::clamp<int64_t>(q.banks / words, 1, q.lanes);
  std::vector<std::vector<int64_t>> phases;
  for (int64_t lane = 0; lane != q.lanes; ++lane) {
    if (lane % together == 0)
      phases.emplace_back();
    phases.back().push_back(lane);
  }
  return phases;
}

/// The lanes of each phase; nothing and why when some lane is not in exactly
/// one.
static std::optional<std::vector<std::vector<int64_t>>>
phasesOf(const BankQuestion &q, std::string &why) {
  if (!q.phases)
    return consecutive(q);
  std::optional<PointMap> map = PointMap::of(*q.phases, why);
  if (!map)
    return std::nullopt;
  std::string what = "phases " + q.phases->str();
  if (q.phases->rank() != 2 || !map->isScalar() || map->size() != q.lanes) {
    why = "expected phases as a layout (slot, phase) -> lane of " +
          std::to_string(q.lanes) + " lanes, got " + q.phases->str();
    return std::nullopt;
  }
  std::optional<PointMap> slots =
      PointMap::of(Layout(q.phases->linear().at(0)), why);
  if (!slots)
    return std::nullopt;
  std::vector<std::vector<int64_t>> phases;
  std::vector<bool> seen(q.lanes);
  for (int64_t i = 0; i != q.lanes; ++i) {
    std::optional<int64_t> lane = map->scalarAt(i);
    if (!lane || *lane < 0 || *lane >= q.lanes || seen[*lane]) {
      why = what + (lane ? " name lane " + std::to_string(*lane) : "") +
            " twice or outside of 0 to " + std::to_string(q.lanes - 1);
      return std::nullopt;
    }
    seen[*lane] = true;
    if (i % slots->size() == 0)
      phases.emplace_back();
    phases.back().push_back(*lane);
  }
  for (std::vector<int64_t> &lanes : phases)
    llvm::sort(lanes);
  return phases;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {

/// Where each access of each lane starts, in bits.
class Addresses {
public:
  static std::optional<Addresses> of(const AnyLayout &l, const BankQuestion &q,
                                     std::string &why);
  int64_t at(int64_t lane, int64_t access) const {
    return starts[access * lanes + lane];
  }
  int64_t lanes = 0, accesses = 0, elementsPerAccess = 0;
  std::string note;

private:
  bool addAccess(const PointMap &map, const BankQuestion &q, int64_t lane,
                 int64_t access, std::string &why);
  std::vector<int64_t> starts;
};

} // namespace

static std::string elementName(int64_t lane, int64_t value) {
  return "value " + std::to_string(value) + " of lane " + std::to_string(lane);
}

bool Addresses::addAccess(const PointMap &map, const BankQuestion &q,
                          int64_t lane, int64_t access, std::string &why) {
  bool hasValues = map.size() != lanes;
  int64_t value = hasValues ? access * elementsPerAccess : access;
  std::optional<int64_t> offset = map.scalarAt(lane + value * lanes);
  int64_t bits = 0;
  if (!offset || *offset < 0 ||
      llvm::MulOverflow(*offset, q.elementBits, bits) ||
      bits > INT64_MAX - maxBits) {
    why = elementName(lane, value) + " has the offset " +
          (offset ? std::to_string(*offset) : "beyond 64 bits") +
          ", expected 0 or a positive number that fits";
    return false;
  }
  for (int64_t i = 1; hasValues && i < elementsPerAccess; ++i) {
    std::optional<int64_t> next = map.scalarAt(lane + (value + i) * lanes);
    if (next && *next == *offset + i)
      continue;
    why = "an access takes " + std::to_string(elementsPerAccess) +
          " neighbours, but " + elementName(lane, value) + " is at " +
          std::to_string(*offset) + " and value " + std::to_string(value + i) +
          " at " + (next ? std::to_string(*next) : "none");
    return false;
  }
  int64_t unit = std::min(q.accessBits, wordBits);
  if (bits % unit != 0) {
    why = elementName(lane, value) + " starts at bit " + std::to_string(bits) +
          ", expected a multiple of " + std::to_string(unit) +
          " for an access of " + std::to_string(q.accessBits) + " bits";
    return false;
  }
  if (note.empty() && bits % llvm::PowerOf2Ceil(q.accessBits) != 0)
    note = elementName(lane, value) + " starts at byte " +
           std::to_string(bits / 8) + ", not aligned to the access";
  starts.push_back(bits);
  return true;
}

std::optional<Addresses>
Addresses::of(const AnyLayout &l, const BankQuestion &q, std::string &why) {
  std::optional<PointMap> map = PointMap::of(l, why);
  if (!map)
    return std::nullopt;
  if (!map->isScalar()) {
    why = "expected a layout of offsets, got coordinates from " + l.str();
    return std::nullopt;
  }
  // A layout of one mode has lanes only.
  Layout linear = l.linear();
  Layout laneMode =
      linear.isLeaf() || linear.rank() == 1 ? linear : linear.at(0);
  std::optional<PointMap> laneMap = PointMap::of(laneMode, why);
  if (!laneMap)
    return std::nullopt;
  if (laneMap->size() != q.lanes) {
    why = "mode 0 of " + l.str() + " has " + std::to_string(laneMap->size()) +
          " coordinates, expected the " + std::to_string(q.lanes) + " lanes";
    return std::nullopt;
  }
  Addresses result;
  result.lanes = q.lanes;
  result.elementsPerAccess = q.accessBits / q.elementBits;
  int64_t values = map->size() / q.lanes;
  result.accesses = 1;
  if (values != 1) {
    if (values % result.elementsPerAccess != 0) {
      why = "each lane of " + l.str() + " has " + std::to_string(values) +
            " values, expected a multiple of the " +
            std::to_string(result.elementsPerAccess) + " of an access";
      return std::nullopt;
    }
    result.accesses = values / result.elementsPerAccess;
  }
  if (map->size() > maxAccesses) {
    why = std::to_string(map->size()) + " values are too many, at most " +
          std::to_string(maxAccesses) + " are looked at";
    return std::nullopt;
  }
  for (int64_t access = 0; access != result.accesses; ++access)
    for (int64_t lane = 0; lane != q.lanes; ++lane)
      if (!result.addAccess(*map, q, lane, access, why))
        return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// Counts the words of one phase; adds to the cycles that it needs at least.
static BankPhase countPhase(const Addresses &addresses, const BankQuestion &q,
                            int64_t access, std::vector<int64_t> lanes,
                            int64_t &atLeast) {
  std::vector<std::set<int64_t>> words(q.banks);
  int64_t different = 0;
  for (int64_t lane : lanes) {
    int64_t first = addresses.at(lane, access);
    int64_t last = (first + q.accessBits - 1) / wordBits;
    for (int64_t word = first / wordBits; word <= last; ++word)
      different += words[word % q.banks].insert(word).second;
  }
  BankPhase phase;
  phase.access = access;
  phase.lanes = std::move(lanes);
  for (int64_t bank = 0; bank != q.banks; ++bank) {
    int64_t count = words[bank].size();
    if (count > phase.degree) {
      phase.degree = count;
      phase.busiestBank = bank;
    }
  }
  atLeast += std::max<int64_t>((different + q.banks - 1) / q.banks, 1);
  return phase;
}

std::optional<BankReport>
fly::drawing::bankConflicts(const AnyLayout &l, const BankQuestion &question,
                            std::string &why) {
  if (!checkQuestion(question, why))
    return std::nullopt;
  std::optional<std::vector<std::vector<int64_t>>> phases =
      phasesOf(question, why);
  if (!phases)
    return std::nullopt;
  std::optional<Addresses> addresses = Addresses::of(l, question, why);
  if (!addresses)
    return std::nullopt;
  BankReport report;
  report.question = question;
  report.elementsPerAccess = addresses->elementsPerAccess;
  report.accesses = addresses->accesses;
  report.note = addresses->note;
  for (int64_t access = 0; access != addresses->accesses; ++access) {
    for (const std::vector<int64_t> &lanes : *phases) {
      report.phases.push_back(countPhase(*addresses, question, access, lanes,
                                         report.cyclesWithoutConflicts));
      int64_t degree = report.phases.back().degree;
      report.cycles += degree;
      report.worstDegree = std::max(report.worstDegree, degree);
    }
  }
  return report;
}

std::optional<Grid> fly::drawing::bankGrid(const AnyLayout &l,
                                           const BankQuestion &question,
                                           std::string &why) {
  std::optional<Addresses> addresses;
  if (!checkQuestion(question, why) ||
      !(addresses = Addresses::of(l, question, why)))
    return std::nullopt;
  std::optional<Grid> grid = layoutGrid(l, why);
  std::optional<PointMap> map = PointMap::of(l, why);
  if (!grid || !map)
    return std::nullopt;
  grid->title += ", " + std::to_string(question.elementBits) +
                 "-bit elements, " + std::to_string(question.banks) + " banks";
  bool isRow = map->size() == question.lanes;
  grid->rowAxis = isRow ? "" : "lane";
  grid->columnAxis = isRow ? "" : "value";
  int64_t rows = grid->rows(), columns = grid->columns();
  for (int64_t i = 0, e = grid->cells.size(); i != e; ++i) {
    std::optional<int64_t> offset =
        map->scalarAt(i / columns + i % columns * rows);
    if (!offset)
      continue;
    int64_t bank = *offset * question.elementBits / wordBits % question.banks;
    grid->cells[i].lines = {std::to_string(*offset),
                            "b" + std::to_string(bank)};
    grid->cells[i].colour = hue(bank, question.banks);
  }
  return grid;
}
