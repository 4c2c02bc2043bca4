// cfdmark mesh, and sweeps over the meshes that it writes.
#include <filesystem>
#include <fstream>
#include <string>

#include "bench/record/records.hpp"
#include "bench/text/exit_status.hpp"
#include "kernels/mesh/files/checksum.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("a mesh is shown with its counts and a line for each numbering", "[program][meshes]") {
  const Ended shown = cfdmark_with("mesh tetrahedra-3x2x2+1 --numbering lattice,rcm");
  INFO(shown.err);
  CHECK(shown.status == exit_ok);
  // 6 * 12 + 3 cells; 2 F = 4 C + Fb with Fb = 4 (6 + 4 + 6).
  CHECK_THAT(shown.out, Mentions({"75 tetrahedra, 182 faces, 64 of them at the boundary", "37 nodes",
                                  "lattice", "rcm", "least angle"}));
}

TEST_CASE("a mesh is shown with its parts, and written with the rank of each cell", "[program][meshes]") {
  const TemporaryFolder folder;
  const std::string file = folder / "parts.vtu";
  const Ended shown = cfdmark_with("mesh triangles-2x2 --ranks 2 --output " + file);
  INFO(shown.err);
  REQUIRE(shown.status == exit_ok);
  CHECK_THAT(shown.out, Mentions({"2 ranks by bisection: 4 to 4 cells each", "imbalance 0.00 %",
                                  "2 faces between ranks, 12.50 % of all"}));
  std::ifstream written(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(written), {}};
  CHECK_THAT(text, ContainsSubstring("Name=\"rank\""));
  const Ended refused = cfdmark_with("mesh triangles-2x2 --ranks 9");
  CHECK(refused.status == exit_usage);
  CHECK_THAT(refused.err, Mentions({"8 cells", "9 parts"}));
  CHECK_THAT(cfdmark_with("mesh triangles-2x2 --ranks 2 --partition slabs").err,
             Mentions({"bisection or metis"}));
}

TEST_CASE("a mesh file is swept under its name and checksum, until it changes", "[program][meshes]") {
  const TemporaryFolder folder;
  const std::string mesh = folder / "box.msh", records = folder / "box.jsonl", sweep = folder / "box.yaml";
  REQUIRE(cfdmark_with("mesh triangles-7x5 --output " + mesh).status == exit_ok);
  REQUIRE(cfdmark_with("mesh " + mesh + " --output " + (folder / "box.vtu")).status == exit_ok);
  CHECK(std::filesystem::file_size(folder / "box.vtu") > 1000);
  const auto run = [&](const std::string& name) {
    std::ofstream(sweep)
        << "question: does a file run\nblocks:\n  - kernels: mesh_divergence\n    methods: plain\n"
           "    backends: serial\n    precisions: fp64\n    meshes: "
        << name << "\n";
    return cfdmark_with("run " + sweep + " --output " + records + " --budget 30s --no-roofs --processes 1");
  };
  const Ended first = run(mesh);
  INFO(first.err);
  REQUIRE(first.status == exit_ok);
  const std::string name = mesh + "-" + checksum_of_file(mesh);
  int found = 0;
  for (const Json& line : read_records(records).lines) {
    if (line.at("type") != "record") continue;
    ++found;
    CHECK(line.at("status") == "ok");
    CHECK(line.at("mesh") == name);
    CHECK(line.at("nodes") == 70);
    CHECK(line.at("mesh_facts").at("faces") == 3 * 48 - 3 - 24);
  }
  CHECK(found == 1);
  REQUIRE(cfdmark_with("mesh triangles-8x5 --output " + mesh).status == exit_ok);
  const Ended changed = run(name);
  CHECK(changed.status == exit_usage);
  CHECK_THAT(changed.err, Mentions({"box.yaml:7:", "checksum"}));
}
