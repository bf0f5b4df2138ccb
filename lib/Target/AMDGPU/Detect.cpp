// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detection of GPUs: the KFD topology, visibility masks, and programs.
//
// Sources: node files as the Linux amdkfd driver writes them, one `name value`
// a line in decimal; CPU nodes have simd_count 0 or gfx_target_version 0.

#include "Detect.h"

#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <tuple>

using namespace fly::amdgpu;
using fly::support::Environment;
using fly::support::makeError;
using fly::support::quoted;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

void Gpu::set(llvm::Expected<Target> result) {
  target.reset();
  code.clear();
  problem.clear();
  if (result) {
    target = std::move(*result);
    return;
  }
  std::tie(code, problem) = support::takeApart(result.takeError());
}

std::string Gpu::describe() const {
  std::string text = isNode ? "node " + std::to_string(node) : source;
  text += " " + (target ? target->id() : raw);
  if (!uuid.empty())
    text += " GPU-" + uuid;
  return text;
}

//===----------------------------------------------------------------------===//
// KFD topology
//===----------------------------------------------------------------------===//

/// A decimal number, nothing else.
static std::optional<uint64_t> decimal(StringRef text) {
  uint64_t value;
  if (text.empty() || text.find_first_not_of("0123456789") != StringRef::npos ||
      text.getAsInteger(10, value))
    return std::nullopt;
  return value;
}

/// The value of the line `name value`; names that only share a prefix do not
/// count.
static std::optional<uint64_t> property(StringRef text, StringRef name) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    auto [key, value] = line.split(' ');
    if (key == name)
      return decimal(value.trim());
  }
  return std::nullopt;
}

/// The folders of `root` that are node numbers, in numerical order.
static std::vector<unsigned> nodeNumbers(StringRef root, Search &search) {
  std::vector<unsigned> numbers;
  std::error_code code;
  for (fs::directory_iterator it(root, code), end; it != end && !code;
       it.increment(code)) {
    unsigned number;
    StringRef name = llvm::sys::path::filename(it->path());
    if (decimal(name) && !name.getAsInteger(10, number) &&
        std::to_string(number) == name)
      numbers.push_back(number);
  }
  if (code)
    search.notes.push_back("KFD folder " + quoted(root) + " " +
                           (code == std::errc::no_such_file_or_directory
                                ? "does not exist"
                                : "cannot be read: " + code.message()));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Revision 0 of gfx1250 is another processor for newer LLVMs, which print
/// `gfx1250-strict`. Bits 25:22 of `capability` hold the revision; a driver
/// that reports none leaves the line out.
static bool isStrictGfx1250(uint64_t version, StringRef text) {
  std::optional<uint64_t> capability = property(text, "capability");
  return version == 120500 && capability && *capability != 0 &&
         ((*capability >> 22) & 15) == 0;
}

Search fly::amdgpu::readKfd(StringRef root) {
  Search search;
  unsigned cpus = 0;
  for (unsigned number : nodeNumbers(root, search)) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, std::to_string(number), "properties");
    std::string name = "KFD node " + std::to_string(number);
    llvm::Expected<std::string> text =
        support::readSmallFile(path, /*limit=*/1 << 20);
    if (!text) {
      search.notes.push_back(name + " skipped: properties " +
                             llvm::toString(text.takeError()));
      continue;
    }
    std::optional<uint64_t> simds = property(*text, "simd_count"),
                            version = property(*text, "gfx_target_version"),
                            id = property(*text, "unique_id");
    if ((simds && *simds == 0) || (version && *version == 0)) {
      ++cpus;
      continue;
    }
    if (!version) {
      search.notes.push_back(name + " skipped: no decimal gfx_target_version");
      continue;
    }
    Gpu gpu;
    gpu.isNode = true;
    gpu.node = number;
    gpu.source = "kfd:node" + std::to_string(number);
    gpu.raw = std::to_string(*version);
    if (id && *id) {
      llvm::raw_string_ostream os(gpu.uuid);
      os << llvm::format_hex_no_prefix(*id, 16);
    }
    if (isStrictGfx1250(*version, *text))
      gpu.set(normalize("gfx1250-strict", gpu.source));
    else
      gpu.set(fromKfdVersion(*version, gpu.source));
    search.gpus.push_back(std::move(gpu));
  }
  if (search.gpus.empty() && search.notes.empty())
    search.notes.push_back("KFD folder " + quoted(root) + " has no GPU node (" +
                           std::to_string(cpus) + " CPU nodes)");
  return search;
}

//===----------------------------------------------------------------------===//
// Visibility
//===----------------------------------------------------------------------===//

static bool sameProcessor(const Gpu &a, const Gpu &b) {
  return a.target && b.target ? *a.target == *b.target
                              : !a.target && !b.target && a.raw == b.raw;
}

