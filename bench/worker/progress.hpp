// Shows the progress of a run. On a terminal it redraws one line; elsewhere it prints a line per case.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "bench/record/record.hpp"

namespace cfdmark {

class Progress {
 public:
  // Writes to `out`, which need not be a terminal.
  explicit Progress(std::FILE* out);
  ~Progress();

  // Sets the number of cases to measure.
  void start(std::size_t total);
  // Sets the longest time until the run ends, in seconds; negative: no limit.
  void set_limit(double seconds) { limit_ = seconds; }
  // Shows the current work, at most a few times a second.
  void working(const std::string& what);
  void finished(const Record&);
  // Counts a case that a note has reported.
  void count() { ++done_; }
  // Returns, for example, ", about 12:30 to go"; empty if there is no estimate.
  std::string time_left() const;
  // Prints a line of its own.
  void note(const std::string& text);
  // Removes the redrawn line.
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

// True if the interval of the time is wider than the time itself: something else uses the machine, or the
// case has no single time. A report calls it so, too (scripts/cfdmark/report/sections/cases.py).
bool is_unsteady(const Record&);

// Returns, for example, "ok  1.23 ms +-0.8 %  10.2 GB/s  jacobi/...", or begins with "unsteady".
std::string result_line(const Record&);

}  // namespace cfdmark
