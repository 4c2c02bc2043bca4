#include "kernels/cells/indexed/ranks/kernel_reach.hpp"

namespace cfdmark {
namespace {

void append(std::vector<EntityRun>& runs, int e) {
  if (!runs.empty() && runs.back().end == e)
    ++runs.back().end;
  else
    runs.push_back({e, e + 1});
}

class ReachOfKernel {
 public:
  ReachOfKernel(const MeshPart& part, Connection around)
      : part_(part),
        at_(entities_with(around, part.mesh().dims)),
        to_(neighbours_in(around, part.mesh().dims)),
        lists_(lists_of(part.mesh(), around)) {
    reach_.entities.resize(part.numbers(at_).size());
    reach_.neighbours.resize(part.numbers(to_).size());
  }

  KernelReach gathering() {
    for (int e = 0; e < lists_.entities; ++e)
      if (part_.owns(at_, e)) add_result(e, read_neighbours(e));
    return std::move(reach_);
  }
  KernelReach scattering() {
    const HostLists places = places_of(lists_, int(reach_.neighbours.size()));
    for (int to = 0; to < places.entities; ++to) {
      if (!part_.owns(to_, to)) continue;
      bool ghosts = false;
      for (int n = 0; n < places.count(to); ++n) ghosts |= read_entity(places.entry(to, n) / lists_.degree);
      add_result(to, ghosts);
    }
    return std::move(reach_);
  }

 private:
  void add_result(int n, bool reads_ghosts) { append(reads_ghosts ? reach_.edge : reach_.inside, n); }

  // Marks the ghosts among the neighbours of entity e. Returns whether there are any.
  bool read_neighbours(int e) {
    bool any = false;
    for (int n = 0; n < lists_.count(e); ++n) {
      const int entry = lists_.entry(e, n);
      if (lists_.marks == Marks::gaps && entry < 0) continue;
      const int neighbour = lists_.marks == Marks::signs ? number_of(entry) : entry;
      if (part_.owns(to_, neighbour)) continue;
      reach_.neighbours[std::size_t(neighbour)] = any = true;
    }
    return any;
  }
  bool read_entity(int e) {
    const bool is_ghost = !part_.owns(at_, e);
    reach_.entities[std::size_t(e)] |= char(is_ghost);
    return read_neighbours(e) || is_ghost;
  }

  const MeshPart& part_;
  Entity at_, to_;
  HostLists lists_;
  KernelReach reach_;
};

}  // namespace

KernelReach kernel_reach(const MeshPart& part, Connection around, bool scatters) {
  ReachOfKernel reach(part, around);
  return scatters ? reach.scattering() : reach.gathering();
}

}  // namespace cfdmark
