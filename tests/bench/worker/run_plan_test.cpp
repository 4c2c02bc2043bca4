#include "bench/worker/run_plan.hpp"

#include "bench/case/case_record.hpp"
#include "bench/record/environment.hpp"
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
  Record record = record_without_time(c, status, "because", environment);
  if (status == "ok") record.result.samples = {{1e-6, 2e-6}};
  record.derive();
  return to_json(record);
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
  REQUIRE(case_name(cases[plan.groups[0][1]]) == "sound/serial/fp64/plain@4x4:threads=2");
}

TEST_CASE("a group does not grow beyond what a crash may cost", "[plan]") {
  std::vector<Case> cases;
  for (int n = 1; n <= 60; ++n) {
    cases.push_back(faulty_case("sound"));
    cases.back().config.set("threads", n);
  }
  const RunPlan plan = make_plan(cases, {});
  REQUIRE(plan.to_measure() == 60);
  for (const CaseGroup& group : plan.groups) REQUIRE(group.size() <= largest_group);
}
