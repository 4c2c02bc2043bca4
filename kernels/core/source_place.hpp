// A place in our source, for messages: std::source_location, which Clang 14 does not have.
#pragma once

namespace cfdmark {

struct SourcePlace {
  const char* file;
  int line;

  // As a default argument: where the call stands.
  static constexpr SourcePlace here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace cfdmark
