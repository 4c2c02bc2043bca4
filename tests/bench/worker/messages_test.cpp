// Cases and results survive the way between a supervisor and its worker.
#include "bench/worker/messages.hpp"

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"
#include "tests/domains.hpp"

using namespace cfdmark;

namespace {

// Returns the request as its reader gets it.
Json request_for(const std::vector<Case>& cases, const WorkerRows& rows) {
  Json request = {{"request", "run"}};
  set_cases(request, cases, rows);
  return Json::parse(one_line(request));
}

Case sent(const Case& c) {
  return cases_from_request(request_for({c}, own_rows()), catalog(), own_rows()).at(0);
}

}  // namespace

TEST_CASE("every row of the catalog survives the way to its worker, even a solver with the name of a kernel",
          "[messages]") {
  for (const Row& row : catalog()) {
    std::string problem = row.problems.empty() ? "" : row.problems.front().name;
    for (const char* with_settings : {"cavity", "flux_split", "jump"})
      if (find_problem(row, with_settings)) problem = with_settings;
    const Config workload = workload_of(row, {{"operator", "arrays"},
                                              {"problem", problem},
                                              {"reynolds", 400.0},
                                              {"tolerance", 1.25e-7},
                                              {"max_iterations", 77},
                                              {"conductivity", 1 / 3.0}});
    Case c{&row, domain_for(row, {12, 7}, {12, 7, 5}), row.space.defaults(), workload, ""};
    c.routines = row.kind == RowKind::solver;
    const Case back = sent(c);
    REQUIRE(back.row == c.row);
    REQUIRE(back.domain == c.domain);
    REQUIRE(case_name(back) == case_name(c));
    REQUIRE(back.config == c.config);
    REQUIRE(back.workload == c.workload);
    REQUIRE(back.routines == c.routines);
  }
}

TEST_CASE("a row that the worker lacks is an error that names it", "[messages]") {
  REQUIRE_THROWS_WITH(request_for({faulty_case("sound")}, own_rows()),
                      ContainsSubstring("no kernel sound/serial/fp64/plain"));
}

TEST_CASE("a request for another catalog, or of the first protocol, is refused", "[messages]") {
  const Json request = request_for({faulty_case("sound")}, faulty_worker_rows());
  CHECK(cases_from_request(request, faulty_rows(), faulty_worker_rows()).size() == 1);
  CHECK_THROWS_WITH(cases_from_request(request, catalog(), own_rows()), Mentions({"another catalog"}));
  const Json first = {{"request", "run"},
                      {"cases", {{{"kind", "kernel"}, {"row", "copy/serial/fp64/plain"}}}}};
  CHECK_THROWS_WITH(cases_from_request(first, catalog(), own_rows()), Mentions({"older protocol"}));
}

TEST_CASE("a result arrives as it was sent", "[messages]") {
  CaseResult r;
  r.samples = {{1e-3, 1.0 / 3}};
  r.steps_per_sample = 7;
  r.stopped_by = "interval";
  r.sample_iterations = {4, 4};
  r.cost = Cost{1e9, 2e9, 3};
  r.cache = CacheUse{1e6, 2e6};
  r.overhead = Overhead{0.1, 0.2, 0.3, std::nullopt};
  r.pci_bus_id = "0000:18:00.0";
  r.verification = {{"passed", true}};
  r.solver = {{"iterations", 4}};
  r.fresh = false;
  const Json message = Json::parse(one_line(to_message(3, r)));
  CHECK(message["index"] == 3);
  const CaseResult back = case_result_from_message(message);
  CHECK(back.samples == r.samples);
  CHECK(back.overhead->warm_up == 0.3);
  CHECK_FALSE(back.overhead->reset);
  CHECK_FALSE(back.fresh);
  CHECK(one_line(to_message(3, back)) == one_line(message));

  CaseResult failed;
  failed.status = "error";
  failed.reason = "line 3: expected a semicolon";
  failed.failure = "compile_error";
  CHECK(one_line(to_message(0, case_result_from_message(to_message(0, failed)))) ==
        one_line(to_message(0, failed)));
}

TEST_CASE("a worker's catalog is known by its names and their order", "[messages]") {
  std::vector<Row> rows = faulty_rows();
  CHECK(WorkerRows(rows).id() == faulty_worker_rows().id());
  std::swap(rows.front(), rows.back());
  const WorkerRows swapped(rows);
  CHECK(swapped.id() != faulty_worker_rows().id());
  CHECK(swapped.index_of(rows.front()) == 0);
  CHECK(swapped.find(faulty_rows().front()) == rows.size() - 1);
}
