// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single flight: of many who want one key, few compile; dead owners are taken
// over; waiting ends.

#include "Fixture.h"

#include "fly/Store/Flight.h"

#include <atomic>
#include <chrono>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace fly::store;

TEST(Flight, ofManyProcessesFewCompile) {
  TemporaryFolder folder;
  std::string path = folder.path("s");
  openStore(path);
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  std::vector<pid_t> children;
  for (unsigned i = 0; i < 200; ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Store store = openStore(path);
      if (store.lookUp(entry.key()).get())
        _exit(0);
      Flight flight = Flight::board(store, entry.key(), {});
      if (flight.found() && store.lookUp(entry.key()).get())
        _exit(0);
      usleep(20000); // compiles
      publish(store, entry);
      _exit(7);
    }
    children.push_back(child);
  }
  unsigned compiled = 0;
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    compiled += WEXITSTATUS(status) == 7;
  }
  EXPECT_GE(compiled, 1u);
  EXPECT_LE(compiled, 3u);
  EXPECT_TRUE(openStore(path).lookUp(entry.key()).get().has_value());
}

TEST(Flight, aDeadOwnerIsTakenOver) {
  TemporaryFolder folder;
  std::vector<std::string> warnings;
  Store store = openStore(folder.path("s"), Mode::ReadWrite, &warnings);
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Flight flight = Flight::board(store, entry.key(), {});
    _exit(flight.owns() ? 0 : 1); // without the destructor
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 0);
  auto begin = std::chrono::steady_clock::now();
  Flight flight = Flight::board(store, entry.key(), {});
  EXPECT_TRUE(flight.owns());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  ASSERT_EQ(warnings.size(), 1u);
  expectAll(warnings[0],
            {"process " + std::to_string(child), "has died", "FLY-S008"});
}

TEST(Flight, waitingIsBounded) {
  TemporaryFolder folder;
  std::vector<std::string> warnings;
  Store store = openStore(folder.path("s"), Mode::ReadWrite, &warnings);
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  {
    Flight first = Flight::board(store, entry.key(), {});
    EXPECT_TRUE(first.owns());
    FlightOptions options;
    options.waitBound = 50;
    Flight second = Flight::board(store, entry.key(), options);
    EXPECT_FALSE(second.owns());
    EXPECT_FALSE(second.found());
    ASSERT_EQ(warnings.size(), 1u);
    expectAll(
        warnings[0],
        {"lock of " + entry.key() +
         ": waited 50 ms for its owner; compiling without it [FLY-S008]"});
  }
  EXPECT_TRUE(store.files().list("tmp").get().empty());
  // An expired lease on another machine.
  writeFile(folder.path("s/tmp/" + entry.key() + ".lock"),
            "{\"host\":\"elsewhere\",\"process\":1,\"started\":1}\n");
  FlightOptions options;
  options.lease = 0;
  EXPECT_TRUE(Flight::board(store, entry.key(), options).owns());
  expectAll(warnings.back(),
            {"the lease of process 1 on 'elsewhere' has expired after ",
             " s; taken over [FLY-S008]"});
}

TEST(Flight, theWaitersFindTheEntry) {
  TemporaryFolder folder;
  Store store = openStore(folder.path("s"));
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  std::optional<Flight> owner(Flight::board(store, entry.key(), {}));
  std::atomic<bool> found{false};
  std::thread waiter(
      [&] { found = Flight::board(store, entry.key(), {}).found(); });
  publish(store, entry);
  owner.reset();
  waiter.join();
  EXPECT_TRUE(found);
}
