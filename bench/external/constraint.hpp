// A condition on the values of parameters, such as "block_x*block_y<=1024 && block_x%32==0".
//
// Integers, names, + - * / %, == != < <= > >=, && || ! and parentheses, with C's precedence. The packaged
// expression libraries (muParser, ExprTk) compute in floating point, where 5/2 is 2.5 and % is missing or
// not exact, and would be a dependency for some hundred lines.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/core/config.hpp"

namespace cfdmark {

class Constraint {
 public:
  // `names` are the parameters with integer values. Throws std::invalid_argument with the position for a
  // text that is not an expression or uses another name.
  Constraint(const std::string& text, const std::vector<std::string>& names);

  // Returns true if the values satisfy it. `&&` and `||` evaluate their right side only if it decides. Throws
  // std::invalid_argument with the values if it divides by zero or overflows 64 bits.
  bool holds(const Config&) const;

  using Expression = std::function<long(const Config&)>;

 private:
  std::string text_;
  Expression value_;
};

}  // namespace cfdmark
