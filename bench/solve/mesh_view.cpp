#include <fmt/format.h>

#include <algorithm>

#include "bench/solve/solve_view.hpp"
#include "bench/text/exit_status.hpp"
#include "kernels/mesh/files/made_mesh.hpp"
#include "kernels/mesh/files/write_vtu.hpp"
#include "solvers/mesh/node_poisson.hpp"

namespace cfdmark {
namespace {

// Returns the triangles to be drawn, each by its nodes: those of a mesh, or the outside of a body.
nlohmann::json drawn_triangles(const Mesh& mesh) {
  nlohmann::json triangles = nlohmann::json::array();
  const bool flat = mesh.dims == 2;
  const std::vector<int>& nodes = flat ? mesh.cell_nodes : mesh.face_nodes;
  for (std::size_t at = flat ? 0 : 3 * std::size_t(mesh.inner_faces); at < nodes.size(); at += 3)
    triangles.push_back({nodes[at], nodes[at + 1], nodes[at + 2]});
  return triangles;
}

class MeshView final : public SolveView {
 public:
  using SolveView::SolveView;

  std::vector<std::string> plotted_files(const std::string& prefix) const override {
    return {prefix + ".json", prefix + "-history.png", prefix + "-field.png"};
  }
  const char* plot_script() const override { return "plot-mesh-solution"; }
  std::string vtk_ending() const override { return ".vtu"; }
  std::shared_ptr<const Problem> problem() override {
    const auto shared = SolveView::problem();
    problem_ = as<NodePoisson>(shared);
    return shared;
  }
  std::optional<int> print(const TimedSolve& timed, const Judgement& judgement) override {
    SolveWords words;
    const int n = std::max(timed.outcome.iterations, 1);
    words.rate = fmt::format(", {:.4g} million nodes per second",
                             double(problem_->unknowns()) * n / timed.seconds / 1e6);
    return print_solve(asked_, timed, judgement, words);
  }
  int write_files(PreparedSolve& prepared, const Outcome& outcome) override {
    if (asked_.vtk.empty() && asked_.plot.empty()) return exit_ok;
    const Mesh& mesh = problem_->nodes_of();
    const std::vector<double> t =
        problem_->temperature(dynamic_cast<PreparedMatrixSolve&>(prepared).solution());
    if (!asked_.vtk.empty()) write_vtu(mesh, {{"temperature", Entity::node, 1, t}}, asked_.vtk);
    if (asked_.plot.empty()) return exit_ok;
    return draw(plot_script(), asked_.plot,
                {{"title", asked_.title},
                 {"dimensions", mesh.dims},
                 {"label", "temperature"},
                 {"points", mesh.nodes},
                 {"triangles", drawn_triangles(mesh)},
                 {"values", t},
                 {"history", outcome.history}});
  }

 private:
  std::shared_ptr<const NodePoisson> problem_;
};

}  // namespace

std::unique_ptr<SolveView> mesh_view(const SolveCase& asked) { return std::make_unique<MeshView>(asked); }

}  // namespace cfdmark
