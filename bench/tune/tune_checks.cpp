#include "bench/tune/tune_checks.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "bench/text/duration.hpp"
#include "bench/tune/across_sizes.hpp"
#include "bench/tune/tune_text.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

std::string percent_behind(const Gain& times_as_long) {
  const auto percent = [](double ratio) { return 100 * (ratio - 1); };
  if (!times_as_long.low && times_as_long.fewest > 0)
    return fmt::format("{:.1f} %, {} samples", percent(times_as_long.value), times_as_long.fewest);
  if (!times_as_long.low || *times_as_long.low == *times_as_long.high)
    return fmt::format("{:.1f} %", percent(times_as_long.value));
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", percent(times_as_long.value), percent(*times_as_long.low),
                     percent(*times_as_long.high));
}

}  // namespace

void TuneChecks::add(const TuneJob& job, const TuneResult& result) {
  fmt::print("{}\n", job_name(job));
  fmt::print("  {:<14} {:>9} {:>9} {:>9}  {:<22} {:<22} {}\n", "grid", "best", "tuned", "default",
             "tuned behind best", "tuned behind default", "default behind best of kind");
  for (const TuneAnswer& a : result.answers)
    if (const auto size = checked_size(a))
      add(job, *size);
    else
      untold(a.space.cases.front().domain.box(), why_not_known(a));
  std::fflush(stdout);
}

void TuneChecks::print() const {
  if (sizes_ == 0) return;
  fmt::print(
      "\n{} sizes: tuned is at most {:.1f} % behind the best ({}) and {:.1f} % behind the default ({}); the "
      "default is at most {:.1f} % behind the best of its kind ({})\n",
      sizes_, 100 * (best_.worst - 1), best_.where, 100 * (default_.worst - 1), default_.where,
      100 * (untuned_.worst - 1), untuned_.where);
  fmt::print("limit: tuned at most {:.0f} % behind the best and {:.0f} % behind the default: {}\n",
             100 * (most_behind_best - 1), 100 * (most_behind_default - 1),
             failed_.empty() ? "passed" : "failed at");
  for (const std::string& text : failed_) fmt::print("  {}\n", text);
  fmt::print("limit: default at most {:.0f} % behind the best with as many steps per run: {}\n",
             100 * (most_default_behind_its_kind - 1),
             untuned_.worst <= most_default_behind_its_kind ? "passed" : "failed at");
  for (const std::string& text : slow_defaults_) fmt::print("  {}\n", text);
}

void TuneChecks::add(const TuneJob& job, const CheckedSize& s) {
  fmt::print("  {:<14} {:>9} {:>9} {:>9}  {:<22} {:<22} {:.1f} %{}\n", grid_text(s.grid),
             seconds_text(s.best_seconds), seconds_text(s.tuned_seconds), seconds_text(s.default_seconds),
             percent_behind(s.behind_best), percent_behind(s.behind_default),
             100 * (s.default_behind_its_kind() - 1),
             s.tuned == s.fallback ? "  (tuned is the default)" : "");
  if (!s.holds())
    fmt::print("  {:<14} best {}, tuned {}, default {}\n", "", candidate_text(s.best),
               candidate_text(s.tuned), candidate_text(s.fallback));
  const Row& row = job.row();
  const std::string here = fmt::format("{}/{} on {}", row.name, to_string(row.precision), grid_text(s.grid));
  ++sizes_;
  best_.see(s.behind_best.value, here);
  default_.see(s.behind_default.value, here);
  untuned_.see(s.default_behind_its_kind(), here);
  if (s.default_behind_its_kind() > most_default_behind_its_kind)
    slow_defaults_.push_back(fmt::format("{}: {:.1f} % behind {}", here,
                                         100 * (s.default_behind_its_kind() - 1),
                                         candidate_text(s.best_of_kind)));
  if (!s.holds())
    failed_.push_back(fmt::format("{}: {} behind the best, {} behind the default", here,
                                  percent_behind(s.behind_best), percent_behind(s.behind_default)));
}

void TuneChecks::untold(const Grid& grid, const std::string& reason) {
  ++untold_;
  fmt::print("  {:<14} unknown: {}\n", grid_text(grid), reason);
}

}  // namespace cfdmark
