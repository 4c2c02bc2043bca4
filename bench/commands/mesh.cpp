// cfdmark mesh: shows an unstructured mesh and writes it to a file.
#include "bench/commands/commands.hpp"
#include "bench/runs/show_mesh.hpp"

namespace cfdmark {

void add_mesh(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "mesh", "show an unstructured mesh, its quality and its numberings, and write it to a file");
  auto q = std::make_shared<MeshRequest>();
  command
      ->add_option(
          "MESH", q->mesh,
          "triangles-NXxNY or tetrahedra-NXxNYxNZ, with +N for N more nodes and -seedN; or a file of Gmsh")
      ->required();
  command
      ->add_option("--numbering", q->numberings,
                   "orders of the cells, separated by commas: lattice (as generated or stored), random, "
                   "random_faces, rcm, hilbert, morton, nested (default: lattice)")
      ->delimiter(',');
  command->add_option("--ranks", q->ranks, "parts to cut the mesh into, in the first numbering (default: 1)");
  command->add_option("--partition", q->partition,
                      "how it is cut: bisection of the cells' centroids, or metis (default: bisection)");
  command->add_option(
      "--output", q->output,
      "file to write, in the first numbering: .vtu for ParaView, with the number and rank of each cell, or "
      ".msh for Gmsh");
  command->footer(
      "examples:\n  cfdmark mesh triangles-178x178 --numbering lattice,random,rcm,hilbert\n  cfdmark mesh "
      "tetrahedra-8x8x8 --numbering hilbert --output box.vtu\n  cfdmark mesh shaft.msh --ranks 4");
  command->callback([q] { show_mesh(*q); });
}

}  // namespace cfdmark
