// Files of evaluations: nothing recorded is lost or changed.
#include "bench/shape/evaluation_file.hpp"

#include <filesystem>
#include <fstream>

#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const Json facts = {{"grid", "64x32"}, {"seed", 1}, {"area", 0.1}};

ShapeEvaluation some_evaluation() {
  ShapeEvaluation e;
  e.generation = 3, e.shape = "sine", e.grid = "64x32", e.precision = "fp32";
  e.parameters = {{"ln_length", 1.0 / 3}, {"b2", -1e-17}, {"b3", 2}};
  e.offset = {0.1, 1.0 / 7};
  e.flow.status = EvaluationStatus::ok;
  e.flow.drag = 3.1234567890123456, e.flow.lift = -1e-9, e.flow.drag_change = 2.0 / 3;
  e.flow.iterations = 700, e.flow.seconds = 0.125;
  e.objective = e.flow.drag;
  return e;
}

void append_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

}  // namespace

TEST_CASE("an evaluation comes back from its file bit by bit", "[shape][records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "e.jsonl";
  ShapeEvaluation lost = some_evaluation();
  lost.parameters[0].second = 2, lost.objective = 1000000.25;
  lost.flow = {};
  lost.flow.status = EvaluationStatus::infeasible, lost.violated = {{"thickness", 0.25}};
  {
    EvaluationFile file(path, "s.yaml", facts, false);
    CHECK(file.found() == 0);
    file.append(some_evaluation());
    file.append(lost);
  }
  const EvaluationFile file(path, "s.yaml", facts, false);
  CHECK(file.found() == 2);
  CHECK(file.warnings().empty());
  const ShapeEvaluation* same = file.find(some_evaluation().key());
  REQUIRE(same);
  CHECK(to_json(*same) == to_json(some_evaluation()));
  CHECK(same->flow.drag == some_evaluation().flow.drag);
  CHECK(same->parameters == some_evaluation().parameters);
  REQUIRE(file.find(lost.key()));
  CHECK(file.find(lost.key())->violated.front().by == 0.25);
  CHECK(file.find(lost.key())->objective == 1000000.25);
}

TEST_CASE("evaluations differ by grid, precision, outline, place and each bit of a parameter",
          "[shape][records]") {
  const ShapeEvaluation e = some_evaluation();
  std::vector<ShapeEvaluation> others(5, e);
  others[0].grid = "128x64", others[1].precision = "fp64", others[2].shape = "fourier",
  others[3].offset.x = 0;
  others[4].parameters[0].second = std::nextafter(1.0 / 3, 1);
  for (const ShapeEvaluation& other : others) CHECK(other.key() != e.key());
  ShapeEvaluation same = e;
  same.purpose = "place", same.generation = 9, same.flow = {};
  CHECK(same.key() == e.key());
}

TEST_CASE("a cut-off line costs that line only", "[shape][records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "e.jsonl";
  EvaluationFile(path, "s.yaml", facts, false).append(some_evaluation());
  append_text(path, R"({"type":"evaluation","purpose":"sea)");
  ShapeEvaluation next = some_evaluation();
  next.parameters[2].second = 5;
  {
    EvaluationFile file(path, "s.yaml", facts, false);
    CHECK(file.found() == 1);
    file.append(next);
  }
  const EvaluationFile file(path, "s.yaml", facts, false);
  CHECK(file.found() == 2);
  REQUIRE(file.warnings().size() == 1);
  CHECK_THAT(file.warnings().front(), ContainsSubstring("e.jsonl:3: line skipped"));
}

TEST_CASE("a file whose first line was cut off begins again", "[shape][records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "e.jsonl";
  append_text(path, R"({"type":"shape_st)");
  EvaluationFile(path, "s.yaml", facts, false).append(some_evaluation());
  CHECK(EvaluationFile(path, "s.yaml", facts, false).found() == 1);
}

TEST_CASE("a file of another study is refused, with what differs and what to do", "[shape][records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "e.jsonl";
  EvaluationFile(path, "s.yaml", facts, false).append(some_evaluation());
  Json other = facts;
  other["seed"] = 2;
  CHECK_THROWS_WITH(EvaluationFile(path, "s.yaml", other, false),
                    ContainsSubstring("another 'seed' (1 there, 2 now): use another --output, or --restart"));
  const EvaluationFile restarted(path, "s.yaml", other, true);
  CHECK(restarted.found() == 0);
  CHECK(std::filesystem::exists(restarted.moved_to()));
  CHECK(EvaluationFile(restarted.moved_to(), "s.yaml", facts, false).found() == 1);
}

TEST_CASE("a file of something else is refused and stays as it is", "[shape][records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "e.jsonl";
  append_text(path, "{\"type\":\"record\"}\n{\"type\":\"record\"}\n");
  const auto size = std::filesystem::file_size(path);
  CHECK_THROWS_WITH(EvaluationFile(path, "s.yaml", facts, false),
                    ContainsSubstring("is not a file of cfdmark shape"));
  CHECK(std::filesystem::file_size(path) == size);
}

TEST_CASE("two searches cannot write one file", "[shape][records]") {
  const TemporaryFolder folder;
  const std::string path = folder / "e.jsonl";
  const EvaluationFile first(path, "s.yaml", facts, false);
  CHECK_THROWS_AS(EvaluationFile(path, "s.yaml", facts, false), WriteError);
}
