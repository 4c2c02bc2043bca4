#include "solvers/flow/periodic_ghosts.hpp"

namespace cfdmark {

PeriodicGhosts::PeriodicGhosts(const System& system, const FlowDomain& domain, std::vector<AnyView> fields,
                               const Config& config) {
  for (const AnyView& field : fields)
    for (const Operation& copy :
         ghost_copies(system, {domain.periodic_x, domain.periodic_y, domain.periodic_z}, field, config))
      copies_.push_back(copy);
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
