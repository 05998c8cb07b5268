#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "arges/compile/builder.h"

namespace arges::vm {
namespace {

// pair(u): (u + 1, 2 u); and a function of x whose body the tests write, with locals a and b.
class CallsInFunctions : public ::testing::Test {
 protected:
  CallsInFunctions() {
    ExprPool& pool = flat_.pool;
    FlatFunction pair;
    pair.name = "pair";
    for (const char* name : {"u", "v", "w"}) pair.locals.push_back(local(name));
    pair.inputs = 1;
    pair.outputs = 2;
    const ExprId u = pool.local(LocalId{0}, ScalarType::kReal);
    pair.body.push_back(assign(1, pool.add(u, pool.real(1))));
    pair.body.push_back(assign(2, pool.mul(pool.real(2), u)));
    flat_.functions.push_back(pair);
    caller_.name = "caller";
    for (const char* name : {"x", "y", "a", "b"}) caller_.locals.push_back(local(name));
    caller_.inputs = caller_.outputs = 1;
  }

  static FlatLocal local(const char* name) {
    FlatLocal v;
    v.name = name;
    return v;
  }
  static Statement assign(std::int32_t target, ExprId value) {
    Statement s;
    s.local = LocalId{target};
    s.value = value;
    return s;
  }
  ExprId value_of(std::int32_t i) { return flat_.pool.local(LocalId{i}, ScalarType::kReal); }
  // Output k of pair(argument).
  ExprId pair(std::int32_t k, ExprId argument) {
    const std::vector<ExprId> arguments{argument};
    return flat_.pool.result(flat_.pool.call(FunctionId{0}, arguments), k, ScalarType::kReal);
  }
  std::ptrdiff_t calls() {
    CodeBase code;
    code.flat = &flat_;
    const FunctionCode made = compile_function(code, caller_);
    return std::count_if(made.program.begin(), made.program.end(),
                         [](const Instruction& i) { return i.code == Code::kCall; });
  }

  FlatModel flat_;
  FlatFunction caller_;
};

TEST_F(CallsInFunctions, ComponentsOfARecordTakeOneCall) {
  caller_.body = {assign(2, pair(0, value_of(0))), assign(3, pair(1, value_of(0)))};
  EXPECT_EQ(calls(), 1);
}

TEST_F(CallsInFunctions, AnArgumentThatWasAssignedTakesACallOfItsOwn) {
  caller_.body = {assign(2, pair(0, value_of(2))), assign(3, pair(1, value_of(2)))};
  EXPECT_EQ(calls(), 2);
}

TEST_F(CallsInFunctions, WhatOnlyOneBranchCallsIsNotKnownAfterIt) {
  Statement choice;
  choice.kind = Statement::Kind::kIf;
  choice.branches.push_back({{flat_.pool.make(Op::kLess, {value_of(0), flat_.pool.real(0)})},
                             {assign(2, pair(0, value_of(0)))}});
  caller_.body = {choice, assign(3, pair(1, value_of(0)))};
  EXPECT_EQ(calls(), 2);
}

TEST_F(CallsInFunctions, ImpureFunctionsAreCalledEachTime) {
  flat_.functions[0].impure = true;
  caller_.body = {assign(2, pair(0, value_of(0))), assign(3, pair(1, value_of(0)))};
  EXPECT_EQ(calls(), 2);
}

}  // namespace
}  // namespace arges::vm
