// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lock files for single flight. A lock is created exclusively and holds its
// owner: host, process, and when that process started (a number may be used
// again). Taking over renames a lock of one's own over the old one and reads it
// back, so that of several takers the last one has it.

#include "fly/Store/Flight.h"

#include "fly/Store/Json.h"
#include "fly/Support/CacheKey.h"
#include "fly/Support/Errors.h"
#include "fly/Support/Files.h"

#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>
#include <unistd.h>

using namespace fly::store;
namespace support = fly::support;
using fly::support::quoted;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
struct Owner {
  std::string host;
  uint64_t process = 0;
  /// Field 22 of /proc/<pid>/stat, or 0.
  uint64_t started = 0;
};
} // namespace

static std::string hostName() {
  char name[256] = "";
  if (::gethostname(name, sizeof(name) - 1))
    return "";
  return json::fixUTF8(name);
}

/// When a process of this machine started, in ticks since boot; 0 if unknown.
static uint64_t startOf(uint64_t process) {
  llvm::Expected<std::string> text = support::readSmallFile(
      "/proc/" + std::to_string(process) + "/stat", 1 << 16);
  if (!text) {
    llvm::consumeError(text.takeError());
    return 0;
  }
  // The second field is a name in parentheses that may hold anything.
  StringRef rest = StringRef(*text).rsplit(')').second;
  llvm::SmallVector<StringRef> fields;
  rest.split(fields, ' ', -1, /*KeepEmpty=*/false);
  uint64_t started = 0;
  if (fields.size() < 20 || fields[19].getAsInteger(10, started))
    return 0;
  return started;
}

static std::string ownText() {
  uint64_t process = ::getpid();
  return printJson(json::Object{{"host", hostName()},
                                {"process", process},
                                {"started", startOf(process)}});
}

static std::optional<Owner> readOwner(StringRef text) {
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  MemberReader reader(*value, "the lock");
  Owner owner;
  owner.host = reader.text("host");
  owner.process = reader.number("process", INT32_MAX);
  owner.started = reader.number("started");
  if (llvm::Error error = reader.finish()) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return owner;
}

/// Whether the owner is known to be dead. Only processes of this machine can
/// be looked at.
static bool isDead(const Owner &owner) {
  if (owner.host != hostName() || owner.process == 0)
    return false;
  if (::kill(pid_t(owner.process), 0) && errno == ESRCH)
    return true;
  uint64_t started = startOf(owner.process);
  return started && owner.started && started != owner.started;
}

/// Why a lock may be taken over, or empty.
static std::string whyStale(StringRef text, int64_t age, unsigned lease) {
  std::optional<Owner> owner = readOwner(text);
  std::string who = owner ? "process " + std::to_string(owner->process) +
                                " on " + quoted(owner->host)
                          : std::string("an unreadable owner");
  if (owner && isDead(*owner))
    return who + " has died";
  // The text is written right after the file is made.
  constexpr int64_t writingTime = 2;
  if (!owner && age >= writingTime)
    return who + " has left it half written";
  if (age >= int64_t(lease))
    return "the lease of " + who + " has expired after " + std::to_string(age) +
           " s";
  return "";
}

Flight Flight::board(const Store &store, StringRef key, FlightOptions options) {
  Flight flight(store);
  if (!store.isWritable() || !support::isKeyText(key))
    return flight;
  const Folder &files = store.files();
  std::string path = ("tmp/" + key + ".lock").str();
  flight.text = ownText();
  using Clock = std::chrono::steady_clock;
  Clock::time_point end =
      Clock::now() + std::chrono::milliseconds(options.waitBound);
  for (unsigned pause = 1;; pause = std::min(2 * pause, 50u)) {
    std::error_code code = files.create(path, flight.text, /*sync=*/false);
    if (!code) {
      flight.lock = path;
      // The last owner may have finished between our look-up and now.
      flight.isThere = bool(store.manifestInfo(key));
      return flight;
    }
    if (code != std::errc::file_exists)
      return flight;
    llvm::ErrorOr<Bytes> bytes = files.read(path, 4096);
    llvm::ErrorOr<FileInfo> info = files.info(path);
    if (bytes && info) {
      std::string held = (*bytes)->getBuffer().str();
      std::string why =
          whyStale(held, std::time(nullptr) - info->time, options.lease);
      std::string mine = files.temporaryName();
      if (!why.empty() && !files.create(mine, flight.text, false)) {
        store.warn("lock of " + key + ": " + why + "; taken over [FLY-S008]");
        if (files.rename(mine, path)) {
          (void)files.remove(mine);
          return flight;
        }
        flight.lock = path;
        return flight;
      }
    }
    if (store.manifestInfo(key)) {
      flight.isThere = true;
      return flight;
    }
    if (Clock::now() >= end) {
      store.warn("lock of " + key + ": waited " +
                 llvm::Twine(options.waitBound) +
                 " ms for its owner; compiling without it [FLY-S008]");
      return flight;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
  }
}

Flight::Flight(Flight &&other)
    : store(other.store), lock(std::move(other.lock)),
      text(std::move(other.text)), isThere(other.isThere) {
  other.lock.clear();
}

Flight::~Flight() {
  if (lock.empty())
    return;
  // Somebody may have taken it over: then it is theirs.
  llvm::ErrorOr<Bytes> bytes = store->files().read(lock, 4096);
  if (bytes && (*bytes)->getBuffer() == text)
    (void)store->files().remove(lock);
}
