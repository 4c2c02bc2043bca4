#include "bench/commands/gbench.hpp"

#include <fmt/format.h>

#include "bench/commands/python_script.hpp"
#include "bench/record/records.hpp"

namespace cfdmark {

void write_gbench(const std::vector<Json>& lines, const std::vector<std::string>& cases,
                  const std::string& to) {
  if (run_script("gbench.py", {to}, one_line({{"lines", lines}, {"cases", cases}})) != 0)
    throw WriteError(fmt::format("cannot write {}", to));
}

}  // namespace cfdmark
