// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of `#fly.target`: a target ID in quotes, then the fields that differ
// from the processor's defaults. The parser fills defaults in and the printer
// leaves them out, so that each target has one text.
//
//   #fly.target<"gfx1100", wave = 64>

#include "fly/Dialect/Fly/IR/FlyTarget.h"

#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Support/Errors.h"

namespace fly::amdgpu {
llvm::hash_code hash_value(const Target &target) {
  return llvm::hash_combine(target.chip, target.sramecc, target.xnack,
                            target.wave, target.cumode, target.abi);
}
} // namespace fly::amdgpu

using namespace mlir;
using namespace mlir::fly;
using ::fly::amdgpu::Chip;
using ::fly::amdgpu::Target;

const Chip &TargetAttr::getChip() const { return getValue().row(); }
std::string TargetAttr::getID() const { return getValue().id(); }
unsigned TargetAttr::getWave() const { return getValue().wave; }
bool TargetAttr::getCumode() const { return getValue().cumode; }
unsigned TargetAttr::getAbi() const { return getValue().abi; }

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Target value) {
  if (llvm::Error error = value.verify())
    return emitError() << llvm::toString(std::move(error));
  return success();
}

/// Parses `= value` of the field `name` into `target`.
static ParseResult parseField(AsmParser &parser, StringRef name, SMLoc loc,
                              Target &target) {
  if (parser.parseEqual())
    return failure();
  if (name == "cumode") {
    bool on = succeeded(parser.parseOptionalKeyword("true"));
    if (!on && parser.parseKeyword("false", " or 'true' for cumode"))
      return failure();
    target.cumode = on;
    return success();
  }
  return parser.parseInteger(name == "wave" ? target.wave : target.abi);
}

Attribute TargetAttr::parse(AsmParser &parser, Type type) {
  SMLoc start = parser.getCurrentLocation();
  std::string text;
  if (parser.parseLess() || parser.parseString(&text))
    return {};
  llvm::Expected<Target> target = ::fly::amdgpu::parseTargetID(text);
  if (!target) {
    parser.emitError(start, llvm::toString(target.takeError()));
    return {};
  }
  SmallVector<StringRef, 3> seen;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return {};
    if (name != "wave" && name != "cumode" && name != "abi") {
      parser.emitError(loc, "expected 'wave', 'cumode' or 'abi', found ")
          << ::fly::support::quoted(name);
      return {};
    }
    if (llvm::is_contained(seen, name)) {
      parser.emitError(loc, "field '") << name << "' is given twice";
      return {};
    }
    seen.push_back(name);
    if (parseField(parser, name, loc, *target))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TargetAttr>(start, parser.getContext(),
                                       std::move(*target));
}

void TargetAttr::print(AsmPrinter &printer) const {
  const Target &target = getValue();
  Target plain = Target::ofChip(target.row());
  printer << "<\"" << target.id() << '"';
  if (target.wave != plain.wave)
    printer << ", wave = " << target.wave;
  if (target.cumode != plain.cumode)
    printer << ", cumode = " << (target.cumode ? "true" : "false");
  if (target.abi != plain.abi)
    printer << ", abi = " << target.abi;
  printer << '>';
}
