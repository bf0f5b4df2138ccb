// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report of bank conflicts as text and as JSON.
//
//   phase  lanes  cycles  busiest bank
//       0  0-7         8             0

#include "fly/Drawing/Banks.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::drawing;

/// "0-3,20-23".
static std::string rangesOf(llvm::ArrayRef<int64_t> sorted) {
  std::string text;
  for (size_t i = 0, e = sorted.size(); i != e;) {
    size_t last = i;
    while (last + 1 != e && sorted[last + 1] == sorted[last] + 1)
      ++last;
    text += (i ? "," : "") + std::to_string(sorted[i]);
    if (last != i)
      text += "-" + std::to_string(sorted[last]);
    i = last + 1;
  }
  return text;
}

static std::string counted(int64_t count, llvm::StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

void BankReport::print(llvm::raw_ostream &os) const {
  os << counted(question.lanes, "lane") << ", each "
     << (accesses == 1 ? "" : std::to_string(accesses) + " times ")
     << counted(elementsPerAccess, "element") << " of "
     << counted(question.elementBits, "bit") << " at once ("
     << question.accessBits << " bits); " << counted(question.banks, "bank")
     << " of 32 bits\n";
  std::vector<std::string> lanes;
  size_t width = 5;
  for (const BankPhase &phase : phases) {
    lanes.push_back(rangesOf(phase.lanes));
    width = std::max(width, lanes.back().size());
  }
  os << (accesses == 1 ? "" : "access  ") << "phase  "
     << llvm::left_justify("lanes", width) << "  cycles  busiest bank\n";
  size_t perAccess = phases.size() / static_cast<size_t>(accesses);
  for (size_t i = 0, e = phases.size(); i != e; ++i) {
    const BankPhase &phase = phases[i];
    std::string bank =
        phase.degree == 1 ? "-" : std::to_string(phase.busiestBank);
    if (accesses != 1)
      os << llvm::formatv("{0,6}  ", phase.access);
    os << llvm::formatv("{0,5}  ", i % perAccess)
       << llvm::left_justify(lanes[i], width)
       << llvm::formatv("  {0,6}  {1,12}\n", phase.degree, bank);
  }
  os << "worst degree " << worstDegree << ", " << counted(cycles, "cycle")
     << " instead of " << cyclesWithoutConflicts << "\n";
  if (!note.empty())
    os << "note: " << note << "\n";
}

void BankReport::printJson(llvm::raw_ostream &os,
                           llvm::StringRef expression) const {
  llvm::json::OStream json(os, 2);
  json.objectBegin();
  json.attribute("schema", "fly-banks/1");
  json.attribute("expression", llvm::json::fixUTF8(expression));
  json.attribute("lanes", question.lanes);
  json.attribute("banks", question.banks);
  json.attribute("element_bits", question.elementBits);
  json.attribute("access_bits", question.accessBits);
  json.attributeArray("phases", [&] {
    for (const BankPhase &phase : phases)
      json.object([&] {
        json.attribute("access", phase.access);
        json.attribute("lanes", llvm::json::Array(phase.lanes));
        json.attribute("degree", phase.degree);
        json.attribute("busiest_bank", phase.busiestBank);
      });
  });
  json.attribute("worst_degree", worstDegree);
  json.attribute("cycles", cycles);
  json.attribute("cycles_without_conflicts", cyclesWithoutConflicts);
  if (!note.empty())
    json.attribute("note", note);
  json.objectEnd();
  os << "\n";
}
