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

struct ExpectedScalar {
  std::optional<double> expected_scalar;
  double scalar_tolerance = 0;  // absolute; fields are compared bit by bit
};

// The host side of a timed problem, the same for every backend and method: where each field starts (outputs
// are poisoned with NaN), and what one step must leave behind.
struct HostProblem : ExpectedScalar {
  struct Entry {
    HostField initial;
    std::optional<HostField> expected;  // absent: an input, which a step must not be asked about, or not made
    bool is_written = expected.has_value();
  };
  std::vector<Entry> fields;
  std::string check;  // what the expectation is, in words
};

// What a run must leave: in the fields that are written, in the problem's order, and as its scalar.
struct Expected : ExpectedScalar {
  std::vector<HostField> fields;
};

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
  HostProblem (*problem)(const ProblemShape&);
  // Its parts, for who may need the first alone: the problem with no expectations, whatever the number of
  // steps; and what a run of shape.steps must leave of it. Null: the two are made together.
  HostProblem (*start)(const ProblemShape&) = nullptr;
  Expected (*expected)(const HostProblem& start, const ProblemShape&) = nullptr;
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
