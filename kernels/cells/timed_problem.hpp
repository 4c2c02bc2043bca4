// The problem a kernel is timed on, and the description of a kernel for the catalog.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/cost.hpp"
#include "kernels/core/method.hpp"
#include "kernels/core/source_place.hpp"
#include "kernels/device/field.hpp"

namespace cfdmark {

// Initial fields of a timed problem on the host. They are equal for all backends and methods. Outputs contain
// NaN, so that a cell that is not written shows.
struct HostProblem {
  struct Entry {
    HostField initial;
    bool is_written = false;  // modified by a step
  };
  std::vector<Entry> fields;
  std::string check;  // what is verified, in words
};

struct ExpectedScalar {
  std::optional<double> expected_scalar;
  double scalar_tolerance = 0;  // absolute; fields are compared bit by bit
};

// Expected result of a run: the written fields, in the problem's order, and its scalar.
struct Expected : ExpectedScalar {
  std::vector<HostField> fields;
};

// Returns the views that a step uses. Written fields are those in `left`, others are the problem's.
std::vector<AnyView> views_for_steps(const HostProblem& start, const std::vector<HostField>& left);
// Returns the result of a run that writes nothing.
Expected unchanged(const HostProblem& start);

// Kind of operator in a timed problem: constant weights, or arrays.
enum class OperatorKind { constant, arrays };

// Everything that determines a kernel's problem.
struct ProblemShape {
  Precision precision = Precision::fp64;
  Grid grid;
  OperatorKind op = OperatorKind::constant;
  int steps = 1;  // consecutive steps per run (Method::steps)
};

// A kernel on all backends, as the catalog sees it.
template <class Args>
struct KernelDescription {
  std::string name;
  bool in_2d = true, in_3d = true;
  bool has_operator = false;  // timed with each OperatorKind
  bool repeats = false;       // a step can follow another
  // Returns the initial problem; independent of the number of steps, and equal for precisions with the same
  // storage.
  HostProblem (*start)(const ProblemShape&);
  // Returns the expected result of shape.steps steps.
  Expected (*expected)(const HostProblem& start, const ProblemShape&);
  // Returns args for the problem's fields, in the problem's order, and for a scalar result.
  Args (*bind)(const ProblemShape&, const std::vector<AnyView>&, double* scalar);
  Cost (*cost)(const Args&);
  Methods<Args> (*methods)(BackendKind);
  // Set by default: the file that describes a kernel is in the kernel's folder.
  SourcePlace described_at = SourcePlace::here();
};

// Returns a pseudo-random value in [0.5, 1.5) that depends only on the cell and `salt`: never zero, different
// in adjacent cells.
inline double noise(int i, int j, int k, unsigned salt) {
  std::uint64_t x = (std::uint64_t(unsigned(i)) * 0x9E3779B97F4A7C15ull) ^
                    (std::uint64_t(unsigned(j)) * 0xC2B2AE3D27D4EB4Full) ^
                    (std::uint64_t(unsigned(k)) * 0x165667B19E3779F9ull) ^ (salt * 0xD6E8FEB86659FD93ull);
  x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9ull;
  x ^= x >> 29;
  return 0.5 + double(x >> 11) * 0x1p-53;
}

HostField noise_field(const Grid& grid, Precision storage, unsigned salt);

// Returns the field with NaN in every interior cell and unchanged ghosts.
HostField poisoned(HostField field);

}  // namespace cfdmark
