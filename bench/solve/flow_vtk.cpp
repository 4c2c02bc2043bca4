#include "bench/solve/flow_vtk.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "bench/record/output_file.hpp"

namespace cfdmark {
namespace {

void print_vtk(std::ostream& out, const FlowProblem& problem, const FlowFields& flow,
               const FlowFields* means) {
  const Grid& g = problem.grid;
  const auto array = [&](const std::string& name, int components, const auto& write_cell) {
    out << fmt::format(
        "<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">\n", name,
        components);
    for_each_cell(g, false, write_cell);
    out << "</DataArray>\n";
  };
  out << fmt::format(
      "<VTKFile type=\"ImageData\" version=\"0.1\">\n"
      "<ImageData WholeExtent=\"0 {0} 0 {1} 0 {2}\" Origin=\"0 0 0\" Spacing=\"{3} {4} {5}\">\n"
      "<Piece Extent=\"0 {0} 0 {1} 0 {2}\">\n<CellData Vectors=\"velocity\" Scalars=\"pressure\">\n",
      g.nx, g.ny, g.is_3d() ? g.nz : 0, problem.cell.dx, problem.cell.dy, problem.cell.dz);
  const auto value = [&](const HostField& f) {
    return [&](int i, int j, int k) { out << fmt::format("{}\n", f.get(i, j, k)); };
  };
  const auto fields = [&](const std::string& kind, const FlowFields& of) {
    array(kind + "velocity", 3, [&](int i, int j, int k) {
      out << fmt::format("{} {} {}\n", of.u.get(i, j, k), of.v.get(i, j, k),
                         g.is_3d() ? of.w.get(i, j, k) : 0);
    });
    array(kind + "pressure", 1, value(of.p));
    if (problem.heat) array(kind + "temperature", 1, value(of.temperature));
  };
  fields("", flow);
  if (means) fields("mean_", *means);
  array("solid", 1, [&](int i, int j, int k) {
    out << (CellFaces{int(problem.faces.get(i, j, k))}.is_solid() ? "1\n" : "0\n");
  });
  out << "</CellData>\n</Piece>\n</ImageData>\n</VTKFile>\n";
}

std::string quoted(const std::string& text) {
  std::string all;
  for (const char c : text)
    all += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return all;
}

}  // namespace

void write_vtk(const std::string& file, const FlowProblem& problem, const FlowFields& flow,
               const FlowFields* means) {
  replace_file(file, [&](std::ostream& out) { print_vtk(out, problem, flow, means); });
}

VtkSeries::VtkSeries(const std::string& file)
    : stem_(file.substr(0, file.rfind('.'))), list_(stem_ + ".pvd") {}

void VtkSeries::add(int iteration, const FlowProblem& problem, const FlowFields& flow) {
  const std::string file = fmt::format("{}-{:07}.vti", stem_, iteration);
  write_vtk(file, problem, flow);
  files_.emplace_back(flow.time, std::filesystem::path(file).filename().string());
  replace_file(list_, [&](std::ostream& out) {
    out << "<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
    for (const auto& [time, name] : files_)
      out << fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, quoted(name));
    out << "</Collection>\n</VTKFile>\n";
  });
}

}  // namespace cfdmark
