// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules. Each takes one statement (an op's name at the beginning of a line
// or after `=`, and the rest of its line) and answers its 22.1 spelling. A
// constant that a rule needs is written before the statement on the same line.
//
//   %d = rocdl.mfma.f32.4x4x1f32 %a, %b, %c, 0, 0, none : (f32, f32, T) -> T

#include "fly/Import/Respell.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <optional>

using namespace fly::import;
using llvm::StringRef;

namespace {
/// One statement: `results = name body`. The body begins after the name.
struct Statement {
  StringRef results, name, body;
};

/// Operands of a body, and what follows them (attributes, types, location).
struct Operands {
  llvm::SmallVector<StringRef, 8> items;
  StringRef rest;
};

class Respeller {
public:
  Respeller(StringRef text, std::vector<Refusal> &refusals)
      : text(text), refusals(refusals) {}
  std::string run();

private:
  std::string line(StringRef line, StringRef indent);
  std::optional<std::string> respellStatement(const Statement &statement);
  std::optional<std::string> barrier(const Statement &, bool group);
  std::optional<std::string> mfma(const Statement &);
  std::optional<std::string> buffer(const Statement &);
  std::optional<std::string> dropFastmath(const Statement &);
  std::optional<std::string> readRegister(const Statement &);
  std::optional<std::string> tensor(const Statement &);
  std::string constant(StringRef value, std::string &before);
  void refuse(StringRef at, const llvm::Twine &message);

  StringRef text;
  std::vector<Refusal> &refusals;
  std::string prefix;
  size_t constants = 0;
  size_t lineNumber = 1;
  StringRef currentLine;
};
} // namespace

/// Where a line's code ends: at a comment that stands in no string.
static size_t codeEnd(StringRef line) {
  bool inString = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (inString && line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      inString = !inString;
    else if (!inString && line.substr(i).starts_with("//"))
      return i;
  }
  return line.rtrim("\r\n \t").size();
}

static bool isNameChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

static bool isInteger(StringRef word) {
  word.consume_front("-");
  return !word.empty() && llvm::all_of(word, llvm::isDigit);
}

static Operands operandsOf(StringRef body) {
  Operands result;
  StringRef left = body;
  while (true) {
    left = left.ltrim(" \t");
    size_t end = left.find_first_of(",:{ \t");
    if (end == StringRef::npos)
      end = left.size();
    result.items.push_back(left.take_front(end));
    StringRef next = left.drop_front(end).ltrim(" \t");
    if (!next.consume_front(",")) {
      result.rest = next;
      return result;
    }
    left = next;
  }
}

/// The bits of a name that `sched.barrier` and its kin take.
static std::optional<unsigned> maskBit(StringRef name) {
  return llvm::StringSwitch<std::optional<unsigned>>(name)
      .Case("none", 0)
      .Case("non_mem_non_side_effect", 1)
      .Case("valu", 2)
      .Case("salu", 4)
      .Case("mfma_wmma", 8)
      .Case("all_vmem", 16)
      .Case("vmem_read", 32)
      .Case("vmem_write", 64)
      .Case("all_ds", 128)
      .Case("ds_read", 256)
      .Case("ds_write", 512)
      .Case("transcendental", 1024)
      .Default(std::nullopt);
}

void Respeller::refuse(StringRef at, const llvm::Twine &message) {
  size_t column = at.data() - currentLine.data() + 1;
  refusals.push_back({lineNumber, column, message.str()});
}

/// Writes a constant of 32 bits to `before`; its name.
std::string Respeller::constant(StringRef value, std::string &before) {
  std::string name = prefix + llvm::utostr(constants++);
  before += name + " = llvm.mlir.constant(" + value.str() + " : i32) : i32 ";
  return name;
}

