// Finds the neighbours that a kernel's body reads, by running it on one cell with fields that record offsets.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

struct ReadOffset {
  const char* field;
  FieldPlace place;
  std::array<int, 3> offset;
};

// A field around a cell that records every offset read and returns a pseudo-random number.
class RecordedField {
 public:
  RecordedField(const char* name, FieldPlace place, unsigned salt, std::vector<ReadOffset>& reads)
      : name_(name), place_(place), salt_(salt), reads_(&reads) {}
  double operator()(int di, int dj, int dk = 0) const {
    reads_->push_back({name_, place_, {di, dj, dk}});
    return noise(di, dj, dk, salt_) - (salt_ % 2 ? 1 : 0.5);  // positive and negative, or negative only
  }
  void operator=(double) const {}

 private:
  const char* name_;
  FieldPlace place_;
  unsigned salt_;
  std::vector<ReadOffset>* reads_;
};

// Maps a kernel's field names to recording fields.
template <int dims>
struct ToRecordedFields {
  using Form = AtCell<double, double, dims, ConstantStencil<double>, RecordedField, RecordedField>;
  unsigned salt;
  std::vector<ReadOffset>* reads;
  mutable double written = 0;

  double number() const { return noise(0, 0, 0, salt) - (salt % 2 ? 1 : 0.5); }
  template <Role role>
  auto operator()(const FieldName<role>& name) const {
    if constexpr (role == Role::stencil_in || role == Role::stencil_in_out)
      return RecordedField(name.text, name.place, salt, *reads);
    else if constexpr (role == Role::op)
      return ConstantStencil<double>{0.25, 0.25, 0.25, 1.5, 1 / 1.5};
    else if constexpr (role == Role::out)
      return StoreRef<double, double>{&written};
    else if constexpr (role == Role::in_out)
      return OldAndPlace<double, double>{&written, number()};
    else
      return number();
  }
};

// Returns the offsets that the body reads for several sets of values, since upwind schemes choose neighbours
// by the values.
template <class K, int dims>
std::vector<ReadOffset> recorded_reads(const K& kernel) {
  std::vector<ReadOffset> reads;
  for (unsigned salt = 0; salt < 16; ++salt) {
    using To = ToRecordedFields<dims>;
    kernel(mapped<K, typename To::Form>(K::names, To{salt, &reads}));
  }
  return reads;
}

// Returns the ghost layers that a read needs. The pass runs over the locations of `written`, which can be
// more or fewer than those of the field that is read.
inline int layers_needed(const ReadOffset& read, const Grid& cells, const Grid& written) {
  const Grid own = cells.at(read.place);
  const int more[] = {own.nx - written.nx, own.ny - written.ny, own.nz - written.nz};
  int layers = 0;
  for (int axis = 0; axis < cells.dims; ++axis)
    layers = std::max({layers, -read.offset[axis], read.offset[axis] - more[axis]});
  return layers;
}

// Returns the error message: kernel, offset, its halo, and the line to add to its header.
std::string halo_text(const std::string& kernel, const ReadOffset& read, int dims, int halo, int needed,
                      const SourcePlace& described_at);

template <class K, int dims>
std::string halo_problem_in(const CellDescription<K>& d) {
  const Grid cells = dims == 3 ? Grid{4, 4, 4} : Grid{4, 4};
  const Grid written = args_without_values(Precision::fp64, cells, true, d.timed).grid();
  std::vector<ReadOffset> reads;
  for (const K& part : parts_of(args_without_values(Precision::fp64, cells, true, d.timed)))
    for (const ReadOffset& read : recorded_reads<K, dims>(started(part))) reads.push_back(read);
  const ReadOffset* farthest = nullptr;
  int needed = halo_of<K>;
  for (const ReadOffset& read : reads)
    if (const int layers = layers_needed(read, cells, written); layers > needed)
      farthest = &read, needed = layers;
  return farthest ? halo_text(d.name, *farthest, dims, halo_of<K>, needed, d.described_at) : "";
}

// Returns why the body would read outside its fields: "my_kernel reads u(-2, 0) outside its halo of 1: add
// ..". Empty if the halo is wide enough.
template <class K>
std::string halo_problem() {
  if constexpr (has_neighbours<K>) {
    const CellDescription<K> d = K::description();
    if constexpr (only_dims<K> != 3)
      if (const std::string problem = halo_problem_in<K, 2>(d); !problem.empty()) return problem;
    if constexpr (only_dims<K> != 2) return halo_problem_in<K, 3>(d);
  }
  return "";
}

}  // namespace cfdmark
