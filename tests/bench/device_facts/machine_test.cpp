// Two machines have different keys, even with one name, and one machine keeps its key through updates.
#include "bench/device_facts/machine.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include "bench/device_facts/build_host.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/record/environment.hpp"
#include "bench/tuned/device.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

Json a_host() {
  return {{"name_hash", "vm"},
          {"cpu", "Intel(R) Xeon(R) Processor"},
          {"processor", {{"vendor", "GenuineIntel"}, {"family", "6"}, {"model", "143"}, {"stepping", "8"}}},
          {"cores", 16},
          {"caches", {{{"level", 3}, {"bytes", 314572800}, {"shared_by", 16}}}},
          {"memory_bytes", 135148564480},
          {"board", "Maker, Model"},
          {"os", "Ubuntu 24.04.3 LTS"},
          {"kernel", "6.18.44"}};
}

void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("hosts that differ in hardware have different keys, even with one name", "[machine]") {
  const Json host = a_host();
  const Json changes[] = {{{"cpu", "AMD EPYC"}},
                          {{"processor", {{"family", "26"}}}},
                          {{"processor", {{"stepping", "7"}}}},
                          {{"cores", 8}},
                          {{"caches", {{{"bytes", 33554432}}}}},
                          {{"memory_bytes", 68719476736}},
                          {{"board", "Maker, Another model"}},
                          {{"name_hash", "another"}}};
  std::set<std::string> keys = {host_key(host)};
  for (const Json& change : changes) {
    Json other = host;
    other.merge_patch(change);
    keys.insert(host_key(other));
  }
  REQUIRE(keys.size() == 1 + std::size(changes));
}

TEST_CASE("a host keeps its key after updates, and when its kernel reserves more memory", "[machine]") {
  Json updated = a_host();
  updated.update({{"os", "Ubuntu 26.04"}, {"kernel", "7.0"}, {"governor", "performance"}, {"smt", true}});
  for (const std::size_t memory : {135148564480u, 135000000000u, 134300000000u}) {
    updated["memory_bytes"] = memory;
    CHECK(host_key(updated) == host_key(a_host()));
  }
}

TEST_CASE("two GPUs of one kind in hosts of one kind are two machines", "[machine]") {
  CudaFacts first;
  first.name = "NVIDIA H200";
  first.memory_bytes = 150109880320;
  CudaFacts second = first, unnumbered = first, smaller = first;
  first.uuid = "0123456789abcdef0123456789abcdef";
  second.uuid = "fedcba9876543210fedcba9876543210";
  smaller.memory_bytes /= 2;
  std::set<std::string> machines;
  for (const CudaFacts& facts : {first, second, unnumbered, smaller}) {
    Json environment = {{"host", {{"machine", "abc"}}}};
    describe_gpus(environment, {facts}, "");
    CHECK(one_line(environment).find(facts.uuid.empty() ? "0123" : facts.uuid) == std::string::npos);
    CHECK(machine_of(environment, "openmp", 0) == "abc");
    machines.insert(machine_of(environment, "cuda", 0));
  }
  REQUIRE(machines.size() == 4);
}

TEST_CASE("the second GPU of a host is another machine than the first, for CUDA and for Kokkos on it",
          "[machine]") {
  CudaFacts facts;
  facts.name = "GPU", facts.uuid = "1";
  CudaFacts other = facts;
  other.uuid = "2";
  Json environment = {{"host", {{"machine", "abc"}}}, {"libraries", {{"Kokkos device", "Cuda"}}}};
  describe_gpus(environment, {facts, other}, "");
  CHECK(machine_of(environment, "cuda", 0) != machine_of(environment, "cuda", 1));
  CHECK(machine_of(environment, "kokkos", 0) == machine_of(environment, "cuda", 0));
  environment["libraries"]["Kokkos device"] = "OpenMP";
  CHECK(machine_of(environment, "kokkos", 0) == "abc");
}

