// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of one unit: looked up under the keys of its targets, else compiled
// and published. Of several processes that want the same key, one compiles. A
// store that cannot be written costs a warning; the result is returned.

#include "Steps.h"

#include "fly/Pipelines/Compile.h"
#include "fly/Store/Explain.h"
#include "fly/Store/Flight.h"
#include "fly/Support/Errors.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fly;
using namespace ::fly::store;

static CodeFormat formatOf(EmitKind emit) {
  switch (emit) {
  case EmitKind::Assembly:
    return CodeFormat::Assembly;
  case EmitKind::LLVMIR:
    return CodeFormat::LLVMIR;
  default:
    return CodeFormat::Object;
  }
}

/// What the compiler makes of the unit.
static FailureOr<std::string>
compileTo(const DriverRun &run, const CompileUnit &unit, const CacheKey &key) {
  run.times.begin("lower");
  OwningOpRef<ModuleOp> clone = canonicalClone(unit);
  if (!clone || failed(lowerUnit(*clone, unit)))
    return failure();
  if (run.request.emit == EmitKind::MLIR) {
    std::string text;
    llvm::raw_string_ostream os(text);
    clone->print(os, OpPrintingFlags().useLocalScope());
    os << "\n";
    return os.str();
  }
  run.times.begin("generate");
  FailureOr<gpu::ObjectAttr> object = serializeUnit(
      *clone, unit, key, formatOf(run.request.emit), run.environment);
  if (failed(object))
    return failure();
  return object->getObject().str();
}

