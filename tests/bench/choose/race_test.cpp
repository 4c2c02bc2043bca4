// A race finds the fastest case within its budget, and every case gets an entry.
#include "bench/choose/race.hpp"

#include <map>

#include "bench/record/records.hpp"
#include "bench/text/seconds_now.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/tune/quiet_tune.hpp"

using namespace cfdmark;

namespace {

RaceResult race_of(const TemporaryFolder& folder, const std::vector<Case>& cases, double budget) {
  tuning::TuneOptions options = tuning::quick_options(folder);
  options.budget = budget;
  tuning::Quiet quiet;
  return race(cases, options, quiet.progress());
}

std::map<std::string, Json> records_of(const TemporaryFolder& folder) {
  const RecordFile file = read_records(folder / "tune.jsonl");
  CHECK(file.warnings.empty());
  std::map<std::string, Json> last;
  for (const Json& line : file.lines)
    if (line["type"] == "record") last[line["case"]] = line;
  return last;
}

const Contender& named(const RaceResult& result, const std::string& name) {
  for (const Contender& c : result.contenders)
    if (c.c.row->name == name) return c;
  throw std::logic_error("no contender " + name);
}

}  // namespace

TEST_CASE("the fastest verified case wins, and cases that fail or hang cost only themselves", "[choose]") {
  const TemporaryFolder folder;
  std::vector<Case> cases;
  for (const char* name : {"solves", "hangs", "crashes_preparing", "sound", "wrong", "refuses"})
    cases.push_back(faulty_case(name));
  cases.push_back(faulty_case("sound"));
  cases.back().config.set("threads", 2);
  cases.back().not_run = "this machine has one processor";
  const RaceResult result = race_of(folder, cases, 20);
  REQUIRE(result.contenders.size() == cases.size());
  CHECK(result.contenders[0].c.row->name == "sound");
  CHECK(result.contenders[0].is_verified());
  CHECK(result.contenders[1].c.row->name == "solves");
  CHECK(result.contenders[1].is_verified());
  CHECK_FALSE(result.contenders[1].is_tie);
  CHECK_FALSE(result.contenders[2].is_verified());
  CHECK(result.contenders[0].record->result.samples.size() == 2);  // processes
  CHECK_FALSE(result.budget_ended);

  const Contender& hanging = named(result, "hangs");
  CHECK(hanging.slower_than > 4 * 0.05);  // a step of `solves` takes 50 ms
  CHECK_THAT(hanging.why_no_record(), Mentions({"slower than"}));
  const auto records = records_of(folder);
  CHECK(records.size() == cases.size());
  const auto status = [&](std::size_t n) { return records.at(case_name(cases[n])).at("status"); };
  CHECK(status(1) == "timeout");
  CHECK(status(2) == "crashed");
  CHECK(status(4) == "failed");
  CHECK(status(5) == "not_run");
  CHECK(status(6) == "not_run");
  CHECK_FALSE(records.at(case_name(cases[3])).contains("tuning"));
}

TEST_CASE("preparations that do not end leave time for the other cases of a short budget", "[choose]") {
  const TemporaryFolder folder;
  std::vector<Case> cases;
  for (int n = 8; n < 13; ++n) cases.push_back(faulty_case("hangs_preparing", n));
  cases.push_back(faulty_case("sound"));
  const RaceResult result = race_of(folder, cases, 10);
  CHECK(result.contenders.front().c.row->name == "sound");
  CHECK(result.contenders.front().is_verified());
  CHECK(result.seconds < 12);
  for (std::size_t n = 1; n < cases.size(); ++n) CHECK_FALSE(result.contenders[n].why_no_record().empty());
}

TEST_CASE("a race ends soon after its budget, and no case is without an entry", "[choose]") {
  const TemporaryFolder folder;
  std::vector<Case> cases;
  for (int n = 8; n < 28; ++n) cases.push_back(faulty_case("hangs", n));
  const double start = seconds_now();
  const RaceResult result = race_of(folder, cases, 2);
  CHECK(seconds_now() - start < 10);
  CHECK(result.budget_ended);
  CHECK_FALSE(result.contenders.front().is_verified());
  for (const Contender& c : result.contenders) CHECK_FALSE(c.why_no_record().empty());
  CHECK(records_of(folder).size() == cases.size());
}
