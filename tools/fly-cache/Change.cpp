// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that write: add, gc, pack, unpack, merge.

#include "Commands.h"

#include "fly/Support/Files.h"

#include "fly/Store/Merge.h"
#include "fly/Support/Errors.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace fly::store;
using namespace flycache;
using fly::support::CacheKey;
using fly::support::quoted;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// add
//===----------------------------------------------------------------------===//

/// The key among `keys` that is for the target of the code object.
static llvm::Expected<Manifest> describeWith(const std::vector<CacheKey> &keys,
                                             StringRef bytes) {
  llvm::Error last = llvm::Error::success();
  for (const CacheKey &key : keys) {
    const fly::support::KeyComponent *component = key.find("target");
    std::string text;
    if (component)
      for (const fly::support::KeyField &field : component->fields)
        text += field.name + "=" + field.value.value_or("") + " ";
    llvm::consumeError(std::move(last));
    llvm::Expected<fly::amdgpu::Target> target = parseTargetText(text);
    if (!target) {
      last = target.takeError();
      continue;
    }
    llvm::Expected<Manifest> manifest = Manifest::describe(key, *target, bytes);
    if (manifest)
      return manifest;
    last = manifest.takeError();
  }
  return std::move(last);
}

int flycache::runAdd(const Request &request) {
  if (request.operands.size() != 1)
    return usage("add expects one code object, found " +
                 llvm::Twine(request.operands.size()));
  if (request.keyFile.empty())
    return usage("add expects --key=FILE, as the pass "
                 "fly-cache-key{format=json} prints it");
  if (llvm::Error error = expectWritable(request))
    return report(std::move(error));
  llvm::Expected<std::string> bytes = readInput(request.operands[0]);
  if (!bytes)
    return report(bytes.takeError());
  llvm::Expected<std::vector<CacheKey>> keys = readKeys(request.keyFile);
  if (!keys)
    return report(keys.takeError());
  llvm::Expected<Manifest> manifest = describeWith(*keys, *bytes);
  if (!manifest)
    return report(manifest.takeError());
  llvm::Expected<Store> store = openOne(request, Mode::ReadWrite);
  if (!store)
    return report(store.takeError());
  std::vector<std::string> units;
  if (!request.unit.empty())
    units.push_back(request.unit);
  llvm::Expected<Published> done = store->publish(*manifest, *bytes, units);
  if (!done)
    return report(done.takeError());
  StringRef word = *done == Published::New       ? "added"
                   : *done == Published::Present ? "present"
                                                 : "conflict";
  if (request.json)
    printJsonLine(json::Object{{"key", manifest->key.text()},
                               {"target", manifest->target.text()},
                               {"result", word}});
  else
    llvm::outs() << word << " " << manifest->key.text() << " for "
                 << manifest->target.text() << "\n";
  return *done == Published::Conflict ? ExitConflict : ExitSuccess;
}

//===----------------------------------------------------------------------===//
// gc
//===----------------------------------------------------------------------===//

int flycache::runGc(const Request &request) {
  if (!request.operands.empty())
    return usage("gc takes no operands; the store is --store=DIR");
  if (!request.dryRun)
    if (llvm::Error error = expectWritable(request))
      return report(std::move(error));
  // A dry run needs no right to write, and gc never creates a store.
  llvm::Expected<Store> store = openOne(request, Mode::ReadOnly);
  if (store && !request.dryRun)
    store = openOne(request, Mode::ReadWrite);
  if (!store)
    return report(store.takeError());
  GcOptions options = request.gc;
  options.dryRun = request.dryRun;
  llvm::Expected<GcReport> done = store->gc(options);
  if (!done)
    return report(done.takeError());
  if (request.json) {
    printJsonLine(json::Object{{"removed", done->removed},
                               {"removed_bytes", done->removedBytes},
                               {"leftovers", done->leftovers},
                               {"kept", done->keptEntries},
                               {"kept_bytes", done->keptBytes},
                               {"dry_run", request.dryRun}});
    return ExitSuccess;
  }
  StringRef verb = request.dryRun ? "would remove " : "removed ";
  for (const std::string &key : done->removed)
    llvm::outs() << verb << key << "\n";
  llvm::outs() << verb << done->removed.size() << " entries and "
               << done->leftovers << " leftovers, "
               << bytesText(done->removedBytes) << "; kept "
               << done->keptEntries << " entries, "
               << bytesText(done->keptBytes) << "\n";
  return ExitSuccess;
}

