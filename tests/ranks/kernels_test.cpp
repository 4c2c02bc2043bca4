// Every plain serial kernel on ranks against the kernel on the whole domain: the same bits.
#include <cmath>
#include <limits>
#include <mutex>

#include "generated/cell_kernels.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/ranks/domain_reduction.hpp"
#include "kernels/ranks/rank_passes.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/partitions.hpp"
#include "tests/ranks/same_bits.hpp"

using namespace cfdmark;

namespace {

// Returns a box of a field with its ghosts.
HostField cut_from(const HostField& whole, const CellBox& box, const Grid& local) {
  HostField part(local, whole.storage());
  for_each_cell(local, true,
                [&](int i, int j, int k) { part.set(i, j, k, whole.get(box.i + i, box.j + j, box.k + k)); });
  return part;
}

// A kernel on a domain of noise, and its result by one rank.
template <class K>
class KernelOnRanks {
 public:
  KernelOnRanks(const Grid& whole, Precision p, OperatorKind op)
      : shape_{p, whole, op}, start_(kernel_.start(shape_)), serial_(backend(BackendKind::serial)) {
    for_each_field<K>(K::names, [&](const auto& name) {
      constexpr Role role = std::decay_t<decltype(name)>::role;
      if (role != Role::op) reads_around_.push_back(role == Role::stencil_in || role == Role::stencil_in_out);
    });
    reads_around_.resize(start_.fields.size(), false);  // the arrays of an operator
    std::vector<AnyView> views;
    for (const auto& entry : start_.fields) expected_.push_back(entry.initial);
    for (const HostField& field : expected_) views.push_back(field.view());
    kernel_.methods(BackendKind::serial).front().prepare(serial_, bind(views, whole, &result_), {}).run();
  }

  // Returns what differs on ranks; empty if nothing. `exchanges`: false skips all exchanges.
  std::string difference(const Partition& partition, bool exchanges = true) const {
    std::string first;
    std::mutex mutex;
    on_thread_ranks(partition.ranks(), [&](Ranks& ranks) {
      const std::string of_rank = difference_on(ranks, partition, exchanges);
      const std::lock_guard lock(mutex);
      if (first.empty() && !of_rank.empty()) first = fmt::format("rank {}: {}", ranks.rank(), of_rank);
    });
    return first;
  }
  bool reads_around() const {
    return std::find(reads_around_.begin(), reads_around_.end(), true) != reads_around_.end();
  }

 private:
  std::string difference_on(Ranks& ranks, const Partition& partition, bool exchanges) const {
    const CellBox& own = partition.part(ranks.rank()).own;
    const Grid local = partition.local(ranks.rank(), halo_of<K>);
    std::vector<HostField> fields;
    std::vector<AnyView> views;
    for (std::size_t n = 0; n < start_.fields.size(); ++n) {
      const Grid here = grid_of(n, local);
      fields.push_back(cut_from(start_.fields[n].initial, own, here));
      if (reads_around_[n]) poison_ghosts(fields.back(), own);
    }
    for (const HostField& field : fields) views.push_back(field.view());
    double result = 0;
    CellArgs<K> args = bind(views, local, &result);
    std::vector<std::unique_ptr<GhostExchange>> around;
    for (std::size_t n = 0; n < views.size(); ++n)
      if (reads_around_[n] && exchanges) around.push_back(ranks.exchange(partition, views[n]));
    const std::unique_ptr<Backend> queue = new_queue(BackendKind::serial);
    std::vector<std::function<void()>> passes;
    for (const K& pass : passes_of(args.kernel)) {
      args.kernel = pass;
      if constexpr (is_reduction<K>) {
        const auto reduction = std::make_shared<DomainReduction>(
            ranks, partition, std::vector<RowReduction>{{RowPartsOf<K>::make(args), &result}});
        passes.push_back([reduction] { reduction->run(); });
      } else {
        passes.push_back(kernel_.methods(BackendKind::serial).front().prepare(*queue, args, {}).run);
      }
    }
    for (const auto& pass : passes) {
      for (const auto& exchange : around) exchange->run();
      pass();
    }
    std::string found;
    if (is_reduction<K> && !equal_bits(result, result_))
      found = fmt::format("the result is {} instead of {}", result, result_);
    for (std::size_t n = 0; n < fields.size() && found.empty(); ++n)
      if (start_.fields[n].is_written)
        found = difference_of(fields[n], cut_from(expected_[n], own, fields[n].grid()));
    return found.empty() ? "" : fmt::format("{}: {}", kernel_.name, found);
  }

