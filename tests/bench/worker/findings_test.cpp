#include "bench/worker/findings.hpp"

#include "tests/bench/mentions.hpp"
#include "tests/bench/sound_record.hpp"
#include "tests/catch.hpp"

namespace cfdmark {
namespace {

std::string findings_of(const std::vector<Json>& lines) {
  std::vector<Record> records;
  for (const Json& line : lines) records.push_back(record_from_json(line));
  return findings_text(records);
}

Json copy_by(const std::string& backend, double low, double median, double high) {
  Json record = sound_record("copy/" + backend, {median});
  record["backend"] = backend;
  record["time"].update({{"ci_low", low}, {"ci_high", high}});
  return record;
}

TEST_CASE("a run ends with the fastest method and its ties", "[findings]") {
  const Json slow = copy_by("serial", 2.9, 3, 3.1), near = copy_by("kokkos", 0.95, 1.05, 1.1);
  const std::string text = findings_of({slow, near, copy_by("openmp", 0.9, 1, 1.1)});
  CHECK_THAT(text, Mentions({"1.00 s"}));
  CHECK_THAT(text, ContainsSubstring("openmp/plain, a tie with kokkos/plain\n"));
  CHECK_THAT(findings_of({slow, copy_by("openmp", 0.9, 1, 1.1)}), ContainsSubstring("openmp/plain\n"));
}

TEST_CASE("a finding from fewer than six samples has no interval and gives their number", "[findings]") {
  const auto few = [](const std::string& backend, const std::vector<double>& samples) {
    Json record = sound_record("copy/" + backend, samples);
    record["backend"] = backend;
    return record;
  };
  const std::string text = findings_of({few("serial", {3, 4, 5}), few("openmp", {2, 2.5, 4})});
  CHECK_THAT(text, Mentions({"openmp/plain, a tie with serial/plain", "3 samples"}));
  CHECK_THAT(findings_of({few("serial", {1})}), Mentions({"serial/plain", "1 sample\n"}));
}

TEST_CASE("the fastest method is that of the largest grid, in fp64 if there is any", "[findings]") {
  Json small = copy_by("serial", 1, 1, 1), half = copy_by("openmp", 1, 1, 1),
       large = copy_by("kokkos", 9, 9, 9);
  half["precision"] = "fp32";
  half["grid"] = large["grid"] = {64, 64};
  CHECK_THAT(findings_of({small, half, large}),
             Mentions({"64x64  fp64    9.00 s", "kokkos"}) && !ContainsSubstring("openmp"));
}

TEST_CASE("a solver is rated by its time per iteration", "[findings]") {
  Json sor = copy_by("serial", 2, 2, 2);
  sor.update({{"kind", "solver"}, {"name", "sor"}, {"solver", {{"time_per_iteration", 0.004}}}});
  CHECK_THAT(findings_of({sor}), Mentions({"4.00 ms", "serial/plain"}));
}

TEST_CASE("the smallest share of the roof is that of fields in memory", "[findings]") {
  Json cached = copy_by("serial", 1, 1, 1), far = copy_by("openmp", 1, 1, 1),
       close = copy_by("kokkos", 1, 1, 1);
  const Json in_cache = {{"working_set_bytes", 1e6}, {"last_level_bytes", 32e6}},
             in_memory = {{"working_set_bytes", 1e9}, {"last_level_bytes", 32e6}};
  cached.update({{"cache", in_cache}, {"rate", {{"roof_fraction", 0.1}}}});
  far.update({{"cache", in_memory}, {"rate", {{"roof_fraction", 0.4}}}});
  close.update({{"cache", in_memory}, {"rate", {{"roof_fraction", 0.9}}}});
  CHECK_THAT(findings_of({cached, far, close}), ContainsSubstring("40 %  copy/openmp"));
  CHECK_THAT(findings_of({cached}), !ContainsSubstring("roof"));
}

TEST_CASE("failures are listed with their reasons, cases that cannot run are not", "[findings]") {
  Json crashed = sound_record("copy/cuda"), absent = sound_record("copy/kokkos");
  crashed.update({{"status", "crashed"}, {"reason", "signal 11"}});
  CHECK_THAT(findings_of({crashed, absent}), ContainsSubstring("crashed  copy/cuda: signal 11\n"));
  CHECK(findings_of({absent}).empty());
}

}  // namespace
}  // namespace cfdmark
