#include "bench/tuned/device.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/device_facts/machine.hpp"

namespace cfdmark::tuning {
namespace {

TuningDevice gpu(const Json& facts) {
  if (!facts.contains("name"))
    throw std::runtime_error(
        fmt::format("no GPU on this machine: {}", facts.value("reason", "none was found")));
  return {facts.at("name"),
          fmt::format("compute capability {}", facts.at("compute_capability").get<std::string>()),
          facts.value("driver", ""), fmt::format("NVRTC {}", facts.value("cuda", ""))};
}

TuningDevice host(const Json& environment) {
  const Json &host = environment.at("host"), &program = environment.at("program");
  const int cores = host.at("cores");
  return {
      fmt::format("{}, {} {}", host.value("cpu", "unknown processor"), cores, cores == 1 ? "core" : "cores"),
      program.value("instruction_set", ""), "",
      fmt::format("{} {}", program.value("compiler", ""), program.value("flags", ""))};
}

}  // namespace

std::string TuningDevice::file_stem() const {
  std::string stem;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'), capital = c >= 'A' && c <= 'Z';
    if (letter || capital)
      stem += capital ? char(c - 'A' + 'a') : c;
    else if (!stem.empty() && stem.back() != '-')
      stem += '-';
  }
  while (!stem.empty() && stem.back() == '-') stem.pop_back();
  return stem.empty() ? "unknown-device" : stem;
}

TuningDevice tuning_device(const Json& environment, DeviceId id) {
  if (!on_gpu(environment, to_string(id.kind))) return host(environment);
  if (id.index == 0) return gpu(environment.at("gpu"));
  const Json all = environment.value("gpus", Json::array());
  if (std::size_t(id.index) >= all.size())
    throw std::runtime_error(fmt::format("no GPU {} on this machine, which has {}", id.index, all.size()));
  return gpu(all[std::size_t(id.index)]);
}

}  // namespace cfdmark::tuning
