// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remote stores against a server in this process: what was sent comes back to
// others, in both layouts; whatever the server answers, nothing wrong is served
// and nobody fails because of it.

#include "Fixture.h"

#include "fly/Store/Paths.h"

#include <random>

using namespace fly::store;
using llvm::StringRef;

namespace {
/// What a server has, and how it misbehaves.
struct Server {
  std::map<std::string, std::string> files;
  std::vector<std::string> log;
  bool isDown = false;
  unsigned putStatus = 201;
  unsigned getStatus = 0;
  /// Changes what is answered to GET.
  std::function<void(std::string &)> spoil;
};

class FakeTransport : public Transport {
public:
  explicit FakeTransport(Server &server) : server(server) {}

  llvm::Expected<Answer> send(StringRef method, StringRef url, StringRef body,
                              uint64_t limit) override {
    server.log.push_back((method + " " + url).str());
    if (server.isDown)
      return llvm::createStringError("could not connect");
    if (method == "PUT") {
      if (server.putStatus == 201)
        server.files[url.str()] = body.str();
      return Answer{server.putStatus, ""};
    }
    if (server.getStatus)
      return Answer{server.getStatus, "<html>"};
    auto file = server.files.find(url.str());
    if (file == server.files.end())
      return Answer{404, "not found"};
    std::string content = file->second;
    if (server.spoil)
      server.spoil(content);
    if (method == "HEAD")
      return Answer{200, ""};
    if (content.size() > limit)
      return llvm::createStringError("the answer is too long");
    return Answer{200, content};
  }

private:
  Server &server;
};

/// Two clients of one server, each with a store of its own or none.
struct Clients {
  TemporaryFolder folder;
  Server server;
  std::vector<std::string> warnings;
  bool notes = false;

  Layers open(StringRef own, StringRef url, bool strict = false) {
    LayersOptions options;
    options.strict = strict;
    options.notes = notes;
    options.warn = [this](const std::string &text) {
      warnings.push_back(text);
    };
    options.transport = [this] {
      return std::make_unique<FakeTransport>(server);
    };
    std::vector<LayerSpec> specs;
    if (!own.empty())
      specs.push_back({folder.path(own), Mode::ReadWrite});
    specs.push_back(LayerSpec::parse(url));
    return std::move(*Layers::open(specs, options));
  }

  std::string outcome(const Layers &layers, const Entry &entry) {
    auto found = layers.lookUp(StringRef(entry.key()));
    if (!found)
      return llvm::toString(found.takeError());
    if (!*found)
      return "miss";
    EXPECT_EQ((*found)->bytes->getBuffer(), entry.bytes);
    return (*found)->store;
  }
};
} // namespace

static constexpr char webdav[] = "http://host:81/kernels/";
static constexpr char bazel[] = "http://host/x|layout=bazel";

TEST(Remote, whatOneClientSendsAnotherGets) {
  for (StringRef url : {webdav, bazel}) {
    Clients clients;
    Entry entry = makeEntry("gfx942", {"k"}, 1);
    EXPECT_EQ(clients.open("a", url)
                  .publishRemotely(entry.manifest, entry.bytes, {"unit"})
                  .size(),
              1u);
    Layers other = clients.open("b", url);
    EXPECT_TRUE(
        StringRef(clients.outcome(other, entry)).starts_with("http://host"));
    // It is kept: the server is not asked again.
    size_t asked = clients.server.log.size();
    EXPECT_EQ(clients.outcome(other, entry), clients.folder.path("b"));
    EXPECT_EQ(clients.server.log.size(), asked);
    // By the name of the unit, without a store of one's own.
    auto hit = clients.open("", url).lookUpUnit(
        "unit", targetOf("gfx942:sramecc+:xnack-"));
    ASSERT_TRUE(bool(hit)) << llvm::toString(hit.takeError());
    ASSERT_TRUE(hit->has_value());
    EXPECT_EQ((**hit).artefact.bytes->getBuffer(), entry.bytes);
    EXPECT_TRUE(clients.warnings.empty());
    EXPECT_EQ(clients.outcome(other, makeEntry("gfx942", {"k"}, 2)), "miss");
  }
}

TEST(Remote, hitsAreNotedAsRemote) {
  Clients clients;
  clients.notes = true;
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  clients.open("", webdav).publishRemotely(entry.manifest, entry.bytes, {});
  Layers layers = clients.open("a", webdav);
  clients.outcome(layers, entry);
  std::vector<std::pair<std::string, uint64_t>> expected = {{"hit remote", 1}};
  EXPECT_EQ(layers.writable()->notes(), expected);
}

TEST(Remote, layouts) {
  Clients clients;
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  clients.open("", webdav).publishRemotely(entry.manifest, entry.bytes, {});
  clients.open("", bazel).publishRemotely(entry.manifest, entry.bytes, {});
  std::string root = "http://host:81/kernels/";
  EXPECT_EQ(clients.server.files[root + indexPath(entry.key())],
            entry.manifest.text());
  EXPECT_EQ(clients.server.files[root + objectPath(entry.manifest.payload)],
            entry.bytes);
  EXPECT_EQ(clients.server.files["http://host/x/ac/" +
                                 StringRef(entry.key()).substr(5).str()],
            entry.manifest.text());
  EXPECT_EQ(
      clients.server.files["http://host/x/ac/" + entry.manifest.payload.hex()],
      entry.bytes);
  EXPECT_EQ(clients.server.files.size(), 4u);
  // The payload goes first, and what is there is not sent again.
  const std::vector<std::string> &log = clients.server.log;
  ASSERT_EQ(log.size(), 8u);
  EXPECT_TRUE(StringRef(log[2]).starts_with("PUT " + root + "objects/"));
  EXPECT_TRUE(StringRef(log[3]).starts_with("PUT " + root + "index/"));
  clients.open("", webdav).publishRemotely(entry.manifest, entry.bytes, {});
  EXPECT_EQ(clients.server.log.size(), 9u);
}

