// Kernels on meshes as rows of the catalog.
#include "bench/catalog/mesh_rows.hpp"

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/catalog/mesh_problem.hpp"
#include "bench/measure/make_record.hpp"
#include "bench/measure/measurement_session.hpp"
#include "bench/measure/prepared_case.hpp"
#include "bench/record/record_check.hpp"
#include "tests/bench/sweep/sweep_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const Row& row_named(const std::string& name) {
  for (const Row& row : catalog())
    if (row_name(row) == name) return row;
  throw std::logic_error("the catalog has no row " + name);
}

Case case_on(const std::string& row, const std::string& mesh, const Config& workload = {}) {
  const Row& of = row_named(row);
  return {&of, domain_from(mesh), of.space.defaults(), workload_of(of, workload), ""};
}

CaseResult six_seconds() {
  CaseResult result;
  result.samples.emplace_back(6, 1.0);
  return result;
}

}  // namespace

TEST_CASE("a sweep over meshes has a case for each mesh and numbering", "[meshes][sweep]") {
  const Sweep sweep = sweep_of_block(
      "kernels: mesh_gradient\nbackends: serial\nprecisions: fp64\nmethods: plain\n"
      "meshes: [triangles-4x3, tetrahedra-2x2x1+3]\nnumbering: [lattice, rcm]",
      {}, catalog());
  std::vector<std::string> found;
  for (const Case& c : sweep.cases) found.push_back(c.domain.text() + " " + c.workload.choice("numbering"));
  CHECK(found == std::vector<std::string>{"triangles-4x3 lattice", "triangles-4x3 rcm",
                                          "tetrahedra-2x2x1+3 lattice", "tetrahedra-2x2x1+3 rcm"});
}

TEST_CASE("all kernels of a block are those on grids, or those on meshes", "[meshes][sweep]") {
  const auto of = [](const std::string& domains) {
    const Sweep sweep =
        sweep_of_block("kernels: all\nbackends: serial\nprecisions: fp64\n" + domains, {}, catalog());
    return std::pair(std::all_of(sweep.cases.begin(), sweep.cases.end(),
                                 [](const Case& c) { return c.row->runs_on == c.domain.kind(); }),
                     sweep.cases.size());
  };
  CHECK(of("grids: 8x8").first);
  CHECK(of("grids: 8x8").second > 10);
  CHECK(of("meshes: triangles-4x3").first);
  CHECK(of("meshes: triangles-4x3").second >= 2);
}

TEST_CASE("a case on the wrong kind of domain is not run, with a domain that would do", "[meshes]") {
  constexpr std::size_t memory = 1'000'000'000;
  Case c = case_on("mesh_gradient/serial/fp64/plain", "triangles-4x3");
  CHECK(why_not_run(c, memory) == "");
  c.domain = Grid{8, 8};
  CHECK_THAT(why_not_run(c, memory), ContainsSubstring("triangles-178x178"));
  const Row& copy = row_named("copy/serial/fp64/plain");
  const Case on_mesh{&copy, domain_from("triangles-4x3"), copy.space.defaults(), workload_of(copy), ""};
  CHECK_THAT(why_not_run(on_mesh, memory), ContainsSubstring("512x512"));
}

TEST_CASE("a row knows the bytes of its fields, and a limit of those of its lists, before the mesh is made",
          "[meshes]") {
  for (const Row& row : catalog()) {
    if (row.runs_on != DomainKind::mesh || row.kind != RowKind::kernel ||
        row.backend != BackendKind::serial || row.precision == Precision::mixed)
      continue;
    for (const char* mesh : {"triangles-5x3", "tetrahedra-2x3x1+4"}) {
      const Domain domain = domain_from(mesh);
      if (!domain_refusal(row, domain).empty()) continue;
      INFO(row_name(row) << " on " << mesh);
      const Config workload = workload_of(row);
      const auto ready = row.prepare(backend(row.backend), domain, row.space.defaults(), workload);
      CHECK(row.field_bytes(domain, workload) - list_bytes(domain.mesh()) == double(ready->field_bytes()));
    }
  }
}

TEST_CASE("a solver on meshes knows about how many bytes its fields take before the mesh is made",
          "[meshes]") {
  for (const Row& row : catalog()) {
    if (row.runs_on != DomainKind::mesh || row.kind != RowKind::solver ||
        row.backend != BackendKind::serial || row.precision == Precision::mixed)
      continue;
    for (const char* mesh : {"triangles-40x30", "tetrahedra-7x8x6"}) {
      const Domain domain = domain_from(mesh);
      const Config workload = workload_of(row);
      if (!domain_refusal(row, domain).empty() ||
          (row.unsupported && !row.unsupported(domain, workload).empty()))
        continue;
      INFO(row_name(row) << " on " << mesh);
      const auto ready = row.prepare(backend(row.backend), domain, row.space.defaults(), workload);
      CHECK(row.field_bytes(domain, workload) >= 0.9 * double(ready->field_bytes()));
      CHECK(row.field_bytes(domain, workload) <= 2 * double(ready->field_bytes()));
    }
  }
}

TEST_CASE("the record of a case on a mesh names the mesh, its counts and what its making took", "[meshes]") {
  const Case c = case_on("mesh_divergence/serial/fp64/plain", "triangles-6x5", {{"numbering", "random"}});
  PreparedCase ready(c, true, [](Stage) {});
  REQUIRE(ready.passed());
  CaseResult result = six_seconds();
  ready.complete(result);
  const Json record = to_json(make_record(c, std::move(result), {{"id", "e"}, {"roofs", Json::array()}}));
  CHECK_NOTHROW(checked_line(record));
  CHECK(record["mesh"] == "triangles-6x5");
  CHECK_FALSE(record.contains("grid"));
  CHECK(record["nodes"] == 60);
  CHECK(record["workload"]["numbering"] == "random");
  const Json& facts = record["mesh_facts"];
  CHECK(facts["cells"] == 60);
  CHECK(facts["faces"] == 3 * 42 - 3 - 22);  // 3 V - 3 - Vb
  CHECK(facts["nodes"] == 42);
  CHECK(facts["boundary_faces"] == 22);
  CHECK(facts["least_angle"] > 5);
  CHECK(facts["requested_bytes"] >= record["cost"]["bytes"]);
  CHECK(record_from_json(record).id.mesh == "triangles-6x5");
  CHECK(to_json(record_from_json(record)) == record);
}

TEST_CASE("cases of one mesh and numbering share the mesh", "[meshes]") {
  const MeshRef ref = domain_from("triangles-3x3").mesh();
  const auto first = case_mesh(ref, Numbering::rcm);
  CHECK(case_mesh(ref, Numbering::rcm) == first);
  const auto lists = lists_on(backend(BackendKind::serial), first->mesh);
  CHECK(lists_on(backend(BackendKind::serial), first->mesh) == lists);
  CHECK(case_mesh(ref, Numbering::stored) != first);
  CHECK(lists_on(backend(BackendKind::serial), first->mesh) != lists);  // those of another mesh are kept now
}

TEST_CASE("a mesh is released with the cases that a worker keeps", "[meshes]") {
  const MeshRef ref = domain_from("triangles-3x2").mesh();
  const std::weak_ptr<const MadeMesh> mesh = case_mesh(ref, Numbering::stored);
  MeasurementSession session;
  session.release();
  CHECK(mesh.expired());
}
