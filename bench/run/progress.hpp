// Tells people how a run goes: one line that is redrawn on a terminal, a line a case elsewhere.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "bench/record/json.hpp"

namespace cfdmark {

class Progress {
 public:
  // Writes to `out`, which may be no terminal.
  explicit Progress(std::FILE* out);
  ~Progress();

  // So many cases are to be measured.
  void start(std::size_t total);
  // Of any length of time; `at_most` seconds may pass until the run ends, less than 0 if there is no such
  // limit.
  void set_limit(double seconds) { limit_ = seconds; }
  // What runs now; draws if the last drawing is old enough.
  void working(const std::string& what);
  void finished(const Json& record);
  // One more is done, of which a note tells.
  void count() { ++done_; }
  // ", about 12:30 to go"; empty where nothing tells.
  std::string time_left() const;
  // A line of its own.
  void note(const std::string& text);
  // Takes the redrawn line away.
  void clear();

 private:
  void print(const std::string& text);
  void draw();
  std::string bar() const;
  double elapsed() const;

  std::FILE* out_;
  bool terminal_;
  std::size_t total_ = 0, done_ = 0;
  double started_ = 0, drawn_ = 0, limit_ = -1;
  std::string working_on_;
  bool line_on_screen_ = false;
};

// "ok  1.23 ms +-0.8 %  10.2 GB/s  jacobi/..."
std::string result_line(const Json& record);

}  // namespace cfdmark
