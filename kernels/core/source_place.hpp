// A source location for messages; stands in for std::source_location, which Clang 14 lacks.
#pragma once

namespace cfdmark {

struct SourcePlace {
  const char* file;
  int line;

  // As a default argument: the location of the call.
  static constexpr SourcePlace here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace cfdmark
