// Links between emulated devices: what is measured, what is refused, and what a machine without them lacks.
#include "bench/device_facts/links.hpp"

#include <fmt/format.h>

#include "bench/measure/links_text.hpp"
#include "bench/record/record_check.hpp"
#include "kernels/device/backends/stand_in_devices.hpp"
#include "kernels/device/cuda/runtime/cuda.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"

using namespace cfdmark;

namespace {

// An emulated device whose path to others may lose what goes over it.
class LinkedDevice final : public EmulatedCuda {
 public:
  LinkedDevice(int index, std::string bus) : EmulatedCuda(index), bus_(std::move(bus)) {}
  std::string pci_bus_id() const override { return bus_; }
  std::size_t free_memory() const override { return std::size_t(1) << 20; }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (loses != "copies") EmulatedCuda::copy(to, from, bytes);
  }
  Step prepare(Plan plan) override {
    const bool is_lost = (loses == "stores" && launches(plan, "copy_words")) ||
                         (loses == "answers" && launches(plan, "answer_rounds"));
    if (is_lost) plan.run.clear();
    return EmulatedCuda::prepare(std::move(plan));
  }

  std::string loses;

 private:
  static bool launches(const Plan& plan, const char* name) {
    return std::any_of(plan.run.begin(), plan.run.end(), [name](const Work& work) {
      const auto* launch = std::get_if<Launch>(&work);
      return launch && launch->function.expression.find(name) != std::string::npos;
    });
  }

  std::string bus_;
};

struct TwoLinkedDevices {
  LinkedDevice first{0, "0000:18:00.0"}, second{1, "0000:3b:00.0"};
  StandInDevices stand_in{BackendKind::cuda, {&first, &second}};
};

LinkEffort small_effort() {
  return {
      .bytes = 4096,
      .copies = 3,
      .rounds = 20,
      .answer_seconds = 60,  // two threads of a busy machine
      .batch_seconds = 1e-5,
      .seconds = 60,
      .enable = [](int, int) { return std::string(); },
      .pinned = [](std::size_t bytes) { return std::shared_ptr<void>(allocate_host(bytes), release_host); },
      .second_queue = [](DeviceId id) { return std::make_unique<EmulatedCuda>(id.index); }};
}

Json links_here(const LinkEffort& effort = small_effort(), int devices = 2) {
  std::vector<DeviceId> ids;
  for (int n = 0; n < devices; ++n) ids.emplace_back(BackendKind::cuda, n);
  return measure_links(
      ids, [] {}, effort, CFDMARK_FAKE_NVML);
}

constexpr const char* rates[] = {"copy_bytes_per_second", "copy_both_ways_bytes_per_second",
                                 "store_bytes_per_second", "store_both_ways_bytes_per_second",
                                 "copy_seconds"};

}  // namespace

TEST_CASE("each direction of each link of two devices has its kind, bandwidths and latencies",
          "[cuda][links]") {
  const TwoLinkedDevices two;
  const Json links = links_here();
  REQUIRE(links.size() == 6);
  const auto ends = [&](std::size_t n) { return std::pair<Json, Json>(links[n]["from"], links[n]["to"]); };
  CHECK(ends(0) == std::pair<Json, Json>("cuda:0", "cuda:1"));
  CHECK(ends(1) == std::pair<Json, Json>("cuda:1", "cuda:0"));
  CHECK(ends(2) == std::pair<Json, Json>("cuda:0", "host"));
  CHECK(ends(5) == std::pair<Json, Json>("host", "cuda:1"));
  for (const Json& link : links)
    for (const char* rate : rates) {
      INFO(one_line(link) << " " << rate);
      REQUIRE(link.contains(rate));
      CHECK(link[rate].get<double>() > 0);
    }
  CHECK(links[0]["kind"] == "nvlink");
  CHECK(links[0]["nvlinks"] == 2);
  CHECK(links[0]["pcie_path"] == "NUMA node");
  CHECK(links[0]["flag_seconds"] == links[1]["flag_seconds"]);
  CHECK_FALSE(links[2].contains("flag_seconds"));
  CHECK(links[2]["kind"] == "pcie");
  CHECK(links[2]["pcie_generation"] == 5);
  CHECK(links[2]["pcie_lanes"] == 16);
}

TEST_CASE("bytes go over a link whole: stores of a kernel move each of them", "[cuda][links]") {
  TwoLinkedDevices two;
  const std::size_t bytes = 16 * 1001;  // not a multiple of a block
  const Buffer from(two.first, bytes), to(two.second, bytes);
  std::vector<unsigned char> sent(bytes), received(bytes);
  for (std::size_t n = 0; n < bytes; ++n) sent[n] = static_cast<unsigned char>(n * 7 + n / 251);
  two.first.upload(from.data(), sent.data(), bytes);
  two.first.prepare({.run = {copy_words(from.data(), to.data(), bytes)}}).run();
  two.second.download(received.data(), to.data(), bytes);
  CHECK(received == sent);
}