/// The key as a line of schema fly-key/1, as fly-cache-key{format=json} prints
/// it.
static std::string componentsText(const DriverUnit &unit, const CacheKey &key) {
  llvm::json::Object line = key.json();
  line["module"] = llvm::json::fixUTF8(unit.name);
  line["target"] = unit.unit.target.text();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::json::Value(std::move(line)) << "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Through the store
//===----------------------------------------------------------------------===//

static void warn(const DriverRun &run, const Twine &text) {
  run.messages << "warning: " << text << "\n";
}

/// Publishes a fresh code object; answers where, for the line of the unit.
static std::string publishFresh(const DriverRun &run, const DriverUnit &unit,
                                const Produced &produced) {
  run.times.begin("publish");
  llvm::Expected<Manifest> manifest =
      Manifest::describe(produced.key, unit.unit.target, produced.bytes);
  if (!manifest) {
    warn(run, llvm::toString(manifest.takeError()));
    return "not published";
  }
  std::vector<std::string> places =
      run.layers->publishRemotely(*manifest, produced.bytes, {unit.name});
  const Store *store = run.layers->writable();
  if (!store && places.empty())
    return "no store can be written";
  if (store) {
    llvm::Expected<Published> done =
        store->publish(*manifest, produced.bytes, {unit.name});
    if (done)
      places.insert(places.begin(), store->path().str());
    else
      warn(run, llvm::toString(done.takeError()));
    if (done && *done == Published::New)
      store->noteOrigin(produced.key.text(), run.request.inputPath);
    if (done)
      keepIR(run, unit, produced.key);
  }
  return places.empty() ? "not published"
                        : "published in " + llvm::join(places, " and ");
}

/// Makes sure that the entry is also found by the name of the unit: in the
/// store that has it, else as a copy in the one that is written.
static void nameHit(const DriverRun &run, const DriverUnit &unit,
                    const Artefact &artefact) {
  std::string key = artefact.manifest.key.text();
  for (const Store &store : run.layers->stores()) {
    llvm::Expected<std::optional<std::string>> named =
        store.unitKey(unit.name, unit.unit.target);
    if (named && *named && **named == key)
      return;
    llvm::consumeError(named.takeError());
  }
  const Store *store = run.layers->writable();
  if (!store)
    return;
  llvm::Expected<Published> done = store->publish(
      artefact.manifest, artefact.bytes->getBuffer(), {unit.name});
  if (!done)
    warn(run, llvm::toString(done.takeError()));
}

/// Takes a hit over into `produced`.
static int takeHit(const DriverRun &run, const DriverUnit &unit, KeyHit hit,
                   ArrayRef<CacheKey> keys, Produced &produced) {
  const Artefact &artefact = hit.artefact;
  produced.isHit = true;
  produced.verb = "hit";
  produced.key = keys[hit.index];
  produced.bytes = artefact.bytes->getBuffer().str();
  produced.target = artefact.manifest.target;
  produced.where = "in " + artefact.store;
  bool isOther = artefact.manifest.target != unit.unit.target;
  if (isOther)
    produced.where += ", code for " + artefact.manifest.target.text();
  else
    nameHit(run, unit, artefact);
  if (!run.request.verify)
    return ExitSuccess;
  CompileUnit again = unit.unit;
  again.target = artefact.manifest.target;
  FailureOr<std::string> bytes = compileTo(run, again, produced.key);
  if (failed(bytes))
    return ExitRefused;
  produced.where += ", verified";
  if (*bytes == produced.bytes)
    return ExitSuccess;
  return reportError(
      ::fly::support::makeError(
          "S007", "key " + produced.key.text() + " in store " +
                      ::fly::support::quoted(artefact.store) +
                      " has another payload than the compiler makes now: "
                      "non-deterministic build, stored " +
                      artefact.manifest.payload.hex() + ", new " +
                      ::fly::support::digestOf(*bytes).hex()),
      run.messages);
}

/// The keys of the unit's rungs; on a device the first differs from the key
/// that a compile would have.
static FailureOr<std::vector<CacheKey>> rungKeys(const DriverRun &run,
                                                 const DriverUnit &unit) {
  std::vector<CacheKey> keys;
  for (const ::fly::amdgpu::Target &rung : unit.rungs) {
    CompileUnit one = unit.unit;
    one.target = rung;
    FailureOr<CacheKey> key = unitKey(one, run.environment);
    if (failed(key))
      return failure();
    keys.push_back(std::move(*key));
  }
  return keys;
}

/// Says what is nearest to a miss.
static void explainMiss(const DriverRun &run, const DriverUnit &unit,
                        const CacheKey &key, TextOf textOf) {
  llvm::Expected<Explanation> explanation =
      explain(key, unit.kernels, run.layers->pointers(), /*limit=*/1, textOf);
  if (!explanation)
    return warn(run, llvm::toString(explanation.takeError()));
  run.messages << explanation->text("miss");
}

static int produceThroughStore(const DriverRun &run, const DriverUnit &unit,
                               Produced &produced) {
  run.times.begin("key");
  FailureOr<std::vector<CacheKey>> keys = rungKeys(run, unit);
  if (failed(keys))
    return ExitRefused;
  run.times.begin("look-up");
  auto textOf = [&](const ::fly::support::Digest &ir) {
    return textUnder(run, unit, keys->front(), ir);
  };
  llvm::Expected<std::optional<KeyHit>> hit =
      run.layers->lookUpFirst(*keys, unit.kernels, textOf);
  if (!hit)
    return reportError(hit.takeError(), run.messages);
  if (*hit)
    return takeHit(run, unit, std::move(**hit), *keys, produced);
  run.times.begin("key");
  FailureOr<CacheKey> key = unitKey(unit.unit, run.environment);
  if (failed(key))
    return ExitRefused;
  produced.key = std::move(*key);
  produced.verb = "miss";
  if (run.request.explain)
    explainMiss(run, unit, keys->front(), textOf);
  std::optional<Flight> flight;
  if (const Store *store = run.layers->writable()) {
    run.times.begin("wait");
    flight.emplace(Flight::board(*store, produced.key.text(), {}));
    if (flight->found()) {
      llvm::Expected<std::optional<KeyHit>> now =
          run.layers->lookUpFirst({produced.key}, unit.kernels);
      if (!now)
        return reportError(now.takeError(), run.messages);
      if (*now)
        return takeHit(run, unit, std::move(**now), {produced.key}, produced);
    }
  }
  FailureOr<std::string> bytes = compileTo(run, unit.unit, produced.key);
  if (failed(bytes))
    return ExitRefused;
  produced.bytes = std::move(*bytes);
  produced.where = publishFresh(run, unit, produced);
  // The store is the only place where the unit of a plan goes.
  if (run.request.unitName.empty() || !run.request.outputPath.empty() ||
      StringRef(produced.where).starts_with("published"))
    return ExitSuccess;
  run.messages << "error: unit " << ::fly::support::quoted(unit.name)
               << " was compiled and is in no store\n";
  return ExitUsage;
}

int mlir::fly::produce(const DriverRun &run, const DriverUnit &unit,
                       Produced &produced) {
  produced.target = unit.unit.target;
  if (run.layers && run.request.emit == EmitKind::Object)
    return produceThroughStore(run, unit, produced);
  run.times.begin("key");
  FailureOr<CacheKey> key = unitKey(unit.unit, run.environment);
  if (failed(key))
    return ExitRefused;
  produced.key = std::move(*key);
  produced.verb = "key";
  if (run.request.emit == EmitKind::Key) {
    produced.bytes = produced.key.text() + "\n";
    return ExitSuccess;
  }
  if (run.request.emit == EmitKind::Components) {
    produced.bytes = componentsText(unit, produced.key);
    return ExitSuccess;
  }
  FailureOr<std::string> bytes = compileTo(run, unit.unit, produced.key);
  if (failed(bytes))
    return ExitRefused;
  produced.bytes = std::move(*bytes);
  return ExitSuccess;
}
