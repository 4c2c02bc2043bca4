// The problem a kernel is timed on, and everything the catalog needs to know of a kernel.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/backends/field.hpp"
#include "kernels/core/cost.hpp"
#include "kernels/core/method.hpp"
#include "kernels/core/source_place.hpp"

namespace cfdmark {

// The host side of a timed problem, the same for every backend and method: where each field starts. Outputs
// are poisoned with NaN.
struct HostProblem {
  struct Entry {
    HostField initial;
    bool is_written = false;  // by a step
  };
  std::vector<Entry> fields;
  std::string check;  // what is expected of a run, in words
};

struct ExpectedScalar {
  std::optional<double> expected_scalar;
  double scalar_tolerance = 0;  // absolute; fields are compared bit by bit
};

// What a run must leave: in the fields that are written, in the problem's order, and as its scalar.
struct Expected : ExpectedScalar {
  std::vector<HostField> fields;
};

// What a step reads of a problem, and where it leaves what it writes: in `left`, a field each.
inline std::vector<AnyView> views_for_steps(const HostProblem& start, const std::vector<HostField>& left) {
  std::vector<AnyView> views;
  std::size_t written = 0;
  for (const auto& entry : start.fields)
    views.push_back(entry.is_written ? left[written++].view() : entry.initial.view());
  return views;
}
// What a run that writes nothing would leave.
inline Expected left_as_started(const HostProblem& start) {
  Expected left;
  for (const auto& entry : start.fields)
    if (entry.is_written) left.fields.push_back(entry.initial);
  return left;
}

// Which operator a kernel is timed with: the same weights for every cell, or arrays of them.
enum class OperatorKind { constant, arrays };

// All that a kernel's problem depends on.
struct ProblemShape {
  Precision precision = Precision::fp64;
  Grid grid;
  OperatorKind op = OperatorKind::constant;
  int steps = 1;  // that one run makes, each from what the one before left (Method::steps)
};

// One kernel, on all backends.
template <class Args>
struct KernelDescription {
  std::string name;
  bool in_2d = true, in_3d = true;
  bool has_operator = false;  // and is timed with each kind of it
  bool repeats = false;       // its steps can follow each other
  // The same for all numbers of steps, and for all precisions that store alike.
  HostProblem (*start)(const ProblemShape&);
  // What a run of shape.steps must leave of it.
  Expected (*expected)(const HostProblem& start, const ProblemShape&);
  // Args that look at the problem's fields, in the problem's order, and at a scalar for the result.
  Args (*bind)(const ProblemShape&, const std::vector<AnyView>&, double* scalar);
  Cost (*cost)(const Args&);
  Methods<Args> (*methods)(BackendKind);
  // Set by itself: the file that describes a kernel lies in the kernel's folder.
  SourcePlace described_at = SourcePlace::here();
};

// A value in [0.5, 1.5) that depends on the cell and nothing else: no two neighbours alike, no zeros.
inline double noise(int i, int j, int k, unsigned salt) {
  std::uint64_t x = (std::uint64_t(unsigned(i)) * 0x9E3779B97F4A7C15ull) ^
                    (std::uint64_t(unsigned(j)) * 0xC2B2AE3D27D4EB4Full) ^
                    (std::uint64_t(unsigned(k)) * 0x165667B19E3779F9ull) ^ (salt * 0xD6E8FEB86659FD93ull);
  x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9ull;
  x ^= x >> 29;
  return 0.5 + double(x >> 11) * 0x1p-53;
}

inline HostField noise_field(const Grid& grid, Precision storage, unsigned salt) {
  HostField field(grid, storage);
  for_each_cell_in_parallel(grid, true,
                            [&](int i, int j, int k) { field.set(i, j, k, noise(i, j, k, salt)); });
  return field;
}

// The field with NaN in every interior cell; the ghosts stay.
inline HostField poisoned(HostField field) {
  for_each_cell_in_parallel(field.grid(), false, [&](int i, int j, int k) {
    field.set(i, j, k, std::numeric_limits<double>::quiet_NaN());
  });
  return field;
}

}  // namespace cfdmark
