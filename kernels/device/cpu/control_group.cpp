#include "kernels/device/cpu/control_group.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// The group of this process in one hierarchy.
struct Membership {
  bool is_version_2;
  std::vector<std::string> controllers;  // version 1 only
  fs::path path;                         // relative to the root of the hierarchy
};

// Reads /proc/self/cgroup: lines such as "4:memory:/job_7" or, for version 2, "0::/system.slice/job_7". A
// group outside the process's namespace begins with "/..".
std::vector<Membership> memberships(const std::string& root) {
  std::vector<Membership> found;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    Membership group{first + 1 == second, {}, fs::path(line.substr(second + 1)).lexically_normal()};
    std::istringstream names(line.substr(first + 1, second - first - 1));
    for (std::string name; std::getline(names, name, ',');) group.controllers.push_back(name);
    found.push_back(std::move(group));
  }
  return found;
}

// Mount points used by systemd, container engines and batch systems.
const std::vector<std::string> version_2_mounts = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};

std::vector<std::string> version_1_mounts(const std::string& controller) {
  if (controller == "cpu") return {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
  return {"/sys/fs/cgroup/" + controller};
}

// Returns the folders of a group and of all its ancestors up to the mount. In a container the path may be the
// host's, of which only the root is visible; missing folders are harmless.
std::vector<fs::path> folders_up(const std::string& mount, const fs::path& group) {
  std::vector<fs::path> folders;
  for (fs::path path = group.relative_path(); !path.empty(); path = path.parent_path())
    folders.push_back(fs::path(mount) / path);
  folders.push_back(mount);
  return folders;
}

std::vector<fs::path> version_2_folders(const std::string& root) {
  std::vector<fs::path> all;
  for (const Membership& group : memberships(root))
    if (group.is_version_2)
      for (const std::string& mount : version_2_mounts)
        for (fs::path& folder : folders_up(root + mount, group.path)) all.push_back(std::move(folder));
  return all;
}

std::vector<fs::path> version_1_folders(const std::string& root, const std::string& controller) {
  std::vector<fs::path> all;
  for (const Membership& group : memberships(root))
    if (std::find(group.controllers.begin(), group.controllers.end(), controller) != group.controllers.end())
      for (const std::string& mount : version_1_mounts(controller))
        for (fs::path& folder : folders_up(root + mount, group.path)) all.push_back(std::move(folder));
  return all;
}

// Returns the number at the start of a file, if any. "max" means no limit and is not a number.
std::optional<double> number_in(const fs::path& file) {
  double value = 0;
  return std::ifstream(file) >> value ? std::optional(value) : std::nullopt;
}

// Returns the sum of the given keys in a file of lines "key number".
double sum_in(const fs::path& path, const std::vector<std::string>& keys) {
  std::ifstream file(path);
  double sum = 0, value = 0;
  for (std::string key; file >> key >> value;)
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) sum += value;
  return sum;
}

struct MemoryFiles {
  std::vector<const char*> limits;
  const char* used;
  std::vector<std::string> cached;  // keys of memory.stat for reclaimable pages
};

const MemoryFiles version_2_memory = {
    {"memory.max", "memory.high"}, "memory.current", {"active_file", "inactive_file"}};
const MemoryFiles version_1_memory = {
    {"memory.limit_in_bytes"}, "memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};

std::size_t memory_left(const std::vector<fs::path>& folders, const MemoryFiles& files) {
  double least = double(unlimited);
  for (const fs::path& folder : folders)
    for (const char* name : files.limits)
      if (const auto limit = number_in(folder / name)) {
        const double used = number_in(folder / files.used).value_or(0);
        const double cached = std::min(used, sum_in(folder / "memory.stat", files.cached));
        least = std::min(least, std::max(0.0, *limit - (used - cached)));
      }
  return least < double(unlimited) ? std::size_t(least) : unlimited;
}

// Returns 0.5 for "50000 100000" (microseconds in each period), infinity for "max 100000".
double version_2_quota(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");
  double quota = 0, period = 0;
  return file >> quota >> period && period > 0 ? quota / period : INFINITY;
}

// A quota of -1 means no limit.
double version_1_quota(const fs::path& folder) {
  const double quota = number_in(folder / "cpu.cfs_quota_us").value_or(-1),
               period = number_in(folder / "cpu.cfs_period_us").value_or(0);
  return quota > 0 && period > 0 ? quota / period : INFINITY;
}

}  // namespace

std::size_t control_group_memory(const std::string& root) {
  return std::min(memory_left(version_2_folders(root), version_2_memory),
                  memory_left(version_1_folders(root, "memory"), version_1_memory));
}

double control_group_processors(const std::string& root) {
  double least = INFINITY;
  for (const fs::path& folder : version_2_folders(root)) least = std::min(least, version_2_quota(folder));
  for (const fs::path& folder : version_1_folders(root, "cpu"))
    least = std::min(least, version_1_quota(folder));
  return std::isfinite(least) ? least : 0;
}

}  // namespace cfdmark
