// Two machines are two, whatever they are called, and one stays one through updates.
#include "bench/record/machine.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include "bench/record/environment.hpp"
#include "bench/record/host_facts.hpp"
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

TEST_CASE("hosts that differ in what they are have different keys, though they have one name", "[machine]") {
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

TEST_CASE("a host keeps its key when it is updated or its kernel keeps more memory to itself", "[machine]") {
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

TEST_CASE("processor, board, nodes, threads and governor are read as the system tells them", "[machine]") {
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

TEST_CASE("what the system does not tell is unknown", "[machine]") {
  const TemporaryFolder folder;
  const std::string nowhere = folder.path.string();
  CHECK(processor(nowhere).vendor == "");
  CHECK(board(nowhere) == "");
  CHECK(numa_nodes(nowhere) == 0);
  CHECK_FALSE(smt(nowhere).has_value());
  CHECK(governor(nowhere) == "");
}
