#include "solvers/mesh/node_poisson.hpp"

#include <algorithm>
#include <utility>

#include "kernels/cells/indexed/device_mesh.hpp"
#include "kernels/cells/indexed/simplex.hpp"

namespace cfdmark {
namespace {

// Returns per node, itself and the nodes that share an edge with it, in ascending order.
CsrMatrix<double> node_pattern(const Mesh& mesh) {
  const std::vector<int>& ends = mesh.dims == 3 ? mesh.edge_nodes : mesh.face_nodes;  // of each edge
  CsrMatrix<double> a;
  a.row_begin.assign(mesh.nodes.size() + 1, 0);
  for (std::size_t row = 0; row < mesh.nodes.size(); ++row) ++a.row_begin[row + 1];
  for (const int node : ends) ++a.row_begin[std::size_t(node) + 1];
  for (std::size_t row = 0; row < mesh.nodes.size(); ++row) a.row_begin[row + 1] += a.row_begin[row];
  std::vector<int> next(a.row_begin.begin(), a.row_begin.end() - 1);
  a.column.resize(std::size_t(a.entries()));
  for (std::size_t row = 0; row < mesh.nodes.size(); ++row) a.column[std::size_t(next[row]++)] = int(row);
  for (std::size_t n = 0; n < ends.size(); n += 2) {
    a.column[std::size_t(next[std::size_t(ends[n])]++)] = ends[n + 1];
    a.column[std::size_t(next[std::size_t(ends[n + 1])]++)] = ends[n];
  }
#pragma omp parallel for schedule(static)
  for (int row = 0; row < a.rows(); ++row)
    std::sort(a.column.begin() + a.row_begin[row], a.column.begin() + a.row_begin[row + 1]);
  a.value.assign(a.column.size(), 0);
  return a;
}

// Calls f(node, value) with column m of the stiffness matrix of one cell.
template <int dims, class F>
void for_each_entry(const Mesh& mesh, int cell, int m, const F& f) {
  const int* const nodes = &mesh.cell_nodes[std::size_t(cell) * (dims + 1)];
  const SimplexSides<double, dims> sides(
      [&](int n, int d) { return mesh.nodes[std::size_t(nodes[n])][std::size_t(d)]; });
  double g[dims];
  sides.gradient([m](int n) { return n == m ? 1.0 : 0.0; }, g);
  for (int n = 0; n <= dims; ++n) f(nodes[n], sides.dual_flux(n, g));
}

// Adds the cells around each node to its row, which is symmetric to its column.
template <int dims>
void add_cells(const Mesh& mesh, CsrMatrix<double>& a) {
  const HostLists cells = places_of(lists_of(mesh, Connection::cell_nodes), int(mesh.nodes.size()));
#pragma omp parallel for schedule(static)
  for (int row = 0; row < a.rows(); ++row)
    for (int n = 0; n < cells.count(row); ++n) {
      const int place = cells.entry(row, n);
      for_each_entry<dims>(mesh, place / (dims + 1), place % (dims + 1), [&](int node, double value) {
        const auto begin = a.column.begin() + a.row_begin[row], end = a.column.begin() + a.row_begin[row + 1];
        a.value[std::size_t(std::lower_bound(begin, end, node) - a.column.begin())] += value;
      });
    }
}

// Returns the matrix of the free nodes, and moves the prescribed values to b.
CsrMatrix<double> eliminated(const CsrMatrix<double>& a, const NodePoisson& problem, std::vector<double>& b) {
  CsrMatrix<double> free;
  free.row_begin.push_back(0);
  for (int row = 0; row < a.rows(); ++row) {
    const bool row_is_free = problem.is_free[std::size_t(row)];
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at) {
      const int column = a.column[std::size_t(at)];
      if (row_is_free && !problem.is_free[std::size_t(column)])
        b[std::size_t(row)] -= a.value[std::size_t(at)] * problem.prescribed[std::size_t(column)];
      if (!(row_is_free ? problem.is_free[std::size_t(column)] : column == row)) continue;
      free.column.push_back(column);
      free.value.push_back(row_is_free ? a.value[std::size_t(at)] : 1);
    }
    free.row_begin.push_back(int(free.column.size()));
  }
  return free;
}

}  // namespace

std::vector<double> NodePoisson::temperature(const std::vector<double>& x) const {
  std::vector<double> t = prescribed;
  for (std::size_t n = 0; n < t.size(); ++n)
    if (is_free[n]) t[n] = x[n];
  return t;
}

CsrMatrix<double> stiffness_matrix(const Mesh& mesh) {
  CsrMatrix<double> a = node_pattern(mesh);
  mesh.dims == 3 ? add_cells<3>(mesh, a) : add_cells<2>(mesh, a);
  return a;
}

std::shared_ptr<NodePoisson> node_poisson(std::string name, std::shared_ptr<const MadeMesh> made,
                                          const std::function<bool(int node)>& held,
                                          const std::function<double(int node)>& value) {
  auto problem = std::make_shared<NodePoisson>();
  problem->name = std::move(name);
  problem->made = std::move(made);
  const Mesh& mesh = problem->nodes_of();
  problem->is_free.assign(mesh.nodes.size(), 1);
  problem->prescribed.assign(mesh.nodes.size(), 0);
  problem->b.assign(mesh.nodes.size(), 0);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    if (held(int(n))) problem->is_free[n] = 0, problem->prescribed[n] = value(int(n));
  problem->matrix = eliminated(stiffness_matrix(mesh), *problem, problem->b);
  return problem;
}

std::vector<double> heat_into_nodes(const Mesh& mesh, const std::vector<double>& temperature) {
  std::vector<double> heat =
      residual(stiffness_matrix(mesh), temperature, std::vector<double>(mesh.nodes.size()));
  for (double& value : heat) value = -value;
  return heat;
}

}  // namespace cfdmark
