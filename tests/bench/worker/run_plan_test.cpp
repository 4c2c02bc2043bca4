#include "bench/worker/run_plan.hpp"

#include "bench/case/case_record.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/record/environment.hpp"
#include "bench/record/record.hpp"
#include "bench/worker/worker.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

Json environment_of(const std::string& id, const std::string& program, const std::string& host = "abc") {
  return {{"type", "environment"},
          {"id", id},
          {"program", {{"fingerprint", program}, {"commit", "one and the same"}}},
          {"host", {{"name_hash", "vm"}, {"machine", host}}}};
}

Json recorded(const Case& c, const std::string& status, const std::string& environment) {
  Json record = record_of(c, status, "because");
  record["environment"] = environment;
  if (status == "ok") record["time"] = {{"samples", {1e-6, 2e-6}}};
  return record;
}

}  // namespace

TEST_CASE("correct results are final, and everything else is tried again", "[plan]") {
  const Case c = faulty_case("sound");
  const Json here = environment_of("1", "new");
  const auto done = [&](const std::string& status) {
    return EarlierRecords({here, recorded(c, status, "1")}, here).done(c);
  };
  CHECK(done("ok"));
  for (const char* status : {"failed", "error", "crashed", "timeout", "not_run"}) {
    INFO(status);
    CHECK_FALSE(done(status));
  }
  CHECK_FALSE(EarlierRecords({}, here).done(c));
}

TEST_CASE("the last record of a case counts", "[plan]") {
  const Case c = faulty_case("sound");
  const Json here = environment_of("1", "new");
  REQUIRE_FALSE(EarlierRecords({here, recorded(c, "ok", "1"), recorded(c, "crashed", "1")}, here).done(c));
  REQUIRE(EarlierRecords({here, recorded(c, "crashed", "1"), recorded(c, "ok", "1")}, here).done(c));
}

TEST_CASE("records of another program or machine do not count, whatever its name, but are counted",
          "[plan]") {
  const Case c = faulty_case("sound");
  const Json here = environment_of("1", "new");
  Json unknown = environment_of("0", "new");  // written by programs without a fingerprint
  unknown["program"].erase("fingerprint");
  for (const Json& before : {environment_of("0", "old"), environment_of("0", "new", "def"), unknown}) {
    INFO(one_line(before));
    const EarlierRecords earlier({before, recorded(c, "failed", "0")}, here);
    CHECK_FALSE(earlier.done(c));
    CHECK(earlier.elsewhere() == 1);
    CHECK(earlier.newest_status(c) == "failed");
  }
  REQUIRE(EarlierRecords({recorded(c, "ok", "of no line")}, here).elsewhere() == 1);
}

TEST_CASE("records with other threads, binding or quota do not count", "[plan]") {
  Row row = *faulty_case("sound").row;
  row.backend = BackendKind::openmp;
  Case c = faulty_case("sound");
  c.row = &row;
  Json here = environment_of("1", "new");
  here["openmp"] = {{"max_threads", 2}, {"proc_bind", "close"}, {"places", "not set"}};
  CHECK(EarlierRecords({here, recorded(c, "ok", "1")}, here).done(c));
  for (const Json& change :
       {Json{{"openmp", {{"max_threads", 1}}}}, Json{{"openmp", {{"proc_bind", "false"}}}},
        Json{{"host", {{"cpu_quota", 0.5}}}}}) {
    Json before = here;
    before.merge_patch(change);
    before["id"] = "0";
    INFO(one_line(change));
    const EarlierRecords earlier({before, recorded(c, "ok", "0")}, here);
    CHECK_FALSE(earlier.done(c));
    CHECK(earlier.elsewhere() == 1);
  }
}

TEST_CASE("another commit with the same sources is the same program", "[plan]") {
  const Case c = faulty_case("sound");
  Json before = environment_of("0", "same");
  before["program"]["commit"] = "the one before, of other words in README.md";
  REQUIRE(EarlierRecords({before, recorded(c, "ok", "0")}, environment_of("1", "same")).done(c));
}

TEST_CASE("a case on the processors is done whatever the GPU, a case on a GPU only on that one", "[plan]") {
  Row on_gpu = *faulty_case("sound").row;
  on_gpu.backend = BackendKind::cuda;
  const Case cpu = faulty_case("sound");
  Case gpu = cpu;
  gpu.row = &on_gpu;
  const auto with_gpu = [](Json environment, const Json& facts) {
    environment["gpu"] = facts;
    return environment;
  };
  const Json before = with_gpu(environment_of("0", "same"), {{"name", "GPU"}, {"identity", "first"}});
  const std::vector<Json> lines = {before, recorded(cpu, "ok", "0"), recorded(gpu, "ok", "0")};
  for (const Json& other : {Json{{"name", "GPU"}, {"identity", "second"}}, Json{{"reason", "no driver"}}}) {
    const EarlierRecords earlier(lines, with_gpu(environment_of("1", "same"), other));
    CHECK(earlier.done(cpu));
    CHECK_FALSE(earlier.done(gpu));
  }
  CHECK(EarlierRecords(lines, before).done(gpu));
}

TEST_CASE("cases of one kernel on one grid are measured together, others separately", "[plan]") {
  std::vector<Case> cases = {faulty_case("sound", 4), faulty_case("sound", 8), faulty_case("sound", 4),
                             faulty_case("wrong", 4)};
  cases[2].config.set("threads", 2);
  const RunPlan plan = make_plan(cases, {});
  REQUIRE(plan.to_measure() == 4);
  REQUIRE(plan.groups.size() == 3);
  REQUIRE(plan.groups[0].size() == 2);
  REQUIRE(case_name(plan.groups[0][1]) == "sound/serial/fp64/plain@4x4:threads=2");
}

TEST_CASE("a group does not grow beyond what a crash may cost", "[plan]") {
  std::vector<Case> cases;
  for (int n = 1; n <= 60; ++n) {
    cases.push_back(faulty_case("sound"));
    cases.back().config.set("threads", n);
  }
  const RunPlan plan = make_plan(cases, {});
  REQUIRE(plan.to_measure() == 60);
  for (const auto& group : plan.groups) REQUIRE(group.size() <= largest_group);
}

TEST_CASE("every row of the catalog survives the way to the worker, even a solver with the name of a kernel",
          "[plan]") {
  for (const Row& row : catalog()) {
    const char* problem = find_problem(row, "cavity")       ? "cavity"
                          : find_problem(row, "flux_split") ? "flux_split"
                                                            : "jump";
    const Config workload = workload_of(row, {{"operator", "arrays"},
                                              {"problem", problem},
                                              {"reynolds", 400.0},
                                              {"tolerance", 1.25e-7},
                                              {"max_iterations", 77},
                                              {"conductivity", 1 / 3.0}});
    Case c{&row, {12, 7, row.in_2d ? 1 : 5}, row.space.defaults(), workload, ""};
    c.routines = row.kind == RowKind::solver;
    const Case back = case_from_message(Json::parse(one_line(to_message(c))), catalog());
    REQUIRE(back.row == c.row);
    REQUIRE(case_name(back) == case_name(c));
    REQUIRE(back.config == c.config);
    REQUIRE(back.workload == c.workload);
    REQUIRE(back.routines == c.routines);
  }
}

TEST_CASE("a row that the worker lacks is an error that names it", "[plan]") {
  REQUIRE_THROWS_WITH(case_from_message(to_message(faulty_case("sound")), catalog()),
                      ContainsSubstring("no \"kernel\" \"sound/serial/fp64/plain\""));
}