TEST(Remote, aServerThatIsDownIsAskedOnce) {
  Clients clients;
  clients.server.isDown = true;
  Layers layers = clients.open("a", webdav);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(clients.outcome(layers, makeEntry("gfx942", {"k"}, i)), "miss");
  EXPECT_TRUE(
      layers.publishRemotely(makeEntry("gfx942", {"k"}, 1).manifest, "", {"u"})
          .empty());
  EXPECT_EQ(clients.server.log.size(), 1u);
  ASSERT_EQ(clients.warnings.size(), 1u);
  expectAll(clients.warnings[0],
            {"http://host:81/kernels", "could not connect", "FLY-S006"});
}

TEST(Remote, serversThatRefuse) {
  Clients clients;
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  clients.server.putStatus = 403;
  Layers layers = clients.open("a", webdav);
  for (unsigned i = 0; i < 2; ++i)
    EXPECT_TRUE(
        layers.publishRemotely(entry.manifest, entry.bytes, {}).empty());
  ASSERT_EQ(clients.warnings.size(), 1u);
  expectAll(clients.warnings[0],
            {"server 'http://host:81/kernels' answers 403 to PUT; it is only "
             "read from now on [FLY-S006]"});
  clients.server.getStatus = 500;
  EXPECT_EQ(clients.outcome(layers, entry), "miss");
  EXPECT_EQ(clients.outcome(layers, entry), "miss");
  ASSERT_EQ(clients.warnings.size(), 2u);
  expectAll(clients.warnings[1], {"500", "GET"});
  // One that is only read is sent nothing.
  Clients readers;
  EXPECT_TRUE(readers.open("a", std::string("ro:") + webdav)
                  .publishRemotely(entry.manifest, entry.bytes, {})
                  .empty());
  EXPECT_TRUE(readers.server.log.empty());
}

TEST(Remote, nonsenseIsNeverServed) {
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  Entry other = makeEntry("gfx942", {"k"}, 2);
  std::mt19937 random(5);
  const std::function<void(std::string &)> spoils[] = {
      [](std::string &text) { text.clear(); },
      [](std::string &text) { text = "<html>It works!</html>"; },
      [](std::string &text) { text.pop_back(); },
      [](std::string &text) { text += "x"; },
      [&](std::string &text) { text[random() % text.size()] ^= 1; },
      [&](std::string &text) {
        for (char &letter : text)
          letter = char(random());
      },
      [&](std::string &text) {
        text = text.front() == '{' ? other.manifest.text() : other.bytes;
      }};
  for (const auto &spoil : spoils)
    for (unsigned round = 0; round < 20; ++round) {
      Clients clients;
      clients.open("", webdav).publishRemotely(entry.manifest, entry.bytes, {});
      clients.server.spoil = spoil;
      Layers layers = clients.open("a", webdav);
      EXPECT_EQ(clients.outcome(layers, entry), "miss");
      EXPECT_EQ(clients.warnings.size(), 1u);
      EXPECT_TRUE(openStore(clients.folder.path("a")).keys().get().empty());
    }
}

TEST(Remote, aStrictMissNamesTheServer) {
  Clients clients;
  Entry entry = makeEntry("gfx942", {"k"}, 1);
  auto found =
      clients.open("", webdav, /*strict=*/true).lookUp(entry.manifest.key);
  expectAll(textOf(found.takeError()),
            {"looked in: http://host:81/kernels (rw, a server)", "FLY-S001"});
}

TEST(Remote, addresses) {
  auto specs = parseLayerList("a:http://h:81/x:ro:https://i/y|layout=bazel:b");
  ASSERT_EQ(specs.size(), 4u);
  EXPECT_EQ(specs[1].path, "http://h:81/x");
  EXPECT_EQ(specs[2].path, "https://i/y|layout=bazel");
  EXPECT_EQ(specs[2].mode, Mode::ReadOnly);
  EXPECT_EQ(specs[3].path, "b");
  auto refusal = [](StringRef text) {
    auto spec = RemoteSpec::parse(text, Mode::Auto);
    return spec ? "none" : llvm::toString(spec.takeError());
  };
  std::string secret = refusal("http://me:secret@host/x");
  expectAll(
      secret,
      {"the address of a server holds a user or a password; expected them in "
       "FLY_STORE_AUTH or the file FLY_STORE_AUTH_FILE [FLY-S005]"});
  EXPECT_EQ(secret.find("secret@"), std::string::npos);
  expectAll(refusal("http://"), {"server 'http://' is not an address, expected "
                                 "http://host/path [FLY-S005]"});
  expectAll(refusal("http://h/a b"), {"is not an address"});
  expectAll(refusal("http://h/a|layout=zip"),
            {"server 'http://h/a' has the attribute 'layout=zip', expected "
             "layout=webdav or layout=bazel [FLY-S005]"});
  EXPECT_EQ(refusal("http://h/a|layout=webdav"), "none");
}
