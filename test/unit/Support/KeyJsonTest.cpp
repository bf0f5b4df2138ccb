// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys as JSON. Laws: what is written reads back as the same key; whatever is
// changed in the text is refused, with what is wrong about it.

#include "fly/Support/CacheKey.h"

#include "gtest/gtest.h"

using namespace fly::support;
namespace json = llvm::json;

static CacheKey sample() {
  CacheKey key;
  key.components.push_back(
      {"target", {{"chip", "gfx942"}, {"xnack", std::nullopt}}});
  key.components.push_back({"salt", {{"text", std::string("\xFF\x00", 2)}}});
  return key;
}

/// What is said about the key's JSON after `change` of its text.
static std::string refusal(llvm::StringRef from, llvm::StringRef to) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(sample().json());
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str() << " in " << text;
  if (at == std::string::npos)
    return "";
  text.replace(at, from.size(), to.str());
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return llvm::toString(value.takeError());
  llvm::Expected<CacheKey> key = CacheKey::fromJson(*value);
  return key ? "accepted" : llvm::toString(key.takeError());
}

TEST(KeyJson, readsBack) {
  CacheKey key = sample();
  llvm::Expected<CacheKey> read = CacheKey::fromJson(json::Value(key.json()));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->text(), key.text());
  ASSERT_EQ(read->components.size(), 2u);
  EXPECT_EQ(read->components[0].name, "target");
  EXPECT_EQ(read->components[1].find("text")->value,
            std::string("\xFF\x00", 2));
}

TEST(KeyJson, refusesWhatWasChanged) {
  std::string digest = sample().components[0].digest().hex();
  EXPECT_EQ(refusal("fly-key/1", "fly-key/2"),
            "expected schema 'fly-key/1', found 'fly-key/2'");
  EXPECT_EQ(refusal("\"schema\"", "\"scheme\""),
            "expected schema 'fly-key/1', found none");
  EXPECT_EQ(refusal("\"key\"", "\"keys\""),
            "expected the members 'key' and 'components'");
  EXPECT_EQ(refusal("\"name\":\"salt\"", "\"nome\":\"salt\""),
            "a component is not {name, digest, fields}");
  EXPECT_EQ(refusal("\"gfx942\"", "7"),
            "component 'target': a field is neither a text, null nor "
            "{\"hex\": digits}");
  EXPECT_EQ(refusal("\"gfx942\"", "{\"hex\":\"4\",\"more\":1}"),
            "component 'target': a field is neither a text, null nor "
            "{\"hex\": digits}");
  EXPECT_EQ(refusal("\"gfx942\"", "\"gfx950\"")
                .rfind("component 'target' has digest '" + digest +
                           "', its fields give ",
                       0),
            0u);
  EXPECT_EQ(refusal(sample().text(), "fly1-0")
                .rfind("the key is 'fly1-0', its components give fly1-", 0),
            0u);
}

TEST(KeyJson, refusesOtherValues) {
  llvm::Expected<CacheKey> list = CacheKey::fromJson(json::Array());
  EXPECT_EQ(llvm::toString(list.takeError()),
            "expected an object of schema 'fly-key/1'");
  CacheKey twice = sample();
  twice.components.push_back(twice.components[0]);
  llvm::Expected<CacheKey> read =
      CacheKey::fromComponentsJson(twice.componentsJson());
  EXPECT_EQ(llvm::toString(read.takeError()),
            "component 'target' stands twice");
}
