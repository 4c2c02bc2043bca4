// Limits of control groups, read from folders laid out like Linux's /proc and /sys.
#include "kernels/device/cpu/control_group.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

struct System {
  TemporaryFolder folder;
  std::string root() const { return folder.path.string(); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root() + path).parent_path());
    std::ofstream(root() + path) << text << '\n';
  }
  void member_of(const std::string& lines) const { write("/proc/self/cgroup", lines); }
};

const std::string job = "/system.slice/slurmstepd.scope/job_7/step_0";

}  // namespace

TEST_CASE("without control groups there is no limit", "[control_group]") {
  const System system;
  CHECK(control_group_memory(system.root()) == unlimited);
  CHECK(control_group_processors(system.root()) == 0);
  system.member_of("0::/");
  system.write("/sys/fs/cgroup/memory.max", "max");
  system.write("/sys/fs/cgroup/cpu.max", "max 100000");
  CHECK(control_group_memory(system.root()) == unlimited);
  CHECK(control_group_processors(system.root()) == 0);
}

TEST_CASE("a container's limit is read at the root of the mount", "[control_group]") {
  const System system;
  // Without a cgroup namespace the container's path is the host's.
  for (const char* path : {"/", "/docker/abc", "/../../abc"}) {
    system.member_of(std::string("0::") + path);
    system.write("/sys/fs/cgroup/memory.max", "1000000000");
    system.write("/sys/fs/cgroup/memory.current", "200000000");
    system.write("/sys/fs/cgroup/cpu.max", "50000 100000");
    INFO(path);
    CHECK(control_group_memory(system.root()) == 800'000'000);
    CHECK(control_group_processors(system.root()) == 0.5);
  }
}

TEST_CASE("the smallest limit of a job's group and its ancestors counts", "[control_group]") {
  const System system;
  system.member_of("0::" + job);
  const std::string group = "/sys/fs/cgroup" + job, around = group.substr(0, group.rfind('/'));
  system.write(group + "/memory.max", "max");
  system.write(group + "/memory.current", "100");
  system.write(around + "/memory.max", "1000000000");
  system.write(around + "/memory.current", "200000000");
  system.write(group + "/cpu.max", "400000 100000");
  system.write(around + "/cpu.max", "150000 100000");
  CHECK(control_group_memory(system.root()) == 800'000'000);
  CHECK(control_group_processors(system.root()) == 1.5);
  system.write(group + "/memory.max", "300000100");
  CHECK(control_group_memory(system.root()) == 300'000'000);
  system.write(around + "/memory.high", "250000000");  // above it the kernel throttles the group
  CHECK(control_group_memory(system.root()) == 50'000'000);
}

TEST_CASE("version 1 groups are read in the folders of their controllers", "[control_group]") {
  const System system;
  system.member_of("4:memory:/job_7\n2:cpu,cpuacct:/job_7\n1:name=systemd:/job_7");
  for (const char* group : {"", "/job_7"}) {
    system.write(std::string("/sys/fs/cgroup/memory") + group + "/memory.limit_in_bytes",
                 *group ? "1000000000" : "9223372036854771712");
    system.write(std::string("/sys/fs/cgroup/memory") + group + "/memory.usage_in_bytes", "200000000");
  }
  system.write("/sys/fs/cgroup/cpu,cpuacct/job_7/cpu.cfs_quota_us", "250000");
  system.write("/sys/fs/cgroup/cpu,cpuacct/job_7/cpu.cfs_period_us", "100000");
  CHECK(control_group_memory(system.root()) == 800'000'000);
  CHECK(control_group_processors(system.root()) == 2.5);
  system.write("/sys/fs/cgroup/cpu,cpuacct/job_7/cpu.cfs_quota_us", "-1");
  CHECK(control_group_processors(system.root()) == 0);
}

TEST_CASE("a version 2 hierarchy next to version 1 is read in its own folder", "[control_group]") {
  const System system;
  system.member_of("4:memory:/\n0::/job_7");
  system.write("/sys/fs/cgroup/unified/job_7/cpu.max", "100000 100000");
  CHECK(control_group_processors(system.root()) == 1);
}

TEST_CASE("pages of files count as free, since the kernel can reclaim them", "[control_group]") {
  const System system;
  system.member_of("0::/job_7");
  const std::string group = "/sys/fs/cgroup/job_7";
  system.write(group + "/memory.max", "1000");
  system.write(group + "/memory.current", "990");
  system.write(group + "/memory.stat", "anon 90\nfile 900\nactive_file 300\ninactive_file 600");
  CHECK(control_group_memory(system.root()) == 910);
}

TEST_CASE("a group above its limit has no memory left", "[control_group]") {
  const System system;
  system.member_of("0::/job_7");
  system.write("/sys/fs/cgroup/job_7/memory.max", "1000");
  system.write("/sys/fs/cgroup/job_7/memory.current", "2000");
  CHECK(control_group_memory(system.root()) == 0);
}
