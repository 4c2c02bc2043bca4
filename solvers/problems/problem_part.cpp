#include "solvers/problems/problem_part.hpp"

namespace cfdmark {

HostField cut_from(const HostField& whole, const CellBox& box, const Grid& local) {
  HostField part = HostField(local, whole.storage());
  for_each_cell(local, true,
                [&](int i, int j, int k) { part.set(i, j, k, whole.get(box.i + i, box.j + j, box.k + k)); });
  return part;
}

LinearProblem part_of(const LinearProblem& whole, const Partition& partition, int rank) {
  const CellBox& own = partition.part(rank).own;
  LinearProblem part;
  part.description = whole.description;
  part.grid = partition.local(rank, whole.grid.halo);
  part.constant = whole.constant;
  for (const HostField& array : whole.coefficients)
    part.coefficients.push_back(cut_from(array, own, part.grid));
  part.b = cut_from(whole.b, own, part.grid);
  part.initial = cut_from(whole.initial, own, part.grid);
  part.exact = cut_from(whole.exact, own, part.grid);
  part.source_mean = whole.source_mean, part.source_rms = whole.source_rms;
  return part;
}

}  // namespace cfdmark
