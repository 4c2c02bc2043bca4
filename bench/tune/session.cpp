#include "bench/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/record/environment.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {
namespace {

// A hanging config may cost a quarter of the budget, and at least 1 s, so that no healthy config is stopped.
double timeout_of_configs(const TuneOptions& options) {
  return options.budget ? std::min(options.timeout, std::max(1.0, *options.budget / 4)) : options.timeout;
}

}  // namespace

TuneSession::TuneSession(const TuneOptions& options)
    : start_(seconds_now()),
      output_(options.output),
      worker_(options.worker),
      timeout_of_configs_(timeout_of_configs(options)),
      supervisor_(worker_, options.timeout, options.worker_variables, options.worker_rows) {}

double TuneSession::seconds() const { return seconds_now() - start_; }

void TuneSession::compile_meanwhile(const std::vector<Case>& cases) {
  if (!cases.empty()) compiling_ = cfdmark::compile_meanwhile(worker_, supervisor_.rows(), cases);
}

bool TuneSession::is_compiling() {
  if (compiling_ && (!compiling_->channel().receive(0).empty() || compiling_->channel().closed()))
    compiling_.reset();
  return bool(compiling_);
}

void TuneSession::keep(const Json& record, Progress& progress) {
  if (!writer_) {
    auto opened = std::make_unique<RecordWriter>(output_);
    opened->append(record);
    writer_ = std::move(opened);
    return;
  }
  if (!unwritten_.empty()) return;
  try {
    writer_->append(record);
  } catch (const WriteError& e) {
    unwritten_ = e.what();
    progress.note(fmt::format("{}; the tune continues without records", unwritten_));
  }
}

void TuneSession::sync() {
  try {
    if (writer_ && unwritten_.empty()) writer_->sync();
  } catch (const WriteError& e) {
    unwritten_ = e.what();
  }
}

const Json& TuneSession::description(const KeepGoing& keep_going) {
  if (!description_.is_null()) return description_;
  const Answer answer = ask_for_description(supervisor_, description_, keep_going);
  if (description_.is_null() && answer.end != Answer::End::stopped)
    throw std::runtime_error(fmt::format("cannot tune on this machine: {}", answer.reason));
  supervisor_.set_timeout(timeout_of_configs_);
  return description_;
}

Json TuneSession::environment(const RoofKey* key, const KeepGoing& keep_going, Progress& progress) {
  const std::string name = key ? roof_name(*key) : "";
  if (const auto written = environments_.find(name); written != environments_.end()) return written->second;
  Json roofs = Json::array();
  if (key)
    roofs = ask_for_roof(supervisor_, *key, keep_going, [&](const std::string& why) { progress.note(why); });
  const Json line = environment_line(description_, roofs);
  keep(line, progress);
  environments_[name] = line;
  return line;
}

}  // namespace cfdmark::tuning
