#include "kernels/ranks/overlapped_pass.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace cfdmark {
namespace {

struct AxisOfBox {
  int CellBox::*first;
  int CellBox::*cells;
};
constexpr std::array<AxisOfBox, 3> axes = {
    {{&CellBox::i, &CellBox::nx}, {&CellBox::j, &CellBox::ny}, {&CellBox::k, &CellBox::nz}}};

// Takes up to `layers` cells from an end of a box and returns them.
CellBox taken_from(CellBox& box, const AxisOfBox& axis, bool high, int layers) {
  const int taken = std::min(layers, box.*axis.cells);
  CellBox edge = box;
  edge.*axis.cells = taken;
  box.*axis.cells -= taken;
  if (high)
    edge.*axis.first += box.*axis.cells;
  else
    box.*axis.first += taken;
  return edge;
}

void append(Plan& plan, Plan more, int stream) {
  if (!more.load.empty() || !more.store.empty())
    throw std::logic_error("a method with a layout of its own cannot run next to a round");
  for (Work& work : more.run) {
    if (stream != 0) {
      if (auto* launch = std::get_if<Launch>(&work))
        launch->stream = stream;
      else
        throw std::logic_error("a pass next to a round consists of launches");
    }
    plan.run.push_back(std::move(work));
  }
  plan.memory.insert(plan.memory.end(), more.memory.begin(), more.memory.end());
}

// Appends a round, which is on its stream already, and adds what it sends.
void append_round(Plan& plan, const DeviceLinks::Round& round, ExchangeTraffic& sent) {
  append(plan, round.plan, 0);
  sent.bytes += round.traffic.bytes;
  sent.messages += round.traffic.messages;
  sent.largest = std::max(sent.largest, round.traffic.largest);
}

}  // namespace

Setting overlap_setting(std::vector<std::string> orders) {
  orders.insert(orders.begin(), "none");
  return choice_setting(
      overlap_name, std::move(orders), "none",
      "order of a pass: exchange, then compute; exchange next to the inside, then compute the cells at cuts; "
      "or compute the cells at cuts, then send them next to the inside");
}

std::string overlap_refusal(const Config& config) {
  if (!config.has(overlap_name) || config.is(overlap_name, "none") || !config.is("exchange", "host"))
    return "";
  return "overlap needs rounds in which no host waits: set exchange=copy, store or nccl, or overlap=none";
}

InsideAndEdges inside_and_edges(const RankPart& part, int layers) {
  CellBox rest{.nx = part.own.nx, .ny = part.own.ny, .nz = part.own.nz};
  InsideAndEdges cells;
  for (std::size_t d = 3; d-- > 0;)
    for (const bool high : {false, true})
      if (part.across[2 * d + high] >= 0 && rest.*axes[d].cells > 0)
        cells.edges.push_back(taken_from(rest, axes[d], high, layers));
  if (rest.cells() > 0) cells.inside.push_back(rest);
  return cells;
}

DeviceLinks::Exchange overlapped_pass(const DeviceLinks& links, const Partition& partition, Overlap order,
                                      const std::vector<AnyView>& exchanged, const PlanOfBox& plan_of_box) {
  const InsideAndEdges cells =
      inside_and_edges(partition.part(links.ranks().rank()), exchanged.at(0).grid.halo);
  Plan plan;
  DeviceLinks::Exchange made;
  const auto append_rounds = [&] {
    for (const AnyView& field : exchanged)
      append_round(plan, links.round(partition, field, urgent_stream), made.traffic);
  };
  if (order == Overlap::inner_first) append_rounds();
  for (const CellBox& box : cells.edges) append(plan, plan_of_box(box), urgent_stream);
  if (order == Overlap::edges_first) append_rounds();
  for (const CellBox& box : cells.inside) append(plan, plan_of_box(box), 0);
  made.step = static_cast<CudaBackend&>(links.backend()).prepare(std::move(plan));
  made.step.run = [run = std::move(made.step.run), ranks = &links.ranks(), sent = made.traffic] {
    run();
    ranks->note_exchange(sent);
  };
  return made;
}

Operator box_of(const Operator& whole, const CellBox& box) {
  if (whole.is_edged()) throw std::logic_error("an edged operator has no boxes");
  Operator part = whole;
  for (AnyView* const array : {&part.west_a, &part.east_a, &part.south_a, &part.north_a, &part.bottom_a,
                               &part.top_a, &part.centre_a})
    if (array->origin) *array = array->box(box.i, box.j, box.k, box.nx, box.ny, box.nz);
  return part;
}

}  // namespace cfdmark
