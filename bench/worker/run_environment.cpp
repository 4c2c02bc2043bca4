#include "bench/worker/run_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/case/ranked_case.hpp"
#include "bench/device_facts/device_state.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/machine_load.hpp"
#include "bench/measure/step_ceilings.hpp"
#include "bench/record/environment.hpp"
#include "bench/worker/ask_links.hpp"

namespace cfdmark {
namespace {

std::vector<RoofKey> roof_keys(const std::vector<Case>& cases) {
  std::vector<RoofKey> keys;
  for (const Case& c : cases)
    if (std::find(keys.begin(), keys.end(), roof_key(c)) == keys.end()) keys.push_back(roof_key(c));
  return keys;
}

bool uses_several_gpus(const Case& c) {
  return device_of(c).kind == BackendKind::cuda && ranks_of(c.config).count > 1;
}

}  // namespace

RunEnvironment::RunEnvironment(const RunOptions& options, Supervisor& supervisor, RecordWriter& writer,
                               Progress& progress, const Interruption& interruption, KeepGoing keep_going)
    : options_(options),
      supervisor_(supervisor),
      writer_(writer),
      progress_(progress),
      interruption_(interruption),
      keep_going_(std::move(keep_going)),
      ceilings_(
          [this](const RoofKey& key) {
            return ask_for_roof(supervisor_, key, keep_going_, [this](const std::string& why) { note(why); });
          },
          options.known_roofs),
      limits_(options.known_limits) {}

const Json& RunEnvironment::description() {
  if (!description_.is_null()) return description_;
  description_ = describe_program_and_host();  // used if the request is interrupted
  const Answer answer = ask_for_description(supervisor_, description_, [this](const std::string& what) {
    progress_.working(what);
    return !interruption_.requested();
  });
  if (answer.end != Answer::End::done && answer.end != Answer::End::stopped)
    throw std::runtime_error(fmt::format("cannot measure here: {}", answer.reason));
  return description_;
}

void RunEnvironment::look_at_load() {
  look_at_gpus();
  for (const std::string& warning : environment_warnings(description())) note(warning);
  const auto load = machine_load();
  if (!load) return;
  load_ = to_json(*load, cores());
  if (load->is_busy(cores())) note(busy_text(*load, cores()));
}

void RunEnvironment::look_at_gpus() {
  const auto look = [this](const Json& gpu, int index) {
    const std::string text = device_busy_text(gpu.value("load", Json()));
    if (!text.empty()) note(fmt::format("cuda:{}: {}", index, text));
  };
  const Json gpus = description().value("gpus", Json::array());
  for (const Json& gpu : gpus) look(gpu, gpu.at("index"));
  if (gpus.empty()) look(description().value("gpu", Json::object()), 0);
}

void RunEnvironment::measure_ceilings(const std::vector<Case>& cases) {
  ceilings_.measure(roof_keys(cases));
  for (const LimitsKey& wanted : limits_keys(cases)) {
    const LimitsKey key = without_known(wanted, limits_);
    if (!key.arithmetic && !key.memory) continue;
    for (Json& entry :
         ask_for_limits(supervisor_, key, keep_going_, [this](const std::string& why) { note(why); }))
      limits_.push_back(std::move(entry));
  }
}

void RunEnvironment::measure_links(const std::vector<Case>& cases) {
  if (links_.is_null() && std::any_of(cases.begin(), cases.end(), uses_several_gpus))
    links_ = ask_for_links(supervisor_, keep_going_, [this](const std::string& why) { note(why); });
}

void RunEnvironment::measure_hosts_again(const std::vector<Case>& cases) {
  std::vector<RoofKey> keys = roof_keys(cases);
  std::erase_if(keys, [](const RoofKey& key) { return key.device.kind == BackendKind::cuda; });
  if (ceilings_.measure_again(keys)) write();
}

void RunEnvironment::write() {
  Json description = this->description();
  if (!options_.sweep.is_null()) description["sweep"] = options_.sweep;
  if (!load_.is_null()) description["load"] = load_;
  if (!limits_.empty()) description["limits"] = limits_;
  if (!links_.empty()) description["links"] = links_;
  line_ = environment_line(description, ceilings_.entries());
  writer_.append(line_);
}

}  // namespace cfdmark
