// Cosine transforms and periodic waves on an emulated device, with plain sums in place of cuFFT.
#include "tests/solvers/linear/direct_ends.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/line_transform.hpp"

using namespace cfdmark;

TEST_CASE("for all boundary kinds real transforms solve the equations on an emulated device",
          "[cuda][direct]") {
  EmulatedCuda device;
  for (const Grid& g : {Grid{1, 1}, {2, 1}, {9, 6}, {40, 3}, {7, 12}, {5, 4, 3}, {2, 9, 6}})
    for (const AxisEnds& ends : all_ends(g.dims))
      for (Precision p : {Precision::fp32, Precision::fp64}) {
        INFO(to_string(p) << " " << text_of(ends) << " " << g.nx << "x" << g.ny << "x" << g.nz);
        const Operator a = operator_between_ends(g.dims);
        const HostField b = noise_between(g, p, ends);
        CHECK(left_in_roundings(a, ends, b, solved_between(device, library_of_sums(), a, ends, b)) < 30);
      }
}

TEST_CASE("a closed line of five is passed to the transform with even values first, then odd ones in reverse",
          "[cuda][direct]") {
  EmulatedCuda device;
  HostField b({5, 1}, Precision::fp64);
  for (int i = 0; i < 5; ++i) b.set(i, 0, 0, i + 1);
  std::vector<double> seen;
  const DirectLibrary looks{"looks", {}, direct_by_lines([&](const LineTransform& t) -> HostCall {
                              return {[&seen, t](const CudaQueue&) {
                                const double* v = static_cast<const double*>(t.values);
                                if (t.lines.axis == 0 && seen.empty()) seen.assign(v, v + 5);
                              }};
                            })};
  solved_between(device, looks, operator_between_ends(2), {Ends::closed, Ends::closed, Ends::closed}, b);
  CHECK(seen == std::vector<double>{1, 3, 5, 4, 2});
}

TEST_CASE("the kernels around cosine transforms compile for two architectures in both precisions",
          "[cuda][direct]") {
  for (const char* architecture : {"sm_80", "sm_90"}) {
    CudaOffline offline;
    for (Precision p : {Precision::fp32, Precision::fp64})
      for (Ends at : {Ends::closed, Ends::periodic}) {
        const Field b(offline, {9, 6}, p), u(offline, {9, 6}, p);
        const auto a = std::make_shared<StencilOperator>(operator_between_ends(2));
        const System system{.backend = &offline, .precision = p, .a = a, .b = b.view(), .u = u.view()};
        library_of_sums().solve({.system = system, .ends = {at, at, at}, .from = b.view(), .to = u.view()});
      }
    int ours = 0;
    for (const CompiledFunction& f : offline.compile(architecture))
      for (const char* name :
           {"line_values", "::waves", "divided_waves", "hartley_values", "cells_of_hartley"})
        ours += f.expression.find(name) != std::string::npos;
    CHECK(ours == 20);
  }
}
