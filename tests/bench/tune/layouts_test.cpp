// The tuned tables as exports: what they say, and that the header is C++ that finds the right layout.
#include "bench/tune/layouts.hpp"

#include <cstdlib>
#include <fstream>

#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

Json entry(const std::string& precision, const std::vector<int>& grid, int block_x) {
  return {{"kind", "kernel"},
          {"name", "jacobi"},
          {"backend", "cuda"},
          {"precision", precision},
          {"scope", "all"},
          {"grid", grid},
          {"winner",
           {{"method", "column"},
            {"config", {{"block_x", block_x}, {"block_y", 2}, {"cells", 8}}},
            {"median", 1.5e-4},
            {"ci_low", 1.4e-4},
            {"ci_high", 1.6e-4},
            {"samples", 20}}},
          {"default", {{"method", "plain"}, {"config", {{"block_x", 64}}}, {"median", 3e-4}}},
          {"gain", {{"value", 2.0}, {"low", 1.9}, {"high", 2.1}}},
          {"rule", "the \"fastest\", by far"},
          {"ties", Json::array({1, 2})},
          {"source_hash", "0"},
          {"time", "2026-01-01T00:00:00Z"}};
}

std::vector<Layout> two_devices() {
  const TunedTable h200{
      "h200.json",
      {"NVIDIA H200", "compute capability 9.0", "", ""},
      {entry("fp64", {512, 512}, 16), entry("fp64", {4096, 4096}, 32), entry("fp64", {64, 64, 64}, 48)}};
  Json chunked = entry("fp32", {512, 512}, 128);
  chunked["winner"]["config"]["schedule"] = "guided";
  const TunedTable cpu{"cpu.json", {"A CPU, 2 cores", "x86-64-v3", "", ""}, {chunked}};
  return layouts_of({{h200, cpu}, {}});
}

}  // namespace

TEST_CASE("the table has a line for each layout, what it gains, and a mark where the source has changed",
          "[layouts]") {
  const std::string table = layouts_table(two_devices());
  CHECK_THAT(table, ContainsSubstring("NVIDIA H200 (compute capability 9.0)\n") &&
                        ContainsSubstring("A CPU, 2 cores (x86-64-v3)\n"));
  CHECK_THAT(table, ContainsSubstring("jacobi/cuda/fp64") &&
                        ContainsSubstring("block_x=32,block_y=2,cells=8") &&
                        ContainsSubstring("2.000 [1.900, 2.100]") && ContainsSubstring("150.0 us"));
  CHECK_THAT(table, ContainsSubstring("* tuned with another source"));
  CHECK(layouts_of({}, "").empty());
  TunedTables tables;
  tables.tables.push_back({"h200.json", {"NVIDIA H200", "", "", ""}, {entry("fp64", {8, 8}, 16)}});
  CHECK(layouts_of(tables, "H200").size() == 1);
  CHECK(layouts_of(tables, "jacobi/cuda").size() == 1);
  CHECK(layouts_of(tables, "openmp").empty());
}

TEST_CASE("the comma-separated values have as many fields as heads, quoted where they must be", "[layouts]") {
  const std::string csv = layouts_csv(two_devices());
  std::istringstream lines(csv);
  std::string head, line;
  std::getline(lines, head);
  const auto commas = std::count(head.begin(), head.end(), ',');
  int rows = 0;
  while (std::getline(lines, line)) {
    ++rows;
    bool inside = false;
    std::ptrdiff_t outside = 0;
    for (const char c : line) {
      if (c == '"') inside = !inside;
      outside += c == ',' && !inside;
    }
    CHECK(outside == commas);
    CHECK_THAT(line, ContainsSubstring("\"the \"\"fastest\"\", by far\"") && ContainsSubstring(",0.00015,"));
  }
  REQUIRE(rows == 4);
}

TEST_CASE("the JSON has the whole evidence", "[layouts]") {
  const Json json = Json::parse(layouts_json(two_devices()));
  REQUIRE(json.size() == 4);
  REQUIRE(json[0]["device"] == "NVIDIA H200");
  REQUIRE(json[0]["winner"]["ci_high"] == 1.6e-4);
  REQUIRE(json[0]["current"] == false);
}

TEST_CASE("the header compiles by itself as C++17, and its lookup is done while compiling", "[layouts]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "layouts.hpp") << layouts_header(two_devices());
  std::ofstream(folder / "empty.hpp") << layouts_header({});
  std::ofstream(folder / "use.cpp") << R"(#include "layouts.hpp"
using cfdmark_layouts::find;
constexpr auto same = find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 4096, 4096, 1);
static_assert(same && same->at("block_x", 0) == 32 && same->at("cells", 0) == 8 && same->at("warps", 7) == 7);
static_assert(same->method == "column");
constexpr auto nearest = find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 600, 600, 1);
static_assert(nearest && nearest->at("block_x", 0) == 16);
constexpr auto cube = find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 512, 512, 512);
static_assert(cube && cube->at("block_x", 0) == 48);
constexpr auto relative = find("NVIDIA H100", 90, "jacobi", "cuda", "fp64", 512, 512, 1);
static_assert(relative && relative->device == "NVIDIA H200");
static_assert(!find("NVIDIA A100", 80, "jacobi", "cuda", "fp64", 512, 512, 1));
static_assert(!find("NVIDIA H200", 90, "jacobi", "cuda", "fp32", 512, 512, 1));
constexpr auto cpu = find("A CPU, 2 cores", 0, "jacobi", "cuda", "fp32", 8, 8, 1);
static_assert(cpu && cpu->word("schedule", "static") == "guided" && cpu->word("binding", "close") == "close");
int main() {}
)";
  std::ofstream(folder / "empty.cpp") << R"(#include "empty.hpp"
static_assert(!cfdmark_layouts::find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 512, 512, 1));
int main() {}
)";
  for (const char* file : {"use.cpp", "empty.cpp"}) {
    const std::string command =
        std::string(CFDMARK_CXX) + " -std=c++17 -Wall -Wextra -Werror -fsyntax-only " + (folder / file);
    INFO(layouts_header(two_devices()));
    CHECK(std::system(command.c_str()) == 0);
  }
}