/// Applies one mask. As in the runtimes, the list ends at the first entry that
/// names no device.
static void applyMask(Search &search, StringRef name, StringRef value) {
  std::vector<Gpu> &gpus = search.gpus;
  if (value.trim().empty()) {
    search.notes.push_back((name + " is blank: taken as unset").str());
    return;
  }
  std::vector<size_t> byIdentifier;
  llvm::SmallSet<uint64_t, 8> ordinals;
  llvm::SmallVector<StringRef, 8> entries;
  value.split(entries, ',');
  for (StringRef entry : entries) {
    entry = entry.trim();
    StringRef identifier = entry;
    if (identifier.consume_front_insensitive("GPU-")) {
      auto found = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu &gpu) {
        return identifier.equals_insensitive(gpu.uuid);
      });
      if (found == gpus.end())
        break;
      byIdentifier.push_back(found - gpus.begin());
      continue;
    }
    std::optional<uint64_t> ordinal = decimal(entry);
    if (!ordinal || *ordinal >= gpus.size())
      break;
    ordinals.insert(*ordinal);
  }
  bool uniform = std::all_of(gpus.begin(), gpus.end(), [&](const Gpu &gpu) {
    return sameProcessor(gpu, gpus.front());
  });
  if (!uniform && !ordinals.empty()) {
    search.notes.push_back(
        (name + "=" + quoted(value) +
         " counts devices in an order that is not known here, so it chooses "
         "no processor")
            .str());
    return;
  }
  std::sort(byIdentifier.begin(), byIdentifier.end());
  byIdentifier.erase(std::unique(byIdentifier.begin(), byIdentifier.end()),
                     byIdentifier.end());
  std::vector<Gpu> kept;
  for (size_t index : byIdentifier)
    kept.push_back(gpus[index]);
  // All are alike: which ones does not matter, only how many.
  for (size_t i = 0; i < gpus.size() && kept.size() < ordinals.size(); ++i)
    kept.push_back(gpus[i]);
  if (kept.empty() && !gpus.empty())
    search.notes.push_back((name + "=" + quoted(value) + " hides all " +
                            Twine(gpus.size()) + " GPUs")
                               .str());
  gpus = std::move(kept);
}

void fly::amdgpu::applyVisibility(Search &search,
                                  const Environment &environment) {
  StringRef hip = environment.get("HIP_VISIBLE_DEVICES")
                      ? "HIP_VISIBLE_DEVICES"
                      : "CUDA_VISIBLE_DEVICES";
  for (StringRef name : {StringRef("ROCR_VISIBLE_DEVICES"), hip,
                         StringRef("GPU_DEVICE_ORDINAL")})
    if (std::optional<StringRef> value = environment.get(name))
      if (!search.gpus.empty())
        applyMask(search, name, *value);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

std::string fly::amdgpu::findTool(StringRef name, StringRef searchPath) {
  if (name.contains('/'))
    return name.str();
  llvm::SmallVector<StringRef, 16> folders;
  searchPath.split(folders, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (folders.empty())
    return "";
  llvm::ErrorOr<std::string> found =
      llvm::sys::findProgramByName(name, folders);
  return found ? *found : "";
}

/// Adds a GPU for each line of `output`.
static void readLines(ToolRun &run, StringRef output) {
  llvm::SmallVector<StringRef, 16> lines;
  output.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    line = line.trim();
    // rocm_agent_enumerator prints gfx000 for the host; offload-arch also
    // prints processors of other vendors.
    if (line.empty() || line == "gfx000" || line.starts_with("sm_"))
      continue;
    Gpu gpu;
    gpu.source = run.command;
    gpu.raw = line.take_front(200).str();
    gpu.set(normalize(gpu.raw, run.command));
    run.search.gpus.push_back(std::move(gpu));
  }
}

ToolRun fly::amdgpu::runArchTool(StringRef path, unsigned seconds) {
  ToolRun run;
  run.command = path.str();
  llvm::SmallString<128> out, err;
  if (fs::createTemporaryFile("fly-arch", "out", out)) {
    run.failure = "could not run: no temporary file can be made";
    return run;
  }
  auto removeOut = llvm::scope_exit([&] { (void)fs::remove(out); });
  if (fs::createTemporaryFile("fly-arch", "err", err)) {
    run.failure = "could not run: no temporary file can be made";
    return run;
  }
  auto removeErr = llvm::scope_exit([&] { (void)fs::remove(err); });

  std::optional<StringRef> redirects[] = {StringRef(""), out.str(), err.str()};
  std::string message;
  bool notStarted = false;
  int status =
      llvm::sys::ExecuteAndWait(path, {path}, std::nullopt, redirects, seconds,
                                /*MemoryLimit=*/0, &message, &notStarted);
  constexpr uint64_t limit = 1 << 20;
  llvm::Expected<std::string> output = support::readSmallFile(out, limit);
  llvm::Expected<std::string> errors = support::readSmallFile(err, limit);
  std::string head;
  if (errors)
    head = StringRef(*errors).trim().take_front(200).str();
  else
    llvm::consumeError(errors.takeError());
  std::string tail =
      head.empty() ? std::string() : "; stderr: " + quoted(head, 200);
  if (notStarted || status == -1)
    run.failure = "could not be started: " + message + tail;
  else if (status == -2 && StringRef(message).contains("timed out"))
    run.failure = "timed out after " + std::to_string(seconds) + " s" + tail;
  else if (status == -2)
    run.failure = "crashed: " + message + tail;
  else if (status != 0)
    run.failure = "failed (exit status " + std::to_string(status) + ")" + tail;
  if (!output) {
    std::string why = llvm::toString(output.takeError());
    if (run.failure.empty())
      run.failure = "printed something that " + why + tail;
    return run;
  }
  if (!run.failure.empty())
    return run;
  readLines(run, *output);
  if (run.search.gpus.empty())
    run.failure = (StringRef(*output).trim().empty()
                       ? "printed nothing (exit status 0)"
                       : "printed no GPU (exit status 0): " +
                             quoted(StringRef(*output).trim(), 80)) +
                  tail;
  return run;
}