TEST_CASE("a path to another device that loses what goes over it has a reason and no bandwidth",
          "[cuda][links]") {
  for (const char* way : {"copies", "stores"}) {
    TwoLinkedDevices two;
    two.first.loses = way;
    const Json links = links_here();
    CHECK_THAT(links[0]["reason"].get<std::string>(),
               ContainsSubstring(std::string("device 1 does not see what device 0 ") + way));
    for (const std::size_t n : {std::size_t(0), std::size_t(1)})
      for (const char* rate : rates) CHECK_FALSE(links[n].contains(rate));
    CHECK(links[4].contains("copy_bytes_per_second"));  // the second device reaches the host
  }
}

TEST_CASE("devices without peer access have CUDA's reason and no bandwidth", "[cuda][links]") {
  const TwoLinkedDevices two;
  LinkEffort refused = small_effort();
  refused.enable = [](int device, int other) {
    return fmt::format("no access from {} to {}", device, other);
  };
  const Json links = links_here(refused);
  CHECK_THAT(links[0]["reason"].get<std::string>(), ContainsSubstring("no access from 0 to 1"));
  CHECK_THAT(links[1]["reason"].get<std::string>(), ContainsSubstring("no access from 1 to 0"));
  CHECK_FALSE(links[0].contains("copy_bytes_per_second"));
}

TEST_CASE("a device that does not answer a message ends the wait of the other with a reason",
          "[cuda][links]") {
  TwoLinkedDevices two;
  two.second.loses = "answers";
  LinkEffort impatient = small_effort();
  impatient.answer_seconds = 0.1;
  const LinkPair pair = measure_link(two.first, two.second, impatient);
  CHECK(pair.there.reason == "device 0 waited 0.1 s for message 1 of device 1");
  CHECK_FALSE(pair.there.flag_latency);
}

TEST_CASE("a flag that is there before its number is counted", "[cuda][links]") {
  TwoLinkedDevices two;
  const Buffer mine(two.first, sizeof(LinkMailbox)), other(two.second, sizeof(LinkMailbox));
  LinkMailbox early{};
  early.flag = 1;  // without the number of the first message
  two.first.upload(mine.data(), &early, sizeof early);
  two.first
      .prepare({.run = {answer_rounds(true, static_cast<LinkMailbox*>(mine.data()),
                                      static_cast<LinkMailbox*>(other.data()), std::make_shared<int>(1), 1)}})
      .run();
  LinkMailbox found{};
  two.first.download(&found, mine.data(), sizeof found);
  CHECK(found.wrong == 1);
  CHECK(found.late == 0);
}

TEST_CASE("a pair of devices takes no more time than it may, and says what it did not measure",
          "[cuda][links]") {
  TwoLinkedDevices two;
  LinkEffort none = small_effort();
  none.seconds = 0;
  const LinkPair pair = measure_link(two.first, two.second, none);
  CHECK_FALSE(pair.there.copy);
  CHECK(pair.there.reason == "the time for this pair was over");
}

TEST_CASE("the table of links has a line for each direction, and says what a machine lacks",
          "[cuda][links]") {
  const TwoLinkedDevices two;
  const std::string all = links_text(links_here(), 2, "");
  for (const char* part : {"cuda:0 -> cuda:1", "cuda:1 -> cuda:0", "cuda:0 -> host", "host -> cuda:1",
                           "NVLink x2", "every byte arrived both ways", "PCIe 5 x16", "GB/s", " us"})
    CHECK_THAT(all, ContainsSubstring(part));
  CHECK_THAT(links_text(links_here(small_effort(), 1), 1, ""),
             ContainsSubstring("between GPUs: none") && ContainsSubstring("cuda:0 -> host"));
  CHECK(links_text(Json::array(), 0, "no NVIDIA driver on this machine") ==
        "  none: no NVIDIA driver on this machine\n");
  CHECK_THAT(links_text(Json::array(), 2, ""), ContainsSubstring("not measured"));
}

TEST_CASE("two devices of this machine reach each other, and a pair takes at most 2 s",
          "[cuda][links][gpu]") {
  if (cuda_device_count() < 2) {
    WARN("skipped: " << (cuda_unavailable().empty() ? "one device" : cuda_unavailable()));
    return;
  }
  const auto device = [](int n) -> CudaBackend& {
    return dynamic_cast<CudaBackend&>(backend({BackendKind::cuda, n}));
  };
  const LinkPair pair = measure_link(device(0), device(1), {});
  INFO(pair.there.reason);
  REQUIRE(pair.there.reason.empty());
  CHECK(*pair.there.copy > 5e9);
  CHECK(*pair.there.store > 5e9);
  CHECK(*pair.there.flag_latency < 50e-6);
}
