// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that check: verify, coverage, and which target is meant: resolve.

#include "Commands.h"

#include "fly/Store/Paths.h"
#include "fly/Store/Plan.h"
#include "fly/Support/Environment.h"
#include "fly/Support/Errors.h"

#include "llvm/Support/WithColor.h"

using namespace fly::store;
using namespace flycache;
using fly::support::quoted;
namespace json = llvm::json;

int flycache::runVerify(const Request &request) {
  if (!request.operands.empty())
    return usage("verify takes no operands; the stores are --store=DIR");
  llvm::Expected<Layers> layers = openLayers(request);
  if (!layers)
    return report(layers.takeError());
  int status = ExitSuccess;
  json::Array array;
  for (const Store &store : layers->stores()) {
    llvm::Expected<AuditReport> audit = store.audit();
    if (!audit)
      return report(audit.takeError());
    for (const std::string &problem : audit->problems)
      llvm::WithColor::error(llvm::errs()) << problem << "\n";
    if (!audit->problems.empty())
      status = ExitCorrupt;
    if (request.json) {
      array.push_back(json::Object{{"store", json::fixUTF8(store.path())},
                                   {"entries", audit->entries},
                                   {"bytes", audit->bytes},
                                   {"units", audit->units},
                                   {"unreferenced", audit->unreferenced},
                                   {"unmarked", audit->unmarked},
                                   {"problems", audit->problems}});
      continue;
    }
    llvm::outs() << store.path() << ": " << audit->entries << " entries, "
                 << bytesText(audit->bytes) << ", " << audit->units
                 << " units, " << audit->unreferenced
                 << " files without an entry, "
                 << (audit->unmarked ? std::to_string(audit->unmarked) +
                                           " kernels without a marker, "
                                     : std::string())
                 << audit->problems.size() << " problems\n";
  }
  if (request.json)
    printJsonLine(std::move(array));
  return status;
}

int flycache::runCoverage(const Request &request) {
  if (request.plan.empty() || !request.operands.empty())
    return usage("coverage expects --plan=FILE and no operands");
  llvm::Expected<std::string> text = readInput(request.plan);
  if (!text)
    return report(text.takeError());
  llvm::Expected<Plan> plan = Plan::parse(*text);
  if (!plan)
    return usage(quotedPath(request.plan) + ": " +
                 llvm::toString(plan.takeError()));
  llvm::Expected<Layers> layers = openLayers(request);
  if (!layers)
    return report(layers.takeError());
  llvm::Expected<std::vector<Coverage>> rows = coverage(*plan, *layers);
  if (!rows)
    return report(rows.takeError());
  uint64_t present = 0, corrupt = 0;
  json::Array array;
  for (const Coverage &row : *rows) {
    present += row.state == Coverage::Present;
    corrupt += row.state == Coverage::Corrupt;
    if (request.json)
      array.push_back(json::Object{{"unit", row.unit},
                                   {"target", row.target.text()},
                                   {"state", spell(row.state)},
                                   {"key", row.key},
                                   {"detail", json::fixUTF8(row.detail)}});
    else if (row.state != Coverage::Present)
      llvm::outs() << spell(row.state) << " " << row.unit << " for "
                   << row.target.text() << "\n"
                   << row.detail;
  }
  if (request.json)
    printJsonLine(std::move(array));
  else
    llvm::outs() << present << " of " << rows->size()
                 << " units and targets are stored and verified\n";
  if (present == rows->size())
    return ExitSuccess;
  return corrupt ? ExitCorrupt : ExitMiss;
}

int flycache::runResolve(const Request &request) {
  if (!request.operands.empty())
    return usage("resolve takes no operands, found " +
                 quoted(request.operands.front()) +
                 "; expected --target=" + request.operands.front());
  fly::amdgpu::ResolveOptions options = request.resolve;
  options.target = request.target;
  options.optionName = "--target=";
  llvm::Expected<fly::amdgpu::Resolution> found = fly::amdgpu::resolve(
      fly::amdgpu::requestOf(options, fly::support::Environment::capture()));
  if (!found)
    return report(found.takeError());
  for (const std::string &remark : found->remarks)
    llvm::errs() << "remark: " << remark << "\n";
  llvm::outs() << llvm::StringRef(request.json ? found->reportJson()
                                               : found->reportText())
                      .rtrim()
               << "\n";
  return ExitSuccess;
}
