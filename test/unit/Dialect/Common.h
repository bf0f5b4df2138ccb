// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context with the dialect loaded, and short ways to read IR text.

#ifndef FLY_TEST_UNIT_DIALECT_COMMON_H
#define FLY_TEST_UNIT_DIALECT_COMMON_H

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

class DialectTest : public testing::Test {
protected:
  DialectTest() {
    context.loadDialect<mlir::fly::FlyDialect, mlir::func::FuncDialect>();
  }

  mlir::Type type(llvm::StringRef text) {
    mlir::Type result = mlir::parseType(text, &context);
    EXPECT_TRUE(result) << text.str();
    return result;
  }

  mlir::OwningOpRef<mlir::ModuleOp> module(llvm::StringRef text) {
    auto result = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(result) << text.str();
    return result;
  }

  mlir::MLIRContext context;
};

/// One type of every kind, static and dynamic.
extern const llvm::StringLiteral everyType[];
extern const size_t numEveryType;

#endif // FLY_TEST_UNIT_DIALECT_COMMON_H
