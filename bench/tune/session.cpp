#include "bench/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/record/environment.hpp"
#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {
namespace {

// A config that hangs may cost a quarter of a budget, not all of it; but no sound one is mistaken for it.
double timeout(const TuneOptions& options) {
  return options.budget ? std::min(options.timeout, std::max(1.0, *options.budget / 4)) : options.timeout;
}

}  // namespace

TuneSession::TuneSession(const TuneOptions& options)
    : output_(options.output), supervisor_(options.worker, timeout(options)) {}

RecordWriter& TuneSession::writer() {
  if (!writer_) writer_ = std::make_unique<RecordWriter>(output_);
  return *writer_;
}

const Json& TuneSession::description(const KeepGoing& keep_going) {
  if (!description_.is_null()) return description_;
  const Answer answer = ask_for_description(supervisor_, description_, keep_going);
  if (description_.is_null() && answer.end != Answer::End::stopped)
    throw std::runtime_error(fmt::format("cannot tune here: {}", answer.reason));
  return description_;
}

Json TuneSession::environment(const RoofKey* key, const KeepGoing& keep_going, Progress& progress) {
  const std::string name = key ? roof_name(*key) : "";
  if (const auto written = environments_.find(name); written != environments_.end()) return written->second;
  Json roofs = Json::array();
  if (key)
    roofs = ask_for_roof(supervisor_, *key, keep_going, [&](const std::string& why) { progress.note(why); });
  const Json line = environment_line(description_, roofs);
  writer().append(line);
  environments_[name] = line;
  return line;
}

}  // namespace cfdmark::tuning
