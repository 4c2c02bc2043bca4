#include "bench/device_facts/host_facts.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "bench/device_facts/processor_names.hpp"

namespace cfdmark {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Returns the value of `key` in a file of lines "key <separator> value"; empty if there is none.
std::string value_of(const std::string& path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos || line.substr(0, line.find_last_not_of(" \t", at - 1) + 1) != key) continue;
    const std::size_t start = line.find_first_not_of(" \t", at + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

// Parses sizes such as "32768K" or "32M".
std::size_t size_from(const std::string& text) {
  char* unit = nullptr;
  const std::size_t number = std::strtoull(text.c_str(), &unit, 10);
  return *unit == 'K' ? number << 10 : *unit == 'M' ? number << 20 : *unit == 'G' ? number << 30 : number;
}

// Counts the members of a list such as "0-3,8-11".
int count_of(const std::string& list) {
  int count = 0;
  std::stringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    const std::size_t dash = range.find('-');
    const int first = std::atoi(range.c_str());
    count += (dash == std::string::npos ? first : std::atoi(range.c_str() + dash + 1)) - first + 1;
  }
  return count;
}

// Returns all values of `key` in a file of lines "key : value", in order.
std::vector<std::string> values_of(const std::string& path, const std::string& key) {
  std::vector<std::string> values;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key) && line.find_first_not_of(" \t", key.size()) == line.find(':'))
      if (const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
          start != std::string::npos)
        values.push_back(line.substr(start));
  return values;
}

// Returns the names of all kinds of cores, for example "ARM Cortex-A55 + ARM Cortex-A76".
std::string arm_name(const std::string& cpuinfo) {
  const std::vector<std::string> implementers = values_of(cpuinfo, "CPU implementer"),
                                 parts = values_of(cpuinfo, "CPU part");
  std::set<std::string> names;
  for (std::size_t n = 0; n < implementers.size(); ++n)
    names.insert(arm_processor_name(implementers[n], n < parts.size() ? parts[n] : ""));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " + ") + name;
  return text;
}

std::size_t status_bytes(const std::string& key) {
  return std::strtoull(value_of("/proc/self/status", key, ':').c_str(), nullptr, 10) << 10;  // in KiB
}

}  // namespace

Processor processor(const std::string& root) {
  const auto fact = [&](const char* x86, const char* arm) {
    const std::string value = value_of(root + "/proc/cpuinfo", x86, ':');
    return value.empty() ? value_of(root + "/proc/cpuinfo", arm, ':') : value;
  };
  return {fact("vendor_id", "CPU implementer"), fact("cpu family", "CPU architecture"),
          fact("model", "CPU part"), fact("stepping", "CPU revision")};
}

std::string board(const std::string& root) {
  std::string text;
  for (const char* part : {"sys_vendor", "product_name", "board_vendor", "board_name"}) {
    const std::string value = first_line(root + "/sys/class/dmi/id/" + part);
    if (!value.empty()) text += (text.empty() ? "" : ", ") + value;
  }
  return text;
}

int numa_nodes(const std::string& root) {
  const std::string online = first_line(root + "/sys/devices/system/node/online");
  return online.empty() ? 0 : count_of(online);
}

std::optional<bool> smt(const std::string& root) {
  const std::string active = first_line(root + "/sys/devices/system/cpu/smt/active");
  return active.empty() ? std::optional<bool>() : active == "1";
}

std::string governor(const std::string& root) {
  std::set<std::string> found;
  std::error_code none;
  for (const auto& policy :
       std::filesystem::directory_iterator(root + "/sys/devices/system/cpu/cpufreq", none))
    found.insert(first_line(policy.path().string() + "/scaling_governor"));
  std::string text;
  for (const std::string& name : found)
    if (!name.empty()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string cpu_name(const std::string& root) {
  const std::string cpuinfo = root + "/proc/cpuinfo";
  if (const std::string name = value_of(cpuinfo, "model name", ':'); !name.empty()) return name;
  if (const std::string name = arm_name(cpuinfo); !name.empty()) return name;
  const std::string power = value_of(cpuinfo, "cpu", ':');
  return power.empty() ? value_of(cpuinfo, "uarch", ':') : power;  // RISC-V
}

int cores() { return int(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN))); }

std::vector<Cache> caches() {
  std::vector<Cache> found;
  for (int index = 0; index < 10; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const std::string type = first_line(folder + "type");
    if (type.empty() || type == "Instruction") continue;
    found.push_back({std::atoi(first_line(folder + "level").c_str()), size_from(first_line(folder + "size")),
                     std::max(1, count_of(first_line(folder + "shared_cpu_list")))});
  }
  return found;
}

std::size_t memory_bytes() {
  return std::strtoull(value_of("/proc/meminfo", "MemTotal", ':').c_str(), nullptr, 10) << 10;
}

std::string os_name() {
  std::string name = value_of("/etc/os-release", "PRETTY_NAME", '=');
  std::erase(name, '"');
  return name;
}

std::string kernel_release() {
  utsname names{};
  return uname(&names) == 0 ? names.release : "";
}

std::string host_name() {
  utsname names{};
  return uname(&names) == 0 ? names.nodename : "";
}

std::size_t peak_resident_bytes() { return status_bytes("VmHWM"); }
std::size_t resident_bytes() { return status_bytes("VmRSS"); }

bool reset_peak_resident() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return bool(file);
}

}  // namespace cfdmark
