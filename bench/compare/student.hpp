// Student's t distribution: what a mean or median of few values may differ by.
#pragma once

namespace cfdmark {

// The probability of a value above t with so many degrees of freedom (1 or more).
double student_tail(double t, double degrees_of_freedom);

// The t above which values lie with probability `tail` (in (0, 1/2]).
double student_quantile(double tail, double degrees_of_freedom);

}  // namespace cfdmark
