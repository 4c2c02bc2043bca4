// T1 and T4, held against what their public schemas ask for, and against the space that they came from.
#include "bench/tune/formats.hpp"

#include <regex>
#include <set>

#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

RecordedSpace space(const std::string& backend = "cuda") {
  std::vector<Candidate> candidates = {{"column", {{"block_x", 64}, {"cells", 4}}},
                                       {"plain", {{"block_x", 32}}},
                                       {"plain", {{"block_x", 64}}},
                                       {"plain", {{"block_x", 128}}}};
  std::vector<RecordedEvaluation> evaluations = {{TrialStatus::ok, "", {2, 3, 4}, 1, 1},
                                                 {TrialStatus::compile_error, "no", {}, 0, 1},
                                                 {TrialStatus::ok, "", {1, 1, 1}, 1, 1},
                                                 {TrialStatus::timeout, "no", {}, 0, 1}};
  std::vector<Json> records;
  for (std::size_t n = 0; n < candidates.size(); ++n)
    records.push_back({{"kind", "kernel"},
                       {"name", "jacobi"},
                       {"backend", backend},
                       {"grid", {64, 32}},
                       {"overhead", {{"prepare", 0.5}, {"verify", 0.25}, {"warm_up", 0.125}}}});
  return {"jacobi/cuda/fp64@64x32",
          SearchSpace(candidates, 2),
          records,
          evaluations,
          {{"time", "2026-01-01T00:00:00Z"}, {"gpu", {{"name", "NVIDIA H200"}}}}};
}

void check_keys(const Json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    INFO(key);
    CHECK(object.contains(key));
  }
}

}  // namespace

TEST_CASE("T1 has what its schema requires, in the types and words that it allows", "[formats]") {
  const Json t1 = t1_json(space());
  check_keys(t1, {"ConfigurationSpace", "KernelSpecification"});
  const Json& kernel = t1["KernelSpecification"];
  check_keys(kernel, {"Language", "KernelName", "KernelFile", "GlobalSize", "LocalSize"});
  CHECK(std::set<std::string>{"OpenCL", "CUDA", "Vulkan"}.contains(kernel["Language"]));
  CHECK(std::set<std::string>{"OpenCL", "CUDA", "Vulkan"}.contains(kernel["GlobalSizeType"]));
  for (const char* size : {"GlobalSize", "LocalSize"})
    for (const char* axis : {"X", "Y", "Z"}) CHECK(kernel[size][axis].is_string());
  CHECK(kernel["KernelFile"] == "kernels/jacobi/jacobi.cu");
  for (const Json& parameter : t1["ConfigurationSpace"]["TuningParameters"]) {
    check_keys(parameter, {"Name", "Type", "Values"});
    CHECK(std::set<std::string>{"int", "uint", "float", "bool", "string"}.contains(parameter["Type"]));
    CHECK(parameter["Values"].is_string());
  }
  for (const Json& condition : t1["ConfigurationSpace"]["Conditions"]) {
    CHECK(condition.at("Parameters").is_array());
    CHECK(condition.at("Expression").is_string());
  }
  CHECK(t1["General"]["FormatVersion"].is_number_integer());
  CHECK(std::set<std::string>{"Nanoseconds", "Microseconds", "Milliseconds", "Seconds"}.contains(
      t1["General"]["TimeUnit"]));
}

TEST_CASE("T1's values and condition are the recorded configs, in what any Python reads", "[formats]") {
  const Json space_json = t1_json(space())["ConfigurationSpace"];
  REQUIRE(space_json["TuningParameters"].size() == 3);
  CHECK(space_json["TuningParameters"][0]["Values"] == "['column', 'plain']");
  CHECK(space_json["TuningParameters"][1]["Values"] == "[32, 64, 128]");
  CHECK(space_json["TuningParameters"][2]["Values"] == "[0, 4]");
  CHECK(space_json["TuningParameters"][1]["Default"] == 64);
  CHECK(space_json["Conditions"][0]["Expression"] ==
        "(method, block_x, cells,) in "
        "[('column', 64, 4,), ('plain', 32, 0,), ('plain', 64, 0,), ('plain', 128, 0,)]");
}

TEST_CASE("T1 and T4 hold words and real numbers as they are, and none where a method lacks them",
          "[formats]") {
  RecordedSpace s = space();
  s.space = SearchSpace({{"column", {{"gap", 0.5}, {"order", "rows"}}},
                         {"plain", {{"gap", 1.5}}},
                         {"plain", {{"gap", 0.7}}},
                         {"plain", {{"gap", 1.0}}}},
                        2);
  const Json t1 = t1_json(s)["ConfigurationSpace"], results = t4_json(s)["results"];
  CHECK(t1["TuningParameters"][1]["Type"] == "float");
  CHECK(t1["TuningParameters"][1]["Values"] == "[0.5, 0.7, 1, 1.5]");
  CHECK(t1["TuningParameters"][2]["Type"] == "string");
  CHECK(t1["TuningParameters"][2]["Values"] == "['', 'rows']");
  CHECK(results[0]["configuration"] == Json({{"method", "column"}, {"gap", 0.5}, {"order", "rows"}}));
  CHECK(results[1]["configuration"]["order"] == "");
}

TEST_CASE("T1 knows no language of a host, and says so", "[formats]") {
  REQUIRE_THROWS_WITH(t1_json(space("openmp")), ContainsSubstring("CUDA, OpenCL and Vulkan only"));
  REQUIRE(t4_json(space("openmp"))["results"].size() == 4);
}

TEST_CASE("T4 has what its schema requires for every result", "[formats]") {
  const Json t4 = t4_json(space());
  CHECK(std::regex_match(t4["schema_version"].get<std::string>(), std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")));
  CHECK(t4["metadata"]["timeunit"] == "seconds");
  CHECK(t4["metadata"]["compute_api"] == "CUDA");
  REQUIRE(t4["results"].size() == 4);
  const std::set<std::string> invalidities = {"timeout",     "compile",     "runtime",
                                              "correctness", "constraints", "correct"};
  for (const Json& r : t4["results"]) {
    check_keys(r, {"configuration", "times", "invalidity", "correctness"});
    CHECK(r["configuration"].is_object());
    CHECK(invalidities.contains(r["invalidity"]));
    CHECK((r["correctness"] == 0 || r["correctness"] == 1));
    CHECK((r["correctness"] == 1) == (r["invalidity"] == "correct"));
    for (const char* part : {"compilation_time", "framework", "search_algorithm", "validation"})
      CHECK(r["times"].at(part).is_number());
    CHECK(r["times"]["runtimes"].is_array());
    for (const Json& objective : r["objectives"]) CHECK(objective.is_string());
    for (const Json& m : r["measurements"]) {
      CHECK(m.at("name").is_string());
      CHECK(m.at("value").is_number());
      CHECK(m.at("unit").is_string());
    }
  }
}

TEST_CASE("T4 says how each config ended and what it took", "[formats]") {
  const Json results = t4_json(space())["results"];
  CHECK(results[0]["configuration"] == Json({{"method", "column"}, {"block_x", 64}, {"cells", 4}}));
  CHECK(results[0]["times"]["runtimes"] == Json({2.0, 3.0, 4.0}));
  CHECK(results[0]["measurements"][0]["value"] == 3.0);
  CHECK(results[0]["times"]["compilation_time"] == 0.5);
  CHECK(results[1]["invalidity"] == "compile");
  CHECK(results[1]["configuration"]["cells"] == 0);
  CHECK(results[3]["invalidity"] == "timeout");
}
