// Systems that leave a constant open (Sides::leave_constant_open): the mean of the right-hand side, which no
// answer has, is taken out before a solve, and that of the answer after it. Between them nothing has to be
// done: residuals of such an operator have the mean of the right-hand side, restriction keeps their sum, and
// what rounding adds to an answer is a constant. Conjugate gradients must end at a tolerance, though: once
// their residual is rounding, a constant is most of it, and that of the answer grows.
#pragma once

#include "solvers/linear/method.hpp"

namespace cfdmark {

// The iteration on a system with the constant taken out, where the system leaves one open: of b in its place
// at start(), of u at store().
std::unique_ptr<Iteration> without_constant(std::unique_ptr<Iteration>, const System&, const Config&);
// The same of a method's.
std::unique_ptr<Iteration> prepare_iteration(const SolverMethod&, const System&, const Config&);

}  // namespace cfdmark
