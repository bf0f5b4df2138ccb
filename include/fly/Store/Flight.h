// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single flight: of many processes that miss one key at the same time, one
// compiles and the others wait for its entry. A key goes in; out comes "go and
// compile" or "it is there now". The laws: a dead owner is taken over; waiting
// is bounded, and then everybody compiles; nothing depends on it but time, so
// every failure means "compile".
//
//   Flight flight = Flight::board(store, key, {});
//   if (flight.found()) ... look up again ...
//   else ... compile, publish; the destructor lets the others go

#ifndef FLY_STORE_FLIGHT_H
#define FLY_STORE_FLIGHT_H

#include "fly/Store/Store.h"

#include <string>

namespace fly::store {

struct FlightOptions {
  /// How long to wait for another process, in milliseconds.
  unsigned waitBound = 120000;
  /// An owner on another machine that has not finished after so many seconds
  /// counts as dead.
  unsigned lease = 600;
};

class Flight {
public:
  /// Waits while a living process has the key. S008 goes to `store.warn`.
  static Flight board(const Store &store, llvm::StringRef key,
                      FlightOptions options);

  Flight(Flight &&other);
  Flight(const Flight &) = delete;
  Flight &operator=(Flight &&) = delete;
  ~Flight();

  /// Whether the entry has appeared while waiting.
  bool found() const { return isThere; }
  /// Whether this process has the key.
  bool owns() const { return !lock.empty(); }

private:
  explicit Flight(const Store &store) : store(&store) {}

  const Store *store;
  /// Path of the lock that this process has, or empty.
  std::string lock;
  std::string text;
  bool isThere = false;
};

} // namespace fly::store

#endif // FLY_STORE_FLIGHT_H
