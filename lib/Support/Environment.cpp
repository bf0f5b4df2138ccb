// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of environment variables, and snapshots of them. This is the only
// file of the project that reads the process environment.

#include "fly/Support/Environment.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

extern char **environ;

using namespace fly::support;
using llvm::StringRef;

static constexpr VariableClass source = VariableClass::TargetSource;
static constexpr VariableClass effect = VariableClass::KeyedByEffect;
static constexpr VariableClass none = VariableClass::NoEffectOnCode;

/// In alphabetical order.
static constexpr Variable table[] = {
    {"ARCH", source, false,
     "target, when it is the name of an AMDGPU processor"},
    {"CUDA_VISIBLE_DEVICES", source, false,
     "as HIP_VISIBLE_DEVICES, when that is unset"},
    {"FLYDSL_COMPILE_BACKEND", effect, false, "as FLY_BACKEND, after it"},
    {"FLYDSL_COMPILE_LLVM_DIR", effect, false, "as FLY_LLVM_DIR, after it"},
    {"FLYDSL_COMPILE_OPT_LEVEL", effect, false, "as FLY_OPT_LEVEL, after it"},
    {"FLYDSL_DEBUG_ENABLE_DEBUG_INFO", effect, false,
     "line tables when true, when neither an option nor FLY_DEBUG says more"},
    {"FLYDSL_EXTRA_SOURCE_DIRS", effect, false, "as FLY_INPUTS, after it"},
    {"FLYDSL_GPU_ARCH", source, false, "target, after FLY_TARGET"},
    {"FLY_BACKEND", effect, false, "name of the backend; there is one, rocm"},
    {"FLY_DEBUG", effect, false,
     "debug information, none, lines or full, when no option gives it"},
    {"FLY_DEVICE_LIBS", effect, false,
     "folder that holds the device bitcode libraries"},
    {"FLY_INPUTS", effect, false,
     "files and folders whose content joins the key, separated by colons, "
     "when no option gives them"},
    {"FLY_LLVM_DIR", effect, false,
     "prefix of the LLVM that shall compile; keyed by its build-ids"},
    {"FLY_OPT_LEVEL", effect, false,
     "optimisation level, 0 to 3, when no option gives it"},
    {"FLY_STORE", none, false,
     "stores that are searched when no option names one, separated by colons"},
    {"FLY_STORE_AUTH", none, false,
     "user:password or 'bearer TOKEN' for remote stores; never printed"},
    {"FLY_STORE_AUTH_FILE", none, false,
     "file that holds what FLY_STORE_AUTH would"},
    {"FLY_TARGET", source, false,
     "target, after options and what the module says"},
    {"GPU_DEVICE_ORDINAL", source, false,
     "ordinals of the GPUs that remain visible, applied last"},
    {"HIP_VISIBLE_DEVICES", source, false,
     "ordinals of the GPUs that remain visible, after ROCR_VISIBLE_DEVICES"},
    {"HSA_OVERRIDE_GFX_VERSION", source, true,
     "version that the runtime believes in, for all nodes or for one; "
     "replaces detection"},
    {"LD_AUDIT", effect, false,
     "what tells the loader where to look; as LD_LIBRARY_PATH"},
    {"LD_LIBRARY_PATH", effect, false,
     "where the loader takes LLVM from; its build-id is in the key"},
    {"LD_PRELOAD", effect, false, "what the loader adds; as LD_LIBRARY_PATH"},
    {"PATH", none, false, "where the programs that detect a GPU are searched"},
    {"ROCM_HOME", effect, false, "ROCm root, after ROCM_ROOT"},
    {"ROCM_PATH", effect, false,
     "ROCm root, searched for the device bitcode libraries"},
    {"ROCM_ROOT", effect, false, "ROCm root, after ROCM_PATH"},
    {"ROCR_VISIBLE_DEVICES", source, false,
     "ordinals or GPU-<uuid> of the GPUs that are visible at all"},
};

llvm::ArrayRef<Variable> fly::support::knownVariables() { return table; }

/// The number in `text` when it is a decimal one without leading zeros.
static std::optional<unsigned> nodeNumber(StringRef text) {
  unsigned number;
  if (text.empty() || (text.size() > 1 && text.front() == '0') ||
      text.find_first_not_of("0123456789") != StringRef::npos ||
      text.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

const Variable *fly::support::findVariable(StringRef name) {
  for (const Variable &row : table) {
    if (row.name == name)
      return &row;
    StringRef rest = name;
    if (row.numberedFamily && rest.consume_front(row.name) &&
        rest.consume_front("_") && nodeNumber(rest))
      return &row;
  }
  return nullptr;
}

StringRef fly::support::spell(VariableClass kind) {
  switch (kind) {
  case VariableClass::TargetSource:
    return "target-source";
  case VariableClass::KeyedByEffect:
    return "keyed-by-effect";
  case VariableClass::NoEffectOnCode:
    return "no-effect-on-code";
  }
  return "";
}

Environment Environment::capture() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Variable &row : table)
    if (const char *value = std::getenv(row.name.str().c_str()))
      pairs.emplace_back(row.name.str(), value);
  // Members of families are not known by name: walk the whole block.
  for (char **entry = environ; entry && *entry; ++entry) {
    auto [name, value] = StringRef(*entry).split('=');
    const Variable *row = findVariable(name);
    if (row && row->name != name)
      pairs.emplace_back(name.str(), value.str());
  }
  return fromPairs(pairs);
}

Environment Environment::fromPairs(
    llvm::ArrayRef<std::pair<std::string, std::string>> pairs) {
  Environment result;
  for (const auto &[name, value] : pairs)
    if (findVariable(name))
      result.values.emplace(name, value);
  return result;
}

std::optional<StringRef> Environment::get(StringRef name) const {
  assert(findVariable(name) && "variable is not in the table");
  auto found = values.find(name.str());
  if (found == values.end())
    return std::nullopt;
  return StringRef(found->second);
}

std::optional<StringRef>
Environment::firstOf(llvm::ArrayRef<llvm::StringLiteral> names) const {
  for (StringRef name : names)
    if (std::optional<StringRef> value = get(name))
      if (StringRef text = value->trim(); !text.empty())
        return text;
  return std::nullopt;
}

std::vector<std::pair<unsigned, StringRef>>
Environment::numbered(StringRef name) const {
  assert(findVariable(name) && findVariable(name)->numberedFamily &&
         "not a numbered family");
  std::vector<std::pair<unsigned, StringRef>> members;
  std::string prefix = name.str() + "_";
  for (auto it = values.lower_bound(prefix); it != values.end(); ++it) {
    StringRef rest = it->first;
    if (!rest.consume_front(prefix))
      break;
    if (std::optional<unsigned> number = nodeNumber(rest))
      members.emplace_back(*number, it->second);
  }
  std::sort(members.begin(), members.end());
  return members;
}
