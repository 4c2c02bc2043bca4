// The catalog: one row for each kernel or solver x backend x precision x method. catalog.cpp is the one
// explicit page that says what there is.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/catalog/workload.hpp"
#include "kernels/backends/backend.hpp"
#include "kernels/core/config.hpp"
#include "kernels/core/grid.hpp"
#include "kernels/core/precision.hpp"

namespace cfdmark {

enum class RowKind { kernel, solver };
std::string_view to_string(RowKind);

// A problem that a solver is run on.
struct RowProblem {
  std::string name;
  std::vector<Setting> settings;
};

struct Row {
  RowKind kind = RowKind::kernel;
  std::string name;
  BackendKind backend = BackendKind::serial;
  Precision precision = Precision::fp64;
  std::string method;
  TuningSpace space;                 // how a case is done
  std::vector<RowProblem> problems;  // of a solver: the first is the default; a kernel has none
  std::vector<Setting> asked;        // of every case, whatever its problem: the tolerance, the operator
  std::string source;                // where its code is: "kernels/jacobi", "solvers/linear/cg.cpp"
  bool in_2d = true, in_3d = true;
  bool device_code = false;    // of ours, that a CudaOffline can compile
  bool several_steps = false;  // a run of it makes several (Method::steps)
  std::string unavailable;     // why the row cannot run here; empty if it can

  // Why it cannot do a grid or what is asked, beside the dimension; empty if it can. Null: it can.
  std::function<std::string(const Grid&, const Config& question)> unsupported;
  // Whether this method is the default there (kernels/core/method.hpp). Null: it is not.
  std::function<bool(const Grid&, const Config& question)> preferred;
  // Bytes of the fields that a case on this grid allocates on the backend.
  std::function<double(const Grid&, const Config& question)> field_bytes;
  // Bytes of host memory besides, for what a case starts from and what its answer is checked against.
  std::function<double(const Grid&, const Config& question)> host_bytes;
  // Prepares a case on a device of the row's backend. Throws with a reason if it cannot be done. Config and
  // question are complete and valid.
  std::function<std::unique_ptr<Workload>(Backend&, const Grid&, const Config&, const Config& question)>
      prepare;
  // Prepares no more than a case's device code, on fields that are not there. Null: it cannot.
  std::function<void(Backend&, const Grid&, const Config&, const Config& question)> prepare_code;
};

// "red_black_sor/cuda/fp64/plain", on the second device "red_black_sor/cuda:1/fp64/plain"
std::string row_name(const Row&, int device = 0);

// Of rows that differ in their method only, the default for a case. Of those that can do it: the first that
// is preferred, else the first. If none can do it: the first. There is at least one row.
const Row& default_row(const std::vector<const Row*>&, const Grid&, const Config& question);

// Made once, at first use.
const std::vector<Row>& catalog();

}  // namespace cfdmark
