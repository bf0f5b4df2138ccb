// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment as a value. Every variable that our code reads stands in
// one table, with its class, and is read only through an `Environment`: an
// immutable snapshot. The law: nothing outside the table is ever read, and two
// equal snapshots give equal results.
//
//   Environment env = Environment::capture();           // the process, now
//   Environment fake = Environment::fromPairs({{"FLY_TARGET", "gfx942"}});
//   std::optional<llvm::StringRef> text = env.get("FLY_TARGET");

#ifndef FLY_SUPPORT_ENVIRONMENT_H
#define FLY_SUPPORT_ENVIRONMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fly::support {

/// What a variable may do to a compiled kernel.
enum class VariableClass {
  /// One of the ways to say the target; only the resolved target is keyed.
  TargetSource,
  /// Its effect (an option's value, the content of a file) is keyed, its text
  /// is not.
  KeyedByEffect,
  /// Never changes code: where to look, how to print.
  NoEffectOnCode
};

/// One row of the table.
struct Variable {
  llvm::StringLiteral name;
  VariableClass kind;
  /// True when `name` followed by `_<decimal number>` is read too.
  bool numberedFamily;
  /// One sentence for the reference page.
  llvm::StringLiteral description;
};

/// Every variable that is ever read, in alphabetical order.
llvm::ArrayRef<Variable> knownVariables();

/// The row for `name`, which may be a member of a numbered family; null when
/// the variable is not one that we read.
const Variable *findVariable(llvm::StringRef name);

/// "target-source", "keyed-by-effect" or "no-effect-on-code".
llvm::StringRef spell(VariableClass kind);

/// An immutable snapshot of the variables of the table.
class Environment {
public:
  /// No variable is set.
  Environment() = default;

  /// Reads the process environment now; nothing is remembered between calls.
  static Environment capture();

  /// A snapshot with the given values. Variables that are not in the table
  /// are left out, since nothing reads them; of repeated names the first
  /// counts, as in `getenv`.
  static Environment
  fromPairs(llvm::ArrayRef<std::pair<std::string, std::string>> pairs);

  /// The value of a variable of the table, or nothing when it is unset. An
  /// empty value is a value.
  std::optional<llvm::StringRef> get(llvm::StringRef name) const;

  /// The value, without blanks around it, of the first of `names` that is set
  /// to more than blanks.
  std::optional<llvm::StringRef>
  firstOf(llvm::ArrayRef<llvm::StringLiteral> names) const;

  /// The members `<name>_<number>` that are set, sorted by number. Numbers
  /// have no leading zero and fit into 32 bits.
  std::vector<std::pair<unsigned, llvm::StringRef>>
  numbered(llvm::StringRef name) const;

private:
  std::map<std::string, std::string> values;
};

} // namespace fly::support

#endif // FLY_SUPPORT_ENVIRONMENT_H
