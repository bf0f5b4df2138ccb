// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that `gpu.printf` is given, as wide as its format reads them.
// Upstream's lowering fills all of them up with zeros, so that -1 as an i8
// prints as 255. The law is C's, with the sign that MLIR's types lack taken
// from the conversion: what `%d` and `%i` read is extended by its sign, what
// others read by zeros; an i1 is 0 or 1; types with a sign have their own.
//
//   gpu.printf "%d %ld", %a, %b : i8, i32
//     ->  gpu.printf "%d %ld", %a32, %b64 : i32, i64      both by arith.extsi

#include "Lowering.h"

namespace mlir::fly {

namespace {
/// One argument that a format reads; 0 bits: not an integer.
struct Conversion {
  unsigned bits;
  bool isSigned;
};
} // namespace

static SmallVector<Conversion> conversionsOf(StringRef format) {
  SmallVector<Conversion> conversions;
  while (true) {
    format = format.drop_until([](char letter) { return letter == '%'; });
    if (!format.consume_front("%"))
      return conversions;
    // Flags, width, precision and length, in which a star reads an int.
    StringRef spec = format.take_while([](char letter) {
      return StringRef("-+ #0123456789.*hljztqL").contains(letter);
    });
    format = format.drop_front(spec.size());
    conversions.append(spec.count('*'), {32, true});
    if (format.empty())
      return conversions;
    char letter = format.front();
    format = format.drop_front();
    bool isWide = spec.find_first_of("ljztq") != StringRef::npos;
    bool isInteger = StringRef("diouxXc").contains(letter);
    if (letter != '%')
      conversions.push_back({isInteger ? (isWide ? 64U : 32U) : 0U,
                             letter == 'd' || letter == 'i'});
  }
}

void widenPrinted(OpBuilder &builder, gpu::PrintfOp op) {
  SmallVector<Conversion> conversions = conversionsOf(op.getFormat());
  builder.setInsertionPoint(op);
  for (auto [operand, conversion] :
       llvm::zip(op.getArgsMutable(), conversions)) {
    Value value = operand.get();
    auto type = dyn_cast<IntegerType>(value.getType());
    if (!type || type.getWidth() >= conversion.bits)
      continue;
    Location loc = op.getLoc();
    bool isSigned = type.isSignless()
                        ? conversion.isSigned && type.getWidth() > 1
                        : type.isSigned();
    if (!type.isSignless())
      value = UnrealizedConversionCastOp::create(
                  builder, loc, builder.getIntegerType(type.getWidth()), value)
                  .getResult(0);
    Type wide = builder.getIntegerType(conversion.bits);
    operand.set(
        isSigned
            ? arith::ExtSIOp::create(builder, loc, wide, value).getResult()
            : arith::ExtUIOp::create(builder, loc, wide, value).getResult());
  }
}

} // namespace mlir::fly
