#include <fmt/format.h>

#include <algorithm>

#include "kernels/csr_apply/csr_methods.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/primitives/device_reduction.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/csr_apply/csr_apply.cu";
constexpr const char* row_threads = "row_threads";

int threads_of_a_row(const CsrArgs& args, const Config& config) {
  return config.is(row_threads, "mean") ? usual_row_threads(args.rows, args.entries)
                                        : config.integer(row_threads);
}

Plan by_rows(Backend&, const CsrArgs& args, const Config& config) {
  const int threads = config.integer("block_x"), a_row = threads_of_a_row(args, config);
  const Index blocks = (Index(args.rows) * a_row + threads - 1) / threads;
  return with_csr_types(args, [&]<class S, class C, class Rows>(const Rows& matrix) -> Plan {
    return {.run = {Launch{{source, instance<S, C, Rows>("multiply_csr_rows", {a_row})},
                           {int(blocks)},
                           {threads},
                           Arguments(matrix, args.vectors<S>())}}};
  });
}

// Few blocks with many rows each, if the result is summed: every block must wait for its part of the sum to
// be counted.
Plan streamed(Backend& backend, const CsrArgs& args, const Config& config) {
  constexpr Index most_blocks = 8192;
  const int threads = config.integer("stream_threads");
  const int blocks = int(std::min(most_blocks, (Index(args.rows) + threads - 1) / threads));
  const BlockResultsMemory results(backend, blocks);
  return with_csr_types(args, [&]<class S, class C, class Rows>(const Rows& matrix) -> Plan {
    const std::vector<int> counts{threads, config.integer("stream_entries"), args.dot ? 1 : 0};
    return {.run = {Launch{{source, instance<S, C, Rows>("stream_csr_rows", counts)},
                           {blocks},
                           {threads},
                           Arguments(matrix, args.vectors<S>(), results.view(), args.dot)}},
            .memory = results.buffers()};
  });
}

TuningSpace stream_space() {
  return {{{"stream_threads", {128, 256}, 256, "threads of a block, which reads the entries of as many rows"},
           {"stream_entries", {4, 8}, 8, "entries that a thread reads at once"}}};
}

bool has_short_rows(const CsrArgs& args) { return args.entries < Index(short_row) * args.rows; }

TuningSpace space() {
  TuningSpace space{{{"block_x", {64, 128, 256, 512}, 256, "threads of a block"},
                     {row_threads,
                      {1, 2, 4, 8, 16, 32},
                      "mean",
                      "threads that share a row; mean: the largest power of two up to the mean number of "
                      "entries of a row",
                      "",
                      integer_from_to(1, 32),
                      {"mean"}}}};
  space.require([](const Config& config) -> std::string {
    if (const int block = config.integer("block_x"); block % 32 != 0 || block > 1024)
      return fmt::format("block_x={}: a block must have whole warps of 32 threads, at most 1024", block);
    if (config.is(row_threads, "mean")) return "";
    const int threads = config.integer(row_threads);
    return (threads & (threads - 1)) == 0 ? "" : fmt::format("row_threads={}: use a power of two", threads);
  });
  return space;
}

}  // namespace

// The threads of a row add partial sums, so the last bits of `plain` differ from other backends.
Methods<CsrArgs> csr_cuda() {
  Method<CsrArgs> stream{"stream", stream_space(), prepare_cuda<streamed>};
  stream.preferred = has_short_rows;
  return {{"plain", space(), prepare_cuda<by_rows>}, stream};
}
Methods<CsrArgs> csr_dot_cuda() { return {{"stream", stream_space(), prepare_cuda<streamed>}}; }

}  // namespace cfdmark