std::optional<std::string> Respeller::barrier(const Statement &s, bool group) {
  size_t end = group
                   ? s.body.find(',')
                   : std::min(s.body.find_first_of("{:"), s.body.find(" loc("));
  if (end == StringRef::npos)
    end = s.body.size();
  StringRef names = s.body.take_front(end).trim();
  // A number as 22.1 reads it, with or without 0x.
  if (uint64_t number; isInteger(names) || !names.getAsInteger(0, number))
    return std::nullopt;
  unsigned mask = 0;
  StringRef left = names;
  while (true) {
    auto [name, more] = left.split('|');
    name = name.trim();
    std::optional<unsigned> bit = maskBit(name);
    if (!bit) {
      refuse(s.name, "'" + s.name + "' has the unknown mask '" + name + "'");
      return std::nullopt;
    }
    mask |= *bit;
    if (!left.contains('|'))
      break;
    left = more;
  }
  size_t tail = names.data() + names.size() - s.body.data();
  return (s.results + s.name + " " + llvm::utostr(mask) +
          s.body.drop_front(tail))
      .str();
}

std::optional<std::string> Respeller::mfma(const Statement &s) {
  Operands operands = operandsOf(s.body);
  llvm::SmallVector<StringRef, 8> &items = operands.items;
  size_t values = llvm::count_if(
      items, [](StringRef item) { return item.starts_with("%"); });
  if (values == items.size())
    return std::nullopt;
  size_t close = operands.rest.find(") ->");
  bool known = close != StringRef::npos && operands.rest.starts_with(":");
  std::string before, list, types;
  for (StringRef item : items) {
    if (item == "none")
      item = "0";
    bool value = item.starts_with("%");
    known &= value || isInteger(item);
    list += (list.empty() ? " " : ", ");
    list += value ? item.str() : constant(item, before);
    if (!value)
      types += ", i32";
  }
  if (!known) {
    refuse(s.name, "'" + s.name +
                       "' was expected with values, numbers or 'none', then "
                       "its function type");
    return std::nullopt;
  }
  return (before + s.results + s.name + list + " " +
          operands.rest.take_front(close) + types +
          operands.rest.drop_front(close))
      .str();
}

std::optional<std::string> Respeller::buffer(const Statement &s) {
  Operands operands = operandsOf(s.body);
  StringRef atomic = "rocdl.raw.ptr.buffer.atomic.fadd";
  bool intrinsic = s.name == atomic && !s.results.empty();
  bool respelt = intrinsic;
  std::string before, list;
  for (StringRef item : operands.items) {
    bool value = item.starts_with("%");
    if (!value && !isInteger(item)) {
      refuse(s.name, "'" + s.name + "' was expected with values and numbers");
      return std::nullopt;
    }
    respelt |= !value;
    list += list.empty() ? "" : ", ";
    list += value ? item.str() : constant(item, before);
  }
  if (!respelt)
    return std::nullopt;
  StringRef type = operands.rest;
  if (!intrinsic)
    return (before + s.results + s.name + " " + list +
            (type.empty() ? "" : " ") + type)
        .str();
  size_t location = type.find(" loc(");
  StringRef tail =
      location == StringRef::npos ? StringRef() : type.drop_front(location);
  type = type.take_front(location);
  if (operands.items.size() != 5 || !type.consume_front(":")) {
    refuse(s.name, "'" + s.name + "' was expected with five operands and ':'");
    return std::nullopt;
  }
  type = type.trim();
  return (before + s.results +
          "llvm.call_intrinsic \"llvm.amdgcn.raw.ptr.buffer.atomic.fadd\"(" +
          list + ") : (" + type + ", !llvm.ptr<8>, i32, i32, i32) -> " + type +
          tail)
      .str();
}

std::optional<std::string> Respeller::dropFastmath(const Statement &s) {
  size_t begin = s.body.find(" fastmath<");
  size_t end = s.body.find('>', begin);
  if (begin == StringRef::npos || end == StringRef::npos ||
      begin > s.body.find(':'))
    return std::nullopt;
  return (s.results + s.name + s.body.take_front(begin) +
          s.body.drop_front(end + 1))
      .str();
}

