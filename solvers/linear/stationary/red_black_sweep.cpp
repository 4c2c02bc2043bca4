#include "solvers/linear/stationary/red_black_sweep.hpp"

#include "solvers/linear/system/overlapped_sweep.hpp"

namespace cfdmark {
namespace {

std::vector<ColourOrder> colours_of(ColourOrder order) {
  using enum ColourOrder;
  switch (order) {
    case red_black: return {red, black};
    case red_black_red: return {red, black, red};
    case red:
    case black: break;
  }
  return {order};
}

}  // namespace

Operation red_black_sweep(const System& system, const char* routine,
                          const Method<CellArgs<RedBlackSor>>& method, const CellArgs<RedBlackSor>& args,
                          const Config& config) {
  if (!system.sides.are_periodic() && !system.ranks) return prepare(system, routine, method, args, config);
  const Operations op(system, config);
  Operation all;
  for (const ColourOrder colour : colours_of(args.kernel.order)) {
    CellArgs<RedBlackSor> one = args;
    one.kernel.order = colour;
    const Overlap order = overlap_of(system, config);
    const Operation half = order == Overlap::none
                               ? op.around(args.fields.u, prepare(system, routine, method, one, config))
                               : overlapped_sweep(system, routine, order, args.fields.u, method, one, config);
    all = all.step.run ? in_turn(all, half) : half;
  }
  return all;
}

}  // namespace cfdmark
