#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "kernels/device/field.hpp"
#include "kernels/halo/halo.hpp"

namespace cfdmark {
namespace {

// Returns the value of a cell of the domain: exact in 32 bits, and another one in each cell nearby.
double value_of(int i, int j, int k) { return double((i * 7L + j * 1031L + k * 65537L) % 8388593L); }

// Returns the periodic axes: the slowest one.
std::array<bool, 3> periodic_axes(const Grid& g) { return {false, !g.is_3d(), g.is_3d()}; }

class HaloPart final : public RankKernelPart {
 public:
  HaloPart(Ranks& ranks, const RankPlace& place, const Partition& partition, Precision precision, int layers)
      : partition_(partition),
        own_(partition.part(ranks.rank()).own),
        on_(place.on),
        field_(place.on, partition.local(ranks.rank(), layers), precision) {
    load();
    if (place.links) {
      const DeviceLinks::Exchange prepared = place.links->exchange(partition_, field_.view());
      run_ = prepared.step.run, traffic_ = prepared.traffic;
      return;
    }
    const std::shared_ptr<GhostExchange> exchange = ranks.exchange(partition_, field_.view());
    run_ = [exchange] { exchange->run(); };
    traffic_ = exchange->traffic();
  }

  void load() override {
    const Grid& g = field_.grid();
    HostField start(g, field_.storage());
    for_each_cell(g, true, [&](int i, int j, int k) {
      const bool is_own = i >= 0 && i < g.nx && j >= 0 && j < g.ny && k >= 0 && k < g.nz;
      start.set(i, j, k, is_own ? expected(i, j, k) : std::numeric_limits<double>::quiet_NaN());
    });
    wait();
    field_.upload(start);
  }
  void run() override { run_(); }
  void wait() override { on_.fence(); }

  std::string difference() const override {
    std::string first;
    const HostField end = field_.download();
    for_each_cell(field_.grid(), true, [&](int i, int j, int k) {
      const double found = end.get(i, j, k), wanted = expected(i, j, k);
      if (found == wanted || (std::isnan(found) && std::isnan(wanted)) || !first.empty()) return;
      first = fmt::format("cell ({}, {}, {}) of the part of {}x{}x{} cells is {}, not {}", i, j, k, own_.nx,
                          own_.ny, own_.nz, found, wanted);
    });
    return first;
  }

  Cost cost() const override {
    double ghosts = 0;
    for_each_cell(field_.grid(), true, [&](int i, int j, int k) {
      ghosts += !own_.has(own_.i + i, own_.j + j, own_.k + k) && !std::isnan(expected(i, j, k));
    });
    Cost cost;
    cost.cells = ghosts;
    cost.bytes = 2 * ghosts * double(stored_bytes(field_.storage()));  // read and written
    return cost;
  }
  ExchangeTraffic traffic() const override { return traffic_; }
  double field_bytes() const override { return double(field_.bytes()); }

 private:
  // Returns the value of a cell of the part or of a ghost; NaN beyond the domain's own sides.
  double expected(int i, int j, int k) const {
    std::array<int, 3> at = {own_.i + i, own_.j + j, own_.k + k};
    const Grid& whole = partition_.whole();
    const std::array<int, 3> cells = {whole.nx, whole.ny, whole.nz};
    for (int d = 0; d < 3; ++d) {
      if (partition_.periodic()[d]) at[d] = (at[d] + cells[d]) % cells[d];
      if (at[d] < 0 || at[d] >= cells[d]) return std::numeric_limits<double>::quiet_NaN();
    }
    return value_of(at[0], at[1], at[2]);
  }

  Partition partition_;
  CellBox own_;
  Backend& on_;
  Field field_;
  std::function<void()> run_;
  ExchangeTraffic traffic_;
};

}  // namespace

Partition halo_partition(const Grid& grid, const RankSetup& setup) {
  return Partition::of(grid, setup.count, PartShape::from(setup.partition), 1, periodic_axes(grid));
}

std::string halo_refusal(const Grid& grid, const RankSetup& setup, int layers) {
  if (std::string reason = partition_refusal(grid, setup, layers); !reason.empty()) return reason;
  const int slowest = grid.is_3d() ? 2 : 1;
  const int thinnest = halo_partition(grid, setup).thinnest(slowest);
  if (thinnest >= layers) return "";
  return fmt::format("the thinnest part has {} cells along {}, but lends {} layers: use fewer layers",
                     thinnest, "xyz"[slowest], layers);
}

double halo_bytes(const Grid& grid, const RankSetup& setup, Precision precision, int layers) {
  const Partition partition = halo_partition(grid, setup);
  double elements = 0;
  for (int r = 0; r < setup.count; ++r) elements += double(Layout(partition.local(r, layers)).elements);
  return elements * double(stored_bytes(precision));
}

std::unique_ptr<RankKernelPart> halo_part(Ranks& ranks, const RankPlace& place, const Partition& partition,
                                          Precision precision, int layers) {
  return std::make_unique<HaloPart>(ranks, place, partition, precision, layers);
}

}  // namespace cfdmark
