// A linear system inside an iteration of a flow, solved from its unknown as it is by a solver of the linear
// table.
#pragma once

#include <memory>
#include <string>

#include "solvers/linear/method.hpp"

namespace cfdmark {

// How far it is solved.
struct InnerSettings {
  std::string solver;          // of the linear table
  int most = 1;                // iterations
  double tolerance = 0;        // of the residual, relative to the first; 0: always `most`, and nothing waits
  bool same_operator = false;  // in every solve: what follows from it is made once
};

class InnerSolve {
 public:
  // With memory allocated. Of the config matters what the solver has by that name.
  InnerSolve(const System&, const InnerSettings&, const Config&);

  void operator()();
  // Of the last.
  int iterations() const { return iterations_; }
  Cost cost() const;  // without what starts it
  Resources resources() const;

 private:
  InnerSettings settings_;
  int interval_;  // iterations between two looks at the residual
  std::unique_ptr<Iteration> iteration_;
  int iterations_ = 0, looks_ = 0;
  bool is_started_ = false;  // for good
};

}  // namespace cfdmark
