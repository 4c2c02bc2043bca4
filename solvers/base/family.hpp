// A family of solvers: those of one kind of system, and the problems posed for it. The program lists, sweeps,
// tunes, solves and verifies every family through the types here. Each family fills them from its own tables;
// solvers/block/family.cpp is the shortest example, and solvers/families.hpp lists all families.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/config.hpp"
#include "kernels/core/domain.hpp"
#include "kernels/core/precision.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/base/level_configs.hpp"
#include "solvers/base/prepared_solve.hpp"

namespace cfdmark {

// A case before it is prepared. It decides which methods support it and how much memory it needs.
struct CaseShape {
  const Domain& domain;
  Precision precision;
  // The setting `problem` and those of that problem. Without `problem` the functions answer for the problem
  // that needs the most memory.
  const Config& workload;

  const Grid& grid() const { return domain.box(); }
};

// One way to run a solver on a kind of backend.
struct FamilyMethod {
  std::string name;
  TuningSpace space;
  SourcePlace described_at;  // source file, whose fingerprint its tuned configs carry
  // Returns why no problem of this dimension is supported; empty if one is. Null: both dimensions are.
  std::function<std::string(int dims, Precision)> unsupported_dimension = nullptr;
  // Returns why the case is not supported; empty if it is. Null: every case is.
  std::function<std::string(const CaseShape&)> unsupported = nullptr;
  // Returns true if the method should be the default there. Null: it never should.
  std::function<bool(const CaseShape&)> preferred = nullptr;
  // Return the bytes of the fields on the backend, and those of additional host memory: the problem, and what
  // preparing and verifying need.
  std::function<double(const CaseShape&)> field_bytes = nullptr, host_bytes = nullptr;
  // Prepares a solve. Config and problem settings are complete and valid. The last argument is called only in
  // here, by a config with level_blocks=tuned. Throws std::invalid_argument if the case is not supported.
  std::function<std::unique_ptr<PreparedSolve>(Backend&, Precision, const Config&,
                                               std::shared_ptr<const Problem>, const LevelConfigs&)>
      prepare = nullptr;
};

struct FamilySolver {
  std::string name;
  std::function<std::vector<FamilyMethod>(BackendKind)> methods;
  FamilyMethod absent;         // states the reason on a backend or in a precision that this build lacks
  int max_iterations = 10000;  // default limit of a solve
  bool is_slow = false;        // its iterations grow with the square of the cells per side
};

struct FamilyProblem {
  std::string name, help;  // help: one line
  std::vector<Setting> settings = {};
  // Makes the problem from complete settings. Throws std::invalid_argument if it does not suit the domain.
  std::function<std::shared_ptr<const Problem>(const Domain&, const Config&)> make;
  std::string usual_solver, usual_solver_3d;  // used if the user names none
  std::string usual_grid;                     // likewise
  // Returns why results on a grid are doubtful, with a better grid; empty if they are not. Null: they never
  // are.
  std::function<std::string(const Grid&)> grid_warning = nullptr;
};

struct Family {
  std::string name;
  std::vector<FamilySolver> solvers;
  std::vector<FamilyProblem> problems;    // the default first
  DomainKind runs_on = DomainKind::grid;  // where its problems are posed
  bool tuned_by_name_only = false;        // true: `tune --all` skips its solvers
};

// Return null for an unknown name.
const FamilySolver* find_solver(const Family&, const std::string& name);
const FamilyProblem* find_problem(const Family&, const std::string& name);

// Settings of every solve: tolerance and max_iterations.
const std::vector<Setting>& solve_settings();
// Returns the settings of a problem from a workload, completed by defaults.
Config problem_settings(const FamilyProblem&, const Config& workload);

}  // namespace cfdmark
