#include "bench/device_facts/build_host.hpp"

#include "bench/device_facts/processor_names.hpp"

namespace cfdmark {

std::string build_host_name(const BuildHost& host) {
  if (!host.name.empty() || !host.vendor.starts_with("0x")) return std::string(host.name);
  return arm_processor_name(std::string(host.vendor), std::string(host.model));
}

bool built_for_another_processor(const BuildInfo& build, const Processor& here) {
  const BuildHost& there = build.build_host;
  if (build.arch != "native" || there.model.empty() || here.model.empty()) return false;
  return there.vendor != here.vendor || there.family != here.family || there.model != here.model;
}

}  // namespace cfdmark
