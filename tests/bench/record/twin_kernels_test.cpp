// Kernels with an operator that were two are read as one; the Python readers are held to the same examples.
#include "bench/record/twin_kernels.hpp"

#include <fstream>

#include "bench/record/records.hpp"
#include "test_paths.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Without the order of keys.
nlohmann::json unordered(const Json& json) { return nlohmann::json::parse(one_line(json)); }

}  // namespace

TEST_CASE("every example of a twin is read as its record of today", "[records]") {
  std::ifstream file(CFDMARK_TWIN_KERNELS);
  const Json examples = Json::parse(file);
  REQUIRE(examples.size() >= 6);
  const TemporaryFolder folder;
  for (const Json& example : examples) {
    INFO(example["before"]["case"]);
    const std::string path = folder / "run.jsonl";
    Json first = example["before"];
    first["schema"] = 1;  // nothing in it differs
    if (first.contains("question") || first["kind"] == "solver") first["schema"] = 2;
    std::ofstream(path) << one_line(first) << '\n'
                        << one_line(example["before"]) << '\n'
                        << one_line(example["now"]) << '\n';
    const RecordFile read = read_records(path);
    REQUIRE(read.lines.size() == 3);
    for (const Json& line : read.lines) CHECK(unordered(line) == unordered(example["now"]));
  }
}

TEST_CASE("an entry of a tuned table of a twin says its operator", "[records]") {
  const Json entry = {{"kind", "kernel"}, {"name", "cg_update_coefficients"}, {"grid", {8, 8}}};
  const Json now = {
      {"kind", "kernel"}, {"name", "cg_update"}, {"grid", {8, 8}}, {"question", {{"operator", "arrays"}}}};
  CHECK(unordered(entry_from_twins(entry)) == unordered(now));
  CHECK(entry_from_twins(now) == now);
}

TEST_CASE("a record of a twin whose parts make no sense is passed on for its reader to judge", "[records]") {
  for (const char* text :
       {R"({"type":"record","kind":"kernel","name":"jacobi","case":5,"label":7})",
        R"({"type":"record","kind":3,"name":"jacobi"})", R"({"type":"record","kind":"kernel"})"})
    CHECK_NOTHROW(record_from_twins(Json::parse(text)));
}
