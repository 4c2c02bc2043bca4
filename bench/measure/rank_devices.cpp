#include "bench/measure/rank_devices.hpp"

#include "bench/case/ranked_case.hpp"

namespace cfdmark {
namespace {

// The clock of steps on several devices: from idle to idle of all.
class ClockOfRanks final : public Backend {
 public:
  explicit ClockOfRanks(std::vector<Backend*> all) : all_(std::move(all)) {}

  BackendKind kind() const override { return first().kind(); }
  int index() const override { return first().index(); }
  bool host_accessible() const override { return first().host_accessible(); }
  void* allocate(std::size_t bytes) override { return first().allocate(bytes); }
  void release(void* p) noexcept override { first().release(p); }
  void upload(void* to, const void* from, std::size_t bytes) override { first().upload(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { first().download(to, from, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override { first().copy(to, from, bytes); }
  void set_zero(void* to, std::size_t bytes) override { first().set_zero(to, bytes); }
  void fence() override {
    for (Backend* one : all_) one->fence();
  }
  std::size_t free_memory() const override { return first().free_memory(); }
  std::size_t last_level_cache() const override { return first().last_level_cache(); }

 private:
  Backend& first() const { return *all_.front(); }

  std::vector<Backend*> all_;
};

// Returns the devices of a case by rank; empty unless this process uses several.
std::vector<Backend*> devices_of(const Case& c, const Backend& home) {
  const int ranks = ranks_of(c.config).count;
  if (home.kind() != BackendKind::cuda || ranks == 1 || are_processes(c.config)) return {};
  std::vector<Backend*> all;
  for (int r = 0; r < ranks; ++r) all.push_back(&backend({home.kind(), home.index() + r}));
  return all;
}

}  // namespace

std::unique_ptr<Backend> clock_of_devices(const Case& c, Backend& home) {
  std::vector<Backend*> all = devices_of(c, home);
  if (all.empty()) return nullptr;
  return std::make_unique<ClockOfRanks>(std::move(all));
}

Json with_devices(Json ranks, const Case& c, const Backend& home) {
  if (ranks.is_null()) return ranks;
  if (c.config.has("exchange")) ranks["exchange"]["way"] = c.config.choice("exchange");
  const std::vector<Backend*> all = devices_of(c, home);
  if (all.empty()) return ranks;
  ranks.erase("seconds");
  for (const Backend* device : all)
    ranks["devices"].push_back({{"index", device->index()}, {"pci_bus_id", device->pci_bus_id()}});
  return ranks;
}

}  // namespace cfdmark
