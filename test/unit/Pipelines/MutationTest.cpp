// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys against code, on mutations of the kernels of test/Kernels: a kernel, a
// target, and a random edit of the text, seeded. The laws: builds of one key
// give the same bytes (no stale hit, whatever was edited), and edits that only
// respell give the same key. Keys that differ where the bytes are the same are
// misses that were not needed: they are counted.
//
//   FlyMutationTests --mutations=500 --seed=1

#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Registration.h"

#include "mlir/IR/AsmState.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <map>
#include <random>

using namespace mlir;
using namespace mlir::fly;
using ::fly::support::Digest;
using ::fly::support::Environment;

static unsigned numMutations = 60;
static unsigned firstSeed = 1;

namespace {

struct Kernel {
  const char *file;
  std::vector<const char *> targets;
};

const Kernel kernels[] = {
    {"vector_add.mlir", {"gfx942", "gfx950", "gfx1100", "gfx1201"}},
    {"transpose.mlir", {"gfx942", "gfx950", "gfx1100", "gfx1201"}},
    {"mma_tile_cdna.mlir", {"gfx942", "gfx950"}},
    {"mma_tile_gfx11.mlir", {"gfx1100"}},
    {"mma_tile_gfx12.mlir", {"gfx1201"}},
    {"gemm_cdna.mlir", {"gfx942"}},
};

/// What a text came to.
struct Outcome {
  bool isParsed = false;
  std::string key;
  /// Of the code object; nothing when the compile was refused.
  std::optional<Digest> code;
};

class Compiler {
public:
  Compiler() : context(registry(), MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
  }

  Outcome run(StringRef text, StringRef target, DebugKind debug);

private:
  static DialectRegistry registry() {
    DialectRegistry all;
    registerAllDialects(all);
    registerAllExtensions(all);
    registerDialects(all);
    return all;
  }

  MLIRContext context;
  KeyEnvironment environment{Environment()};
};

Outcome Compiler::run(StringRef text, StringRef target, DebugKind debug) {
  Outcome outcome;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context), "kernel.mlir");
  if (!module || gpuModulesOf(*module).empty())
    return outcome;
  CompileOptions options;
  options.resolve.target = target.str();
  options.debug = debug;
  FailureOr<std::vector<CompileUnit>> units =
      compileUnits(*module, options, environment.environment());
  if (failed(units))
    return outcome;
  const CompileUnit &unit = units->front();
  FailureOr<CacheKey> key = unitKey(unit, environment);
  if (failed(key))
    return outcome;
  outcome.isParsed = true;
  outcome.key = key->text();
  OwningOpRef<ModuleOp> clone = canonicalClone(unit);
  if (!clone || failed(lowerUnit(*clone, unit)))
    return outcome;
  FailureOr<gpu::ObjectAttr> object =
      serializeUnit(*clone, unit, *key, CodeFormat::Object, environment);
  if (succeeded(object))
    outcome.code = ::fly::support::digestOf(object->getObject().getValue());
  return outcome;
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

using Random = std::mt19937;

std::vector<std::string> linesOf(const std::string &text) {
  SmallVector<StringRef> parts;
  StringRef(text).split(parts, '\n');
  return std::vector<std::string>(parts.begin(), parts.end());
}

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

/// A number that is not part of a name or a type, made one more or less.
std::string editNumber(const std::string &text, Random &random) {
  std::vector<std::pair<size_t, size_t>> places;
  auto isWord = [](char c) {
    return std::isalnum((unsigned char)c) || c == '_' || c == '%' || c == '.' ||
           c == '@';
  };
  for (size_t i = 1; i < text.size(); ++i) {
    if (!std::isdigit((unsigned char)text[i]) || isWord(text[i - 1]))
      continue;
    size_t end = i;
    while (end < text.size() && std::isdigit((unsigned char)text[end]))
      ++end;
    if (end - i < 9)
      places.emplace_back(i, end);
    i = end;
  }
  if (places.empty())
    return text;
  auto [begin, end] = places[random() % places.size()];
  long value = std::atol(text.substr(begin, end - begin).c_str());
  value = random() % 2 ? value + 1 : value * 2;
  return text.substr(0, begin) + std::to_string(value) + text.substr(end);
}

/// One word for another of the same kind.
std::string editWord(const std::string &text, Random &random) {
  static const std::pair<const char *, const char *> words[] = {
      {"arith.addi", "arith.muli"},
      {"arith.addi", "arith.subi"},
      {"arith.muli", "arith.addi"},
      {"arith.addf", "arith.mulf"},
      {"arith.addf", "arith.subf"},
      {"slt", "sle"},
      {"ult", "ule"},
      {"thread_id x", "thread_id y"},
      {"block_id x", "block_id y"},
      {"f32", "f16"},
      {"f16", "bf16"},
      {"arith.divui", "arith.divsi"},
      {"arith.remui", "arith.remsi"},
      {"kernel", "kernel attributes {a.note}"},
      {"gpu.barrier", ""},
      {"64", "128"},
      {"256", "128"}};
  auto [from, to] = words[random() % std::size(words)];
  std::vector<size_t> places;
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + 1))
    places.push_back(at);
  if (places.empty())
    return text;
  size_t place = places[random() % places.size()];
  return text.substr(0, place) + to + text.substr(place + strlen(from));
}

