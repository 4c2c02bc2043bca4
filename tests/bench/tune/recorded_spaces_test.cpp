// Replays of the shipped spaces, which were recorded exhaustively on real devices.
#include "bench/tune/recorded_space.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "test_paths.hpp"
#include "tests/bench/sound_record.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"
#include "tuning/strategy.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

// Smaller spaces are searched exhaustively as fast as they are raced.
constexpr std::size_t worth_a_race = 21;

std::vector<RecordedSpace> shipped_spaces() {
  std::vector<RecordedSpace> spaces;
  for (const auto& file : std::filesystem::directory_iterator(CFDMARK_SPACES)) {
    if (file.path().extension() != ".jsonl") continue;
    RecordedSpaces found = read_spaces(file.path().string());
    CHECK(found.warnings.empty());
    for (RecordedSpace& s : found.spaces)
      if (s.space.size() >= worth_a_race) spaces.push_back(std::move(s));
  }
  return spaces;
}

bool on_gpu(const RecordedSpace& s) { return s.records.front().at("backend") == "cuda"; }

Json line(const std::string& method, int block_x, std::vector<double> samples,
          const std::string& status = "ok") {
  Json json = {{"type", "record"},
               {"schema", 2},
               {"case", "jacobi/cuda/fp64/" + method + "@64x64:block_x=" + std::to_string(block_x) +
                            ";operator=constant"},
               {"kind", "kernel"},
               {"name", "jacobi"},
               {"backend", "cuda"},
               {"precision", "fp64"},
               {"method", method},
               {"grid", {64, 64}},
               {"workload", {{"operator", "constant"}}},
               {"config", {{"block_x", block_x}}},
               {"status", status},
               {"overhead", {{"prepare", 0.25}, {"verify", 0.5}, {"warm_up", 0.25}}}};
  if (status == "ok") json["time"] = time_of(samples), json["time"]["steps_per_sample"] = 4;
  return json;
}

}  // namespace

TEST_CASE("racing recorded GPU spaces ends within 2 % of the best for a quarter of the time, 95 times in 100",
          "[spaces]") {
  std::map<std::string, std::set<std::string>> precisions;  // by kernel
  for (const RecordedSpace& s : shipped_spaces()) {
    if (!on_gpu(s)) continue;
    INFO(s.name);
    const StrategyScore racing = score(s, "racing", 100);
    CHECK(racing.within_2_percent >= 95);
    CHECK(racing.cost <= 0.25);
    precisions[s.records.front().at("name")].insert(s.records.front().at("precision").get<std::string>());
  }
  if (precisions.empty()) return;  // none is shipped
  std::size_t kernels = 0;
  for (const auto& [kernel, seen] : precisions) kernels += seen.size() >= 2;
  REQUIRE(kernels >= 4);
}

TEST_CASE("racing recorded host spaces costs a quarter and never ends slower than the default", "[spaces]") {
  int spaces = 0;
  for (const RecordedSpace& s : shipped_spaces()) {
    if (on_gpu(s)) continue;
    ++spaces;
    INFO(s.name);
    CHECK(score(s, "racing", 100).cost <= 0.25);
    int slower = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      SearchOptions options;
      options.seed = seed;
      const Replay r = replay(s, "racing", options);
      slower += recorded_median(s, r.choice.winner) > 1.02 * recorded_median(s, s.space.fallback());
    }
    CHECK(slower <= 5);
  }
  REQUIRE(spaces >= 2);
}

TEST_CASE("a recorded space has the last record of each case, sorted, with its cost", "[spaces]") {
  const TemporaryFolder folder;
  Json first = line("plain", 64, {9, 9}), fallback = line("plain", 32, {3, 3, 3});
  fallback["tuning"] = {{"default", true}};
  std::ofstream file(folder / "space.jsonl");
  for (const Json& json : {first, line("shared", 16, {}, "failed"), line("plain", 128, {}, "not_run"),
                           fallback, line("plain", 64, {2, 2, 1}), line("plain", 16, {}, "timeout")})
    file << json.dump() << "\n";
  file << "{\"type\":\"rec" << std::endl;
  const RecordedSpaces found = read_spaces(folder / "space.jsonl");
  REQUIRE(found.warnings.size() == 1);
  REQUIRE(found.spaces.size() == 1);
  const RecordedSpace& s = found.spaces[0];
  REQUIRE(s.name == "jacobi/cuda/fp64@64x64;operator=constant");
  REQUIRE(s.space.size() == 4);  // excluded configs are not candidates
  REQUIRE(candidate_text(s.space[0]) == "plain:block_x=16");
  REQUIRE(candidate_text(s.space[s.space.fallback()]) == "plain:block_x=32");
  REQUIRE(s.evaluations[0].status == TrialStatus::timeout);
  REQUIRE(s.evaluations[3].status == TrialStatus::wrong_result);
  REQUIRE(recorded_median(s, 2) == 2);
  REQUIRE(recorded_best(s) == 2);
  REQUIRE(s.evaluations[2].measuring_seconds / double(s.evaluations[2].samples.size()) == 8);
  REQUIRE(s.evaluations[2].setup_seconds == 1);
  REQUIRE(exhaustive_seconds(s, 10) == 10 * (8 + 12));
}

TEST_CASE("a recorded space on a mesh has the mesh in its name", "[spaces][meshes]") {
  const TemporaryFolder folder;
  Json on_mesh = line("plain", 64, {2, 2, 2});
  on_mesh["case"] = "jacobi/cuda/fp64/plain@triangles-8x8:block_x=64;operator=constant";
  on_mesh["mesh"] = "triangles-8x8", on_mesh["nodes"] = 128;
  on_mesh.erase("grid");
  std::ofstream(folder / "space.jsonl") << on_mesh.dump() << "\n"
                                        << line("plain", 64, {3, 3, 3}).dump() << "\n";
  const RecordedSpaces found = read_spaces(folder / "space.jsonl");
  REQUIRE(found.spaces.size() == 2);
  CHECK(found.spaces[0].name == "jacobi/cuda/fp64@triangles-8x8;operator=constant");
  CHECK(found.spaces[1].name == "jacobi/cuda/fp64@64x64;operator=constant");
}

TEST_CASE("a record with another grid than its case is skipped with a warning that names it", "[spaces]") {
  const TemporaryFolder folder;
  Json first = line("plain", 64, {2, 2, 2}), other = line("plain", 64, {3, 3, 3});
  other["grid"] = {32, 32};
  std::ofstream(folder / "space.jsonl") << first.dump() << "\n" << other.dump() << "\n";
  const RecordedSpaces found = read_spaces(folder / "space.jsonl");
  REQUIRE(found.spaces.size() == 1);
  CHECK(recorded_median(found.spaces[0], 0) == 2);
  REQUIRE(found.warnings.size() == 1);
  CHECK_THAT(found.warnings[0], ContainsSubstring("space.jsonl:2: ") && ContainsSubstring("`grid`") &&
                                    ContainsSubstring("`case`"));
}

TEST_CASE("a file without any time is an error", "[spaces]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "space.jsonl") << line("plain", 64, {}, "failed").dump() << "\n";
  REQUIRE_THROWS_AS(read_spaces(folder / "space.jsonl"), std::invalid_argument);
  REQUIRE_THROWS_WITH(read_spaces(folder / "space.jsonl"), ContainsSubstring(folder / "space.jsonl"));
}