std::optional<std::string> Respeller::readRegister(const Statement &s) {
  StringRef type = s.body.ltrim();
  if (!type.consume_front(":")) {
    refuse(s.name, "'" + s.name + "' was expected with ':' and its type");
    return std::nullopt;
  }
  return (s.results + "llvm.call_intrinsic \"llvm.amdgcn" +
          s.name.drop_front(StringRef("rocdl").size()) + "\"() : () -> " +
          type.ltrim())
      .str();
}

std::optional<std::string> Respeller::tensor(const Statement &s) {
  if (s.body.contains(" cachepolicy "))
    return std::nullopt;
  Operands operands = operandsOf(s.body);
  auto &items = operands.items;
  if (items.size() != 6 || !isInteger(items[5]) ||
      !llvm::all_of(llvm::ArrayRef(items).take_front(5),
                    [](StringRef item) { return item.starts_with("%"); })) {
    refuse(s.name,
           "'" + s.name + "' was expected with five values and a number");
    return std::nullopt;
  }
  return (s.results + s.name + " " +
          llvm::join(llvm::ArrayRef(items).take_front(4), ", ") +
          " cachepolicy " + items[5] + " " + operands.rest)
      .str();
}

std::optional<std::string> Respeller::respellStatement(const Statement &s) {
  if (s.name == "rocdl.sched.barrier" || s.name == "rocdl.sched.group.barrier")
    return barrier(s, s.name.contains("group"));
  if (s.name.starts_with("rocdl.mfma."))
    return mfma(s);
  if (s.name.starts_with("rocdl.raw.ptr.buffer."))
    return buffer(s);
  if (s.name == "llvm.fpext" || s.name == "llvm.fptrunc")
    return dropFastmath(s);
  if (s.name == "rocdl.wave.id" ||
      s.name.starts_with("rocdl.cluster.workgroup.id."))
    return readRegister(s);
  if (s.name == "rocdl.tensor.load.to.lds" ||
      s.name == "rocdl.tensor.store.from.lds")
    return tensor(s);
  return std::nullopt;
}

/// One line, without its end, respelt where a rule applies.
std::string Respeller::line(StringRef line, StringRef indent) {
  StringRef code = line.take_front(codeEnd(line));
  if (!code.consume_front(indent))
    return line.str(); // blank
  StringRef left = code;
  if (left.starts_with("%")) {
    size_t equals = left.find('=');
    if (equals == StringRef::npos)
      return line.str();
    left = left.drop_front(equals + 1).ltrim(" \t");
  }
  Statement s;
  s.results = code.drop_back(left.size());
  s.name = left.take_while(isNameChar);
  s.body = left.drop_front(s.name.size()).rtrim();
  std::optional<std::string> changed = respellStatement(s);
  if (!changed)
    return line.str();
  size_t end = s.body.data() + s.body.size() - line.data();
  return (indent + *changed + line.drop_front(end)).str();
}

std::string Respeller::run() {
  // A prefix that the text has not: one more underscore than it uses.
  size_t underscores = 0;
  StringRef word = "%fly_import";
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    StringRef after = text.drop_front(at + word.size());
    underscores = std::max(
        underscores, after.take_while([](char c) { return c == '_'; }).size());
  }
  prefix = word.str() + std::string(underscores + 1, '_');
  // Bytecode is no text: 22.1 reads it, or refuses its version.
  if (text.starts_with("ML\xEFR"))
    return text.str();
  std::string out;
  out.reserve(text.size());
  for (StringRef left = text; !left.empty(); ++lineNumber) {
    size_t end = left.find('\n');
    currentLine = left.take_front(end);
    out += line(currentLine, currentLine.take_while(
                                 [](char c) { return c == ' ' || c == '\t'; }));
    if (end == StringRef::npos)
      break;
    out += '\n';
    left = left.drop_front(end + 1);
  }
  return out;
}

std::string fly::import::respell(StringRef text,
                                 std::vector<Refusal> &refusals) {
  return Respeller(text, refusals).run();
}
