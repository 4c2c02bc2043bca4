// A pass over the cells of a device next to the round of messages that it needs or sends. The cells at cuts
// and the round run in a stream of higher priority, the other cells in the usual one; both end with the pass.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/cuda/plan/stream_call.hpp"
#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/overlap_order.hpp"

namespace cfdmark {

// The setting `overlap` of passes on devices, with these orders besides the default `none`.
inline constexpr const char* overlap_name = "overlap";
Setting overlap_setting(std::vector<std::string> orders);
// Returns why a config with this setting and `exchange` is not possible; empty if it is.
std::string overlap_refusal(const Config&);

// The cells of a part, counted from its first one, in boxes that do not overlap.
struct InsideAndEdges {
  std::vector<CellBox> inside;  // one box, or none where the part is thin
  std::vector<CellBox> edges;   // within `layers` cells of another rank's cells
};
InsideAndEdges inside_and_edges(const RankPart&, int layers);

// Returns the work that computes a box of a part's cells, in stream 0.
using PlanOfBox = std::function<Plan(const CellBox&)>;

// Collective. Prepares a pass in this order, which is not `none`. `exchanged`: the fields that the round
// completes, each with the ghosts that the kernel reads: before the edges if inner_first, behind them if
// edges_first. Returns the step with what it sends. Throws std::invalid_argument if hosts wait in a round.
DeviceLinks::Exchange overlapped_pass(const DeviceLinks&, const Partition&, Overlap,
                                      const std::vector<AnyView>& exchanged, const PlanOfBox&);

// Returns the operator on a box of its cells. Throws std::logic_error for an edged one, whose last cells
// differ from the others.
Operator box_of(const Operator&, const CellBox&);

// Returns the args of a kernel on a box of its cells. All fields are at cells.
template <class K>
CellArgs<K> box_of(CellArgs<K> args, const CellBox& box) {
  for_each_field<K>(args.fields, [&](auto& field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Operator>)
      field = box_of(field, box);
    else
      field = field.box(box.i, box.j, box.k, box.nx, box.ny, box.nz);
  });
  return args;
}

// Prepares a pass of a kernel by a method without memory of its own.
template <class K>
DeviceLinks::Exchange overlapped_pass(const DeviceLinks& links, const Partition& partition, Overlap order,
                                      const std::vector<AnyView>& exchanged,
                                      const Method<CellArgs<K>>& method, const CellArgs<K>& args,
                                      const Config& config) {
  return overlapped_pass(links, partition, order, exchanged, [&](const CellBox& box) {
    return plan_of(static_cast<CudaBackend&>(links.backend()),
                   [&](Backend& taker) { method.prepare(taker, box_of(args, box), config); });
  });
}

}  // namespace cfdmark
