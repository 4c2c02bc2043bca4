#include "bench/worker/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/record/interval_json.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/text/terminal.hpp"

namespace cfdmark {
namespace {

constexpr double seconds_between_drawings = 0.2;

}  // namespace

Progress::Progress(std::FILE* out) : out_(out), terminal_(can_redraw(out)) {}

Progress::~Progress() { clear(); }

void Progress::start(std::size_t total) {
  total_ = total;
  done_ = 0;
  started_ = seconds_now();
}

void Progress::working(const std::string& what) {
  working_on_ = what;
  if (terminal_ && seconds_now() - drawn_ >= seconds_between_drawings) draw();
}

void Progress::finished(const Record& record) {
  ++done_;
  if (!terminal_ || !record.is_ok())
    note(fmt::format("[{:>{}}/{}] {}", done_, std::to_string(total_).size(), total_, result_line(record)));
}

void Progress::note(const std::string& text) {
  clear();
  print(printable_lines(text) + '\n');
}

// Prints after what stdout holds, also if both go to one file. A failing output must not stop a run.
void Progress::print(const std::string& text) {
  std::fflush(stdout);
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

void Progress::clear() {
  if (line_on_screen_) print("\r\033[K");
  line_on_screen_ = false;
}

double Progress::elapsed() const { return seconds_now() - started_; }

std::string Progress::bar() const {
  constexpr std::size_t width = 20;
  const std::size_t full = total_ ? width * done_ / total_ : 0;
  return std::string(full, '#') + std::string(width - full, '.');
}

std::string Progress::time_left() const {
  double left = done_ ? elapsed() / double(done_) * double(total_ - done_) : -1;
  if (limit_ >= 0) left = left < 0 ? limit_ - elapsed() : std::min(left, limit_ - elapsed());
  return left < 0 ? "" : fmt::format(", about {} to go", clock_text(left));
}

void Progress::draw() {
  const std::string counts =
      total_ ? fmt::format("[{}] {}/{}, {}{}  ", bar(), done_, total_, clock_text(elapsed()), time_left())
             : "";
  print("\r\033[K" + (counts + working_on_).substr(0, terminal_columns(out_).value_or(1) - 1));
  line_on_screen_ = true;
  drawn_ = seconds_now();
}

bool is_unsteady(const Record& record) {
  constexpr double widest = 0.5;  // half the interval, relative to the median
  return record.is_ok() && record.derived && has_interval(record.derived->step) &&
         record.derived->step.relative_half_width() > widest;
}

std::string result_line(const Record& record) {
  if (!record.derived)
    return fmt::format("{:<8} {}: {}", record.result.status, record.label(), record.result.reason);
  const MedianInterval& step = record.derived->step;
  const std::size_t samples = record.result.sample_count();
  const std::string spread = has_interval(step)
                                 ? fmt::format("+-{:.1f} %", step.relative_half_width() * 100)
                                 : fmt::format("{} {}", samples, samples == 1 ? "sample" : "samples");
  const auto& rate = record.derived->bytes_per_second;
  const std::string bandwidth = rate ? fmt::format("{:7.1f} GB/s", *rate / 1e9) : std::string(12, ' ');
  return fmt::format("{} {:>8} {:>9} {}  {}", is_unsteady(record) ? "unsteady" : "ok ",
                     seconds_text(step.median), spread, bandwidth, record.label());
}

}  // namespace cfdmark
