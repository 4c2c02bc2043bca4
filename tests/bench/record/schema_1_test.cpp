// Records of schema 1 are read as those of schema 2; the Python readers are held to the same examples.
#include "bench/record/schema_1.hpp"

#include <fstream>

#include "bench/record/records.hpp"
#include "bench/record/twin_kernels.hpp"
#include "test_paths.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Without the order of keys.
nlohmann::json unordered(const Json& json) { return nlohmann::json::parse(one_line(json)); }

}  // namespace

TEST_CASE("every example of schema 1 is read as its record of today", "[records]") {
  std::ifstream file(CFDMARK_SCHEMA_1);
  const Json examples = Json::parse(file);
  REQUIRE(examples.size() >= 4);
  const TemporaryFolder folder;
  for (const Json& example : examples) {
    INFO(example["before"]["case"]);
    CHECK(unordered(record_from_schema_1(example["before"])) == unordered(example["now"]));
    const std::string path = folder / "run.jsonl";
    std::ofstream(path) << one_line(example["before"]) << '\n' << one_line(example["now"]) << '\n';
    const RecordFile read = read_records(path);
    REQUIRE(read.lines.size() == 2);
    for (const Json& line : read.lines)
      CHECK(unordered(line) == unordered(record_from_twins(example["now"])));
  }
}

TEST_CASE("a record of schema 1 whose parts make no sense is passed on for its reader to judge",
          "[records]") {
  for (const char* text :
       {R"({"type":"record","schema":1,"case":5,"config":7})",
        R"({"type":"record","schema":1,"case":"x@8x8:{};problem","config":{"schedule":"2"}})"})
    CHECK_NOTHROW(record_from_schema_1(Json::parse(text)));
}