std::string editLines(const std::string &text, Random &random) {
  std::vector<std::string> lines = linesOf(text);
  size_t at = random() % lines.size();
  switch (random() % 3) {
  case 0:
    lines.erase(lines.begin() + at);
    break;
  case 1:
    lines.insert(lines.begin() + at, lines[at]);
    break;
  default:
    std::swap(lines[at], lines[(at + 1) % lines.size()]);
  }
  return joined(lines);
}

/// Edits that only respell: with them the key must stay. With debug information
/// places count, so that one edit is left.
std::string respell(const std::string &text, Random &random,
                    bool mayMovePlaces) {
  std::vector<std::string> lines = linesOf(text);
  switch (random() % (mayMovePlaces ? 4 : 1)) {
  case 0: {
    // The gpu.module's name; host code might call it.
    llvm::SmallVector<StringRef> found;
    std::string result = text;
    if (!llvm::Regex("gpu\\.module (@[A-Za-z_0-9]+)").match(text, &found))
      return text;
    std::string name = found[1].str();
    size_t length = name.size();
    for (size_t at = result.find(name); at != std::string::npos;
         at = result.find(name, at + 1)) {
      char next = at + length < result.size() ? result[at + length] : ' ';
      if (!std::isalnum((unsigned char)next) && next != '_')
        result.insert(at + length, "_renamed");
    }
    return result;
  }
  case 1: {
    // Names of values.
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      result += text[i];
      if (text[i] == '%' && i + 1 < text.size() &&
          std::isalpha((unsigned char)text[i + 1]))
        result += "v_";
    }
    return result;
  }
  case 2:
    lines.insert(lines.begin() + random() % lines.size(), "// A comment.");
    return joined(lines);
  default:
    lines.insert(lines.begin(), 1 + random() % 5, "");
    return joined(lines);
  }
}

std::string readKernel(StringRef name) {
  const char *root = std::getenv("FLY_SOURCE_DIR");
  auto buffer = llvm::MemoryBuffer::getFile(std::string(root ? root : ".") +
                                            "/test/Kernels/" + name);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

//===----------------------------------------------------------------------===//
// The law
//===----------------------------------------------------------------------===//

TEST(Mutations, equalKeysMeanEqualCode) {
  Compiler compiler;
  std::map<std::string, std::optional<Digest>> codeOf;
  std::map<std::string, Outcome> bases;
  unsigned accepted = 0, rejected = 0, hits = 0, needless = 0, needed = 0,
           refused = 0, stale = 0, respelt = 0;
  for (unsigned i = 0; accepted < numMutations && i < 20 * numMutations; ++i) {
    Random random(firstSeed + i);
    const Kernel &kernel = kernels[random() % std::size(kernels)];
    const char *target = kernel.targets[random() % kernel.targets.size()];
    DebugKind debug = random() % 4 ? DebugKind::None : DebugKind::Lines;
    std::string text = readKernel(kernel.file);
    ASSERT_FALSE(text.empty()) << kernel.file;
    std::string title =
        std::string(kernel.file) + " " + target + " " + spell(debug).str();
    auto [base, isNew] = bases.try_emplace(title);
    if (isNew) {
      base->second = compiler.run(text, target, debug);
      ASSERT_TRUE(base->second.code) << title;
      codeOf.emplace(base->second.key, base->second.code);
    }
    bool onlyRespells = random() % 8 == 0;
    std::string edited = onlyRespells
                             ? respell(text, random, debug == DebugKind::None)
                         : random() % 2 ? editNumber(text, random)
                         : random() % 3 ? editWord(text, random)
                                        : editLines(text, random);
    if (edited == text)
      continue;
    Outcome outcome = compiler.run(edited, target, debug);
    if (!outcome.isParsed) {
      EXPECT_FALSE(onlyRespells) << title << " seed " << firstSeed + i;
      ++rejected;
      continue;
    }
    ++accepted;
    respelt += onlyRespells;
    refused += !outcome.code;
    auto [known, isFirst] = codeOf.try_emplace(outcome.key, outcome.code);
    if (known->second != outcome.code) {
      ++stale;
      ADD_FAILURE() << "stale hit: " << title << " seed " << firstSeed + i
                    << "\n"
                    << edited;
    }
    if (outcome.key == base->second.key) {
      ++hits;
      continue;
    }
    EXPECT_FALSE(onlyRespells) << title << " seed " << firstSeed + i;
    ++(outcome.code == base->second.code ? needless : needed);
  }
  printf("P7 and P8: %u mutations (%u texts were no IR), %u stale hits; %u "
         "respelt; %u kept the key, %u moved it with the code, %u without need "
         "(%.1f%%); %u were refused by the compiler\n",
         accepted, rejected, stale, respelt, hits, needed, needless,
         100.0 * needless / std::max(1u, accepted), refused);
  EXPECT_EQ(accepted, numMutations);
  EXPECT_GT(hits, 0u);
  EXPECT_GT(needed, 0u);
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    StringRef argument(argv[i]);
    if (argument.consume_front("--mutations="))
      argument.getAsInteger(10, numMutations);
    else if (argument.consume_front("--seed="))
      argument.getAsInteger(10, firstSeed);
  }
  return RUN_ALL_TESTS();
}
