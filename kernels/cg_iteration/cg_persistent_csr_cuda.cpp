#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/cg_iteration/cg_persistent_csr.hpp"
#include "kernels/cg_iteration/csr_parts.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/primitives/grid_sum.hpp"
#include "kernels/device/cuda/runtime/cuda_limits.hpp"

namespace cfdmark {
namespace {

const Setting threads_setting = choice_setting(
    "launch_threads", {"fewest", "128", "256", "512"}, "fewest",
    "threads of a block; fewest: the smallest number with a thread for each of its rows, at most 512");

// A block for each multiprocessor, unless they would have less than a warp's rows.
int blocks_for(Index rows) {
  constexpr int warp = 32;
  return int(std::clamp<Index>((rows + warp - 1) / warp, 1, cuda_limits().multiprocessors));
}
Index rows_of_a_block(Index rows) { return (rows + blocks_for(rows) - 1) / blocks_for(rows); }

// r, q and w of all kept rows; p and u of the block's own.
Index shared_bytes(Index rows, Index halo, Precision stored) {
  return (5 * rows + 3 * halo) * stored_bytes(stored);
}

constexpr Index for_sums = 1024;  // bytes of shared memory
Index most_shared_bytes() { return cuda_limits().shared_bytes - for_sums; }

// The shares of all blocks, on the host.
struct HostParts {
  std::vector<CsrPart> part;
  std::vector<int> halo;
  std::vector<unsigned char> is_sent;
  std::vector<unsigned short> column;
  std::vector<double> value;
  Index most_shared = 0;
};

// Returns the ascending columns of rows [first, end) outside of them.
std::vector<int> halo_of(const CsrPersistentArgs& args, int first, int end) {
  std::vector<int> halo;
  for (int at = args.row_begin[first]; at < args.row_begin[end]; ++at)
    if (args.column[at] < first || args.column[at] >= end) halo.push_back(args.column[at]);
  std::sort(halo.begin(), halo.end());
  halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
  return halo;
}

void add_part(HostParts& parts, const CsrPersistentArgs& args, int first, int end) {
  const std::vector<int> halo = halo_of(args, first, end);
  CsrPart part{.first = first,
               .rows = end - first,
               .halo = int(halo.size()),
               .first_halo = int(parts.halo.size()),
               .width = 0,
               .first_entry = Index(parts.column.size())};
  const Index bytes = shared_bytes(part.rows, part.halo, args.precision);
  parts.most_shared = std::max(parts.most_shared, bytes);
  if (bytes > most_shared_bytes())
    throw std::invalid_argument(fmt::format(
        "a block with {} rows and {} neighbours in others needs {} bytes of shared memory, and there "
        "are {}: use another method, or a numbering with near neighbours such as hilbert",
        part.rows, part.halo, bytes, most_shared_bytes()));
  for (int row = first; row < end; ++row)
    part.width = std::max(part.width, args.row_begin[row + 1] - args.row_begin[row]);
  for (const int row : halo) parts.is_sent[std::size_t(row)] = 1;
  parts.halo.insert(parts.halo.end(), halo.begin(), halo.end());
  parts.column.resize(parts.column.size() + std::size_t(part.width) * std::size_t(part.rows));
  parts.value.resize(parts.column.size());
  for (int row = first; row < end; ++row)
    for (int m = 0; m < part.width; ++m) {
      const auto place =
          std::size_t(part.first_entry) + std::size_t(m) * std::size_t(part.rows) + std::size_t(row - first);
      const int at = args.row_begin[row] + m;
      if (at >= args.row_begin[row + 1]) {
        parts.column[place] = static_cast<unsigned short>(row - first);
        continue;
      }
      const int column = args.column[at];
      const bool is_own = column >= first && column < end;
      const auto in_halo = std::lower_bound(halo.begin(), halo.end(), column) - halo.begin();
      parts.column[place] = static_cast<unsigned short>(is_own ? column - first : part.rows + in_halo);
      parts.value[place] = args.value[at];
    }
  parts.part.push_back(part);
}

HostParts parts_of(const CsrPersistentArgs& args) {
  const int rows = int(args.row_begin.size()) - 1, each = int(rows_of_a_block(rows));
  HostParts parts;
  parts.is_sent.assign(std::size_t(rows), 0);
  for (int first = 0; first < rows; first += each) add_part(parts, args, first, std::min(rows, first + each));
  return parts;
}

int threads_for(const Config& config, Index rows) {
  if (const std::string chosen = config.choice(threads_setting.name); chosen != "fewest")
    return std::stoi(chosen);
  return rows_of_a_block(rows) <= 128 ? 128 : rows_of_a_block(rows) <= 256 ? 256 : 512;
}

}  // namespace

TuningSpace csr_persistent_space() { return {{threads_setting}}; }

bool fits_csr_persistent(Index rows, Precision precision) {
  const Index each = rows_of_a_block(rows), neighbours = each / 8;
  return shared_bytes(each, neighbours, precision) <= most_shared_bytes();
}

Step prepare_csr_persistent(Backend& backend, const CsrPersistentArgs& args, const Config& config) {
  const HostParts parts = parts_of(args);
  const auto rows = Index(args.row_begin.size()) - 1;
  Plan plan;
  const auto memory = [&](std::size_t bytes) {
    const Buffer buffer(backend, bytes);
    plan.memory.push_back(buffer);
    return buffer.data();
  };
  const auto zeros = [&]<class T>(T*& at, std::size_t count) {
    at = static_cast<T*>(memory(count * sizeof(T)));
    backend.set_zero(at, count * sizeof(T));
  };
  const auto uploaded = [&]<class T>(const std::vector<T>& values) {
    void* const at = memory(std::max<std::size_t>(1, values.size()) * sizeof(T));
    backend.upload(at, values.data(), values.size() * sizeof(T));
    return static_cast<const T*>(at);
  };
  GridSumMemory sums{};
  FlaggedValue* messages = nullptr;
  double* curvature = nullptr;
  zeros(sums.parts, 4 * parts.part.size());
  zeros(sums.round, 1);
  zeros(messages, 2 * std::size_t(rows));
  zeros(curvature, 1);
  plan.run.push_back(with_types(args.precision, [&]<class S, class C>() {
    const CsrParts<S> shares{uploaded(parts.part), uploaded(parts.halo), uploaded(parts.is_sent),
                             uploaded(parts.column),
                             uploaded(std::vector<S>(parts.value.begin(), parts.value.end()))};
    S *p = nullptr, *q = nullptr;
    zeros(p, std::size_t(rows)), zeros(q, std::size_t(rows));
    const int threads = threads_for(config, rows);
    return Launch{.function = {"kernels/cg_iteration/cg_persistent_csr.cu",
                               instance<S, C>("csr_persistent", {threads})},
                  .blocks = {int(parts.part.size())},
                  .threads = {threads},
                  .arguments = Arguments(shares, int(rows), args.most, args.reduction, args.r.as<S>().origin,
                                         p, q, args.u.as<S>().origin, messages, args.rho, args.rho_before,
                                         curvature, args.iterations, sums),
                  .shared_bytes = int(parts.most_shared),
                  .cooperative = true};
  }));
  return static_cast<CudaBackend&>(backend).prepare(std::move(plan));
}

}  // namespace cfdmark
