#include <fmt/format.h>

#include <cmath>

#include "bench/solve/solve_view.hpp"
#include "bench/text/exit_status.hpp"
#include "kernels/mesh/files/write_vtu.hpp"
#include "solvers/mesh_flow/cavity_on_mesh.hpp"

namespace cfdmark {
namespace {

constexpr int profile_lines = 8;

// Prints u where the vertical line through the middle crosses the mesh, from below.
void print_profile(const MeshFlow& flow, const StepFluxes& last) {
  const std::vector<CentrelineCell> cells = centreline_velocities(*flow.mesh, last.flux);
  fmt::print("\n  y          u   on the vertical centreline\n");
  for (int n = 0; n < profile_lines && !cells.empty(); ++n) {
    const CentrelineCell& cell = cells[cells.size() * std::size_t(2 * n + 1) / (2 * profile_lines)];
    fmt::print("  {:.4f}   {: .5f}\n", cell.y, cell.u);
  }
}

class MeshFlowView final : public SolveView {
 public:
  using SolveView::SolveView;

  std::vector<std::string> plotted_files(const std::string& prefix) const override {
    return {prefix + ".json", prefix + "-history.png", prefix + "-field.png"};
  }
  const char* plot_script() const override { return "plot-mesh-solution"; }
  std::string vtk_ending() const override { return ".vtu"; }
  int warm_up_iterations() const override { return 1; }
  std::shared_ptr<const Problem> problem() override {
    const auto shared = SolveView::problem();
    flow_ = as<MeshFlow>(shared);
    return shared;
  }
  Judgement judge(PreparedSolve& prepared, Outcome& outcome) override {
    const Judgement judgement = SolveView::judge(prepared, outcome);
    last_ = dynamic_cast<PreparedStep&>(prepared).fluxes();
    return judgement;
  }
  std::optional<int> print(const TimedSolve& timed, const Judgement& judgement) override {
    const SolveWords words{"time steps", "step", "step_courant"};
    const auto status = print_solve(asked_, timed, judgement, words);
    if (!status) print_profile(*flow_, last_);
    return status;
  }
  int write_files(PreparedSolve&, const Outcome& outcome) override {
    if (asked_.vtk.empty() && asked_.plot.empty()) return exit_ok;
    std::vector<double> velocity, speed;
    for (const Point& v : HostStep(*flow_).interpolated(last_.flux)) {
      velocity.insert(velocity.end(), {v[0], v[1], 0});
      speed.push_back(std::hypot(v[0], v[1]));
    }
    const Mesh& mesh = *flow_->mesh;
    if (!asked_.vtk.empty()) {
      std::vector<MeshField> fields = {{"velocity", Entity::cell, 3, velocity}};
      if (!last_.pressure.empty()) fields.push_back({"pressure", Entity::cell, 1, last_.pressure});
      write_vtu(mesh, fields, asked_.vtk);
    }
    if (asked_.plot.empty()) return exit_ok;
    nlohmann::json triangles = nlohmann::json::array();
    for (std::size_t at = 0; at < mesh.cell_nodes.size(); at += 3)
      triangles.push_back({mesh.cell_nodes[at], mesh.cell_nodes[at + 1], mesh.cell_nodes[at + 2]});
    return draw(plot_script(), asked_.plot,
                {{"title", asked_.title},
                 {"dimensions", 2},
                 {"label", "speed"},
                 {"points", mesh.nodes},
                 {"triangles", triangles},
                 {"values", speed},
                 {"history", outcome.history}});
  }

 private:
  std::shared_ptr<const MeshFlow> flow_;
  StepFluxes last_;
};

}  // namespace

std::unique_ptr<SolveView> mesh_flow_view(const SolveCase& asked) {
  return std::make_unique<MeshFlowView>(asked);
}

}  // namespace cfdmark
