#include "bench/worker/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/record/record.hpp"
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

void Progress::finished(const Json& record) {
  ++done_;
  if (!terminal_ || record.at("status") != "ok")
    note(fmt::format("[{:>{}}/{}] {}", done_, std::to_string(total_).size(), total_, result_line(record)));
}

void Progress::note(const std::string& text) {
  clear();
  print(printable_lines(text) + '\n');
}

// A failing output must not stop a run.
void Progress::print(const std::string& text) {
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

std::string result_line(const Json& record) {
  const std::string name = label_of(record), status = record.at("status");
  if (status != "ok") return fmt::format("{:<8} {}: {}", status, name, record.value("reason", ""));
  const Json& time = record.at("time");
  const double median = time.at("median");
  const std::size_t samples = time.at("samples").size();
  const std::string spread =
      time.contains("ci_low")
          ? fmt::format("+-{:.1f} %",
                        (time["ci_high"].get<double>() - time["ci_low"].get<double>()) / 2 / median * 100)
          : fmt::format("{} {}", samples, samples == 1 ? "sample" : "samples");
  const Json& rate = record.at("rate");
  const std::string bandwidth =
      rate.contains("bytes_per_second")
          ? fmt::format("{:7.1f} GB/s", rate["bytes_per_second"].get<double>() / 1e9)
          : std::string(12, ' ');
  return fmt::format("ok  {:>8} {:>9} {}  {}", seconds_text(median), spread, bandwidth, name);
}

}  // namespace cfdmark