//===----------------------------------------------------------------------===//
// pack, unpack, merge
//===----------------------------------------------------------------------===//

int flycache::runPack(const Request &request) {
  if (!request.operands.empty() || request.output.empty())
    return usage("pack expects -o FILE (- is standard output) and no operands");
  llvm::Expected<Store> store = openOne(request, Mode::ReadOnly);
  if (!store)
    return report(store.takeError());
  uint64_t entries = 0;
  // An error leaves no half archive behind.
  llvm::Error error = ::fly::support::writeFile(
      request.output, [&](llvm::raw_ostream &os) -> llvm::Error {
        llvm::Expected<uint64_t> packed = pack(*store, os);
        if (!packed)
          return packed.takeError();
        entries = *packed;
        return llvm::Error::success();
      });
  if (error)
    return report(std::move(error));
  llvm::errs() << "packed " << entries << " entries\n";
  return ExitSuccess;
}

/// Says what a merge did.
static int told(const MergeReport &done, const Request &request) {
  for (const std::string &text : done.corrupt)
    llvm::WithColor::error(llvm::errs()) << text << "\n";
  for (const std::string &text : done.conflicts)
    llvm::WithColor::error(llvm::errs()) << text << "\n";
  if (request.json)
    printJsonLine(json::Object{{"added", done.added},
                               {"present", done.present},
                               {"units", done.units},
                               {"conflicts", done.conflicts},
                               {"corrupt", done.corrupt}});
  else
    llvm::outs() << "added " << done.added << ", present " << done.present
                 << ", units " << done.units << ", conflicts "
                 << done.conflicts.size() << ", corrupt " << done.corrupt.size()
                 << "\n";
  if (!done.corrupt.empty())
    return ExitCorrupt;
  return done.conflicts.empty() ? ExitSuccess : ExitConflict;
}

int flycache::runUnpack(const Request &request) {
  if (request.operands.size() != 1)
    return usage("unpack expects one archive (- is standard input), found " +
                 llvm::Twine(request.operands.size()));
  if (llvm::Error error = expectWritable(request))
    return report(std::move(error));
  llvm::Expected<std::string> bytes = readInput(request.operands[0]);
  if (!bytes)
    return report(bytes.takeError());
  llvm::Expected<Store> store = openOne(request, Mode::ReadWrite);
  if (!store)
    return report(store.takeError());
  llvm::Expected<MergeReport> done = unpack(*bytes, *store);
  return done ? told(*done, request) : report(done.takeError());
}

int flycache::runMerge(const Request &request) {
  if (request.operands.empty())
    return usage("merge expects the folders of stores to add to --store=DIR");
  if (llvm::Error error = expectWritable(request))
    return report(std::move(error));
  MergeReport total;
  std::vector<Store> sources;
  for (const std::string &path : request.operands) {
    llvm::Expected<LayerSpec> spec = LayerSpec::parseOption(path);
    if (!spec)
      return report(spec.takeError());
    llvm::Expected<Store> from = Store::open(spec->path, {});
    if (!from)
      return report(from.takeError());
    sources.push_back(std::move(*from));
  }
  llvm::Expected<Store> into = openOne(request, Mode::ReadWrite);
  if (!into)
    return report(into.takeError());
  for (const Store &from : sources) {
    llvm::Expected<MergeReport> done = merge(from, *into);
    if (!done)
      return report(done.takeError());
    total.added += done->added;
    total.present += done->present;
    total.units += done->units;
    total.conflicts.insert(total.conflicts.end(), done->conflicts.begin(),
                           done->conflicts.end());
    total.corrupt.insert(total.corrupt.end(), done->corrupt.begin(),
                         done->corrupt.end());
  }
  return told(total, request);
}
