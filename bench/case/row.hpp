// A row of the catalog is one combination of kernel or solver, backend, precision and method.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/case/workload.hpp"
#include "kernels/core/config.hpp"
#include "kernels/core/domain.hpp"
#include "kernels/core/precision.hpp"
#include "kernels/device/backend.hpp"
#include "solvers/base/family.hpp"

namespace cfdmark {

enum class RowKind { kernel, solver };
std::string_view to_string(RowKind);

// A problem that a solver solves.
struct ProblemSettings {
  std::string name;
  std::vector<Setting> settings;
};

struct Row {
  RowKind kind = RowKind::kernel;
  const Family* family = nullptr;  // of a solver
  std::string name;
  BackendKind backend = BackendKind::serial;
  Precision precision = Precision::fp64;
  std::string method;
  TuningSpace space;                       // settings of the method
  std::vector<ProblemSettings> problems;   // of a solver, the default first; empty for a kernel
  std::vector<Setting> workload_settings;  // settings of every workload, such as tolerance or operator
  std::string source;  // folder or file of its code: "kernels/jacobi", "solvers/linear/krylov/cg.cpp"
  DomainKind runs_on = DomainKind::grid;
  bool in_2d = true, in_3d = true;  // on meshes: of triangles, of tetrahedra
  bool device_code = false;         // true if it has device code that CudaOffline can compile
  bool several_steps = false;       // one run makes several steps (Method::steps)
  std::string unavailable;          // why the row cannot run here; empty if it can

  // Returns why a domain or workload is not supported, apart from domain_refusal(); empty if it is. Null: all
  // are.
  std::function<std::string(const Domain&, const Config& workload)> unsupported;
  // Returns true if this method is the default there (kernels/core/method.hpp). Null: it never is.
  std::function<bool(const Domain&, const Config& workload)> preferred;
  // Returns the bytes of the fields that a case on this domain allocates on the backend.
  std::function<double(const Domain&, const Config& workload)> field_bytes;
  // Returns the bytes of additional host memory, for the initial state and the reference.
  std::function<double(const Domain&, const Config& workload)> host_bytes;
  // Prepares a case on a device of the row's backend. Config and workload are complete and valid. Throws with
  // a reason if it cannot.
  std::function<std::unique_ptr<Workload>(Backend&, const Domain&, const Config&, const Config& workload)>
      prepare;
  // Prepares a solve of a problem of the family with a complete and valid config. Null: the row is a
  // kernel's. `levels` is called only by a config with level_blocks=tuned.
  std::function<std::unique_ptr<PreparedSolve>(Backend&, const Config&, std::shared_ptr<const Problem>,
                                               const LevelConfigs& levels)>
      prepare_solve;
  // Prepares only a case's device code, without fields. Null: not possible.
  std::function<void(Backend&, const Domain&, const Config&, const Config& workload)> prepare_code;
};

// Returns "red_black_sor/cuda/fp64/plain", or for the second device "red_black_sor/cuda:1/fp64/plain".
std::string row_name(const Row&, int device = 0);

// Returns why a row does not run on domains of this kind and dimension; empty if it does.
std::string domain_refusal(const Row&, const Domain&);

// Returns the default of at least one row that differ only in their method: the first preferred one that
// supports the case, else the first that supports it, else the first.
const Row& default_row(const std::vector<const Row*>&, const Domain&, const Config& workload);

}  // namespace cfdmark
