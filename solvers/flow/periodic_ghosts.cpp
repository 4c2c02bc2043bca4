#include "solvers/flow/periodic_ghosts.hpp"

namespace cfdmark {

PeriodicGhosts::PeriodicGhosts(const System& system, const FlowDomain& domain, std::vector<AnyView> fields,
                               const Config& config) {
  System periodic = system;
  periodic.sides.periodic = {domain.periodic_x, domain.periodic_y, domain.periodic_z};
  const Operations op(periodic, config);
  for (const AnyView& field : fields)
    for (Operation& copy : op.exchange(field)) copies_.push_back(std::move(copy));
}

int PeriodicGhosts::launches() const {
  int all = 0;
  for (const Operation& copy : copies_) all += copy.step.resources.launches;
  return all;
}

Cost PeriodicGhosts::cost() const {
  Cost all;
  for (const Operation& copy : copies_) all = all + copy.cost;
  return all;
}

}  // namespace cfdmark