TEST_CASE("processor, board, nodes, threads and governor are read from the system", "[machine]") {
  const TemporaryFolder folder;
  const std::string root = folder.path.string();
  write(root + "/proc/cpuinfo",
        "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Xeon\nstepping\t: 8\n");
  write(root + "/sys/class/dmi/id/sys_vendor", "Maker\n");
  write(root + "/sys/class/dmi/id/product_name", "Model 7\n");
  write(root + "/sys/devices/system/node/online", "0-1,3\n");
  write(root + "/sys/devices/system/cpu/smt/active", "1\n");
  for (const char* policy : {"0", "1"})
    write(root + "/sys/devices/system/cpu/cpufreq/policy" + policy + "/scaling_governor", "schedutil\n");
  const Processor p = processor(root);
  CHECK(p.vendor + " " + p.family + " " + p.model + " " + p.stepping == "GenuineIntel 6 143 8");
  CHECK(board(root) == "Maker, Model 7");
  CHECK(numa_nodes(root) == 3);
  CHECK(smt(root) == true);
  CHECK(governor(root) == "schedutil");
  write(root + "/sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
  CHECK(governor(root) == "performance, schedutil");
}

namespace {

// As Linux on ARM writes it for each processor, shortened.
std::string arm_cpuinfo(const std::string& implementer, const std::string& part) {
  return "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\nCPU implementer\t: " + implementer +
         "\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: " + part + "\nCPU revision\t: 1\n\n";
}

std::string name_of_arm(const std::string& cpuinfo) {
  const TemporaryFolder folder;
  write(folder / "proc/cpuinfo", cpuinfo);
  return cpu_name(folder.path.string());
}

}  // namespace

TEST_CASE("an ARM processor is named by implementer and part, with each kind of core", "[machine]") {
  CHECK(name_of_arm(arm_cpuinfo("0x41", "0xd0c")) == "ARM Neoverse-N1");
  CHECK(name_of_arm(arm_cpuinfo("0x41", "0xd40")) == "ARM Neoverse-V1");
  CHECK(name_of_arm(arm_cpuinfo("0x46", "0x001")) == "Fujitsu A64FX");
  CHECK(name_of_arm(arm_cpuinfo("0x41", "0xd05") + arm_cpuinfo("0x41", "0xd0b") +
                    arm_cpuinfo("0x41", "0xd0b")) == "ARM Cortex-A55 + ARM Cortex-A76");
  CHECK(name_of_arm(arm_cpuinfo("0x41", "0xfff")) == "ARM part 0xfff");
  CHECK(name_of_arm(arm_cpuinfo("0x99", "0x001")) == "implementer 0x99 part 0x001");
  CHECK(name_of_arm("model name\t: Xeon\n") == "Xeon");
  CHECK(name_of_arm("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n") == "POWER9, altivec supported");
  CHECK(name_of_arm("processor\t: 0\nuarch\t\t: sifive,u74-mc\n") == "sifive,u74-mc");
  CHECK(name_of_arm("processor\t: 0\n").empty());
}

TEST_CASE("a layout tuned on one ARM processor applies to no other", "[machine][tune]") {
  const auto tuned_on = [](const std::string& part) {
    const Json host = {{"cpu", name_of_arm(arm_cpuinfo("0x41", part))}, {"cores", 2}};
    return tuning::tuning_device({{"host", host}, {"program", {{"instruction_set", "armv8.2-a"}}}},
                                 BackendKind::serial)
        .name;
  };
  CHECK(tuned_on("0xd0c") == "ARM Neoverse-N1, 2 cores");
  CHECK(tuned_on("0xd0c") != tuned_on("0xd40"));
}

TEST_CASE("a native build reports another processor, a portable build does not", "[machine]") {
  BuildInfo build;
  build.arch = "native";
  build.build_host = {"AMD EPYC", "AuthenticAMD", "26", "2"};
  CHECK_FALSE(built_for_another_processor(build, {"AuthenticAMD", "26", "2", "1"}));
  CHECK_FALSE(built_for_another_processor(build, {"AuthenticAMD", "26", "2", "2"}));  // another stepping
  CHECK(built_for_another_processor(build, {"AuthenticAMD", "25", "2", "1"}));
  CHECK(built_for_another_processor(build, {"GenuineIntel", "26", "2", "1"}));
  CHECK_FALSE(built_for_another_processor(build, {}));
  CHECK(build_host_name(build.build_host) == "AMD EPYC");
  build.arch = "x86-64-v3";
  CHECK_FALSE(built_for_another_processor(build, {"GenuineIntel", "6", "143", "8"}));
  CHECK(build_host_name({"", "0x41", "8", "0xd40"}) == "ARM Neoverse-V1");
  CHECK(build_host_name({}).empty());
}

TEST_CASE("this program knows its build processor and runs on the same", "[machine]") {
  const Json program = describe_program_and_host()["program"];
  if (cpu_name().empty()) {
    WARN("skipped: this system does not name its processor");
    return;
  }
  CHECK(program["built_on"] == cpu_name());
  CHECK_FALSE(program.contains("built_for_another_processor"));
}

TEST_CASE("a quota of processor time and a build for another processor give warnings", "[machine]") {
  Json environment = {{"host", {{"cpu", "Here"}, {"cores", 4}}},
                      {"openmp", {{"max_threads", 4}}},
                      {"program", {{"built_on", "There"}}}};
  CHECK(environment_warnings(environment).empty());
  environment["host"]["cpu_quota"] = 4.0;
  CHECK(environment_warnings(environment).empty());
  environment["host"]["cpu_quota"] = 0.5;
  REQUIRE(environment_warnings(environment).size() == 1);
  CHECK_THAT(environment_warnings(environment)[0], Mentions({"0.5 processors", "4 threads"}));
  environment["program"]["built_for_another_processor"] = true;
  REQUIRE(environment_warnings(environment).size() == 2);
  CHECK_THAT(environment_warnings(environment)[1], Mentions({"There", "Here", "CFDMARK_ARCH"}));
}

TEST_CASE("threads, their binding and a quota belong to the conditions of a case on the host", "[machine]") {
  const Json environment = {{"host", {{"machine", "abc"}}},
                            {"openmp", {{"max_threads", 2}, {"proc_bind", "close"}, {"places", "not set"}}},
                            {"kokkos", {{"threads", 2}}}};
  const auto differ = [&](const Json& change) {
    Json other = environment;
    other.merge_patch(change);
    std::string backends;
    for (const char* backend : {"serial", "openmp", "kokkos", "cuda"})
      if (threads_of(environment, backend) != threads_of(other, backend))
        backends += std::string(backend) + " ";
    return backends;
  };
  CHECK(differ(Json::object()) == "");
  CHECK(differ({{"openmp", {{"max_threads", 1}}}}) == "openmp ");
  CHECK(differ({{"kokkos", {{"threads", 1}}}}) == "kokkos ");
  CHECK(differ({{"openmp", {{"proc_bind", "false"}}}}) == "serial openmp kokkos ");
  CHECK(differ({{"openmp", {{"places", "cores"}}}}) == "serial openmp kokkos ");
  CHECK(differ({{"host", {{"cpu_quota", 0.5}}}}) == "serial openmp kokkos ");
}

TEST_CASE("facts that the system does not report are unknown", "[machine]") {
  const TemporaryFolder folder;
  const std::string nowhere = folder.path.string();
  CHECK(processor(nowhere).vendor == "");
  CHECK(board(nowhere) == "");
  CHECK(numa_nodes(nowhere) == 0);
  CHECK_FALSE(smt(nowhere).has_value());
  CHECK(governor(nowhere) == "");
}