  // Returns the local grid of field n, which may be at faces.
  Grid grid_of(std::size_t n, const Grid& local) const {
    const Grid &field = start_.fields[n].initial.grid(), &whole = shape_.grid;
    Grid here = local.with_halo(field.halo);
    here.nx += field.nx - whole.nx, here.ny += field.ny - whole.ny, here.nz += field.nz - whole.nz;
    return here;
  }

  // Sets the ghosts that belong to other ranks to NaN.
  void poison_ghosts(HostField& field, const CellBox& own) const {
    const Grid g = field.grid(), &whole = shape_.grid;
    for_each_cell(g, true, [&](int i, int j, int k) {
      const bool is_own = i >= 0 && i < own.nx && j >= 0 && j < own.ny && k >= 0 && k < own.nz;
      const int at_i = own.i + i, at_j = own.j + j, at_k = own.k + k;
      const bool is_inside =
          at_i >= 0 && at_i < whole.nx && at_j >= 0 && at_j < whole.ny && at_k >= 0 && at_k < whole.nz;
      if (!is_own && is_inside) field.set(i, j, k, std::numeric_limits<double>::quiet_NaN());
    });
  }

  // Returns args on these views. Constant weights are those of the whole domain.
  CellArgs<K> bind(const std::vector<AnyView>& views, const Grid& grid, double* result) const {
    CellArgs<K> args = kernel_.bind({shape_.precision, grid, shape_.op}, views, result);
    for_each_field<K>(args.fields, [&](auto& field) {
      if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Operator>)
        if (field.constant) field = timed_constant_operator(shape_.grid);
    });
    return args;
  }

  KernelDescription<CellArgs<K>> kernel_ = CellKernel<K>::kernel();
  ProblemShape shape_;
  HostProblem start_;
  Backend& serial_;
  std::vector<bool> reads_around_;  // for each field: it is read with its neighbours
  std::vector<HostField> expected_;
  double result_ = 0;
};

struct RankedGrid {
  Grid whole;
  std::vector<std::pair<int, const char*>> partitions;
};
const RankedGrid plane{{41, 23},
                       {{2, "1x2"}, {2, "2x1"}, {3, "1x3"}, {4, "2x2"}, {7, "1x7"}, {7, "7x1"}, {9, "3x3"}}};
const RankedGrid box{{35, 9, 8},
                     {{2, "1x1x2"}, {2, "2x1x1"}, {3, "1x3x1"}, {4, "1x2x2"}, {7, "7x1x1"}, {8, "2x2x2"}}};

// Checks a kernel on planes and boxes with each operator. Returns the number of comparisons.
template <class K>
int check_on_ranks() {
  if constexpr (in_order<K>) return 0;  // each cell needs the new values of the ranks before
  int compared = 0;
  const auto kernel = CellKernel<K>::kernel();
  for (const auto& [whole, partitions] : {plane, box}) {
    if (!(whole.is_3d() ? kernel.in_3d : kernel.in_2d)) continue;
    for (const Precision p : all_precisions)
      for (const OperatorKind op : {OperatorKind::constant, OperatorKind::arrays}) {
        if (op == OperatorKind::arrays && !has_operator<K>) continue;
        const KernelOnRanks<K> on_ranks(whole, p, op);
        std::string without_exchange;
        for (const auto& [ranks, shape] : partitions) {
          INFO(kernel.name << " " << to_string(p) << " on " << shape);
          const Partition partition = Partition::of(whole, ranks, PartShape::from(shape));
          CHECK(on_ranks.difference(partition) == "");
          without_exchange += on_ranks.difference(partition, false);
          ++compared;
        }
        CHECK(on_ranks.reads_around() == !without_exchange.empty());
      }
  }
  return compared;
}

template <class... K>
std::vector<int> check_kernels(KernelTypes<K...>) {
  return {check_on_ranks<K>()...};
}

}  // namespace

TEST_CASE("every plain serial kernel on ranks computes every bit of one rank, and fails without the exchange",
          "[ranks]") {
  const std::vector<int> compared = check_kernels(CellKernels{});
  int without = 0;
  for (const int n : compared) without += n == 0;
  CHECK(without == 1);  // lexicographic Gauss-Seidel
}
