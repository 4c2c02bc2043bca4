// cfdmark compare and gate with files of Google Benchmark and nvbench.
#include <fmt/format.h>

#include <map>

#include "tests/bench/compare/support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::compare;

namespace {

void write(const std::string& path, const Json& whole) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << whole.dump(2) << '\n';
}

// As Google Benchmark writes it: an entry a repetition, in microseconds, and an aggregate that is no sample.
Json google(const std::map<std::string, Samples>& benchmarks, int cores = 4) {
  Json whole = {{"context",
                 {{"date", "2026-03-01T12:00:00+01:00"},
                  {"host_name", "h"},
                  {"num_cpus", cores},
                  {"library_version", "1.8.3"},
                  {"json_schema_version", 1}}},
                {"benchmarks", Json::array()}};
  for (const auto& [name, samples] : benchmarks) {
    for (const double seconds : samples)
      whole["benchmarks"].push_back({{"name", name},
                                     {"run_name", name},
                                     {"run_type", "iteration"},
                                     {"real_time", 1e6 * seconds},
                                     {"time_unit", "us"}});
    whole["benchmarks"].push_back({{"name", name + "_mean"},
                                   {"run_name", name},
                                   {"run_type", "aggregate"},
                                   {"real_time", 77},
                                   {"time_unit", "us"}});
  }
  return whole;
}

// As nvbench writes it with --json: the mean of a state, as text.
Json nvbench(double mean, const std::string& gpu = "H200", int major = 1) {
  const Json summary = {
      {"tag", "nv/cold/time/gpu/mean"},
      {"data", {{{"name", "value"}, {"type", "float64"}, {"value", fmt::format("{:.9e}", mean)}}}}};
  const Json state = {{"device", 0},
                      {"axis_values", {{{"name", "Block"}, {"type", "int64"}, {"value", "64"}}}},
                      {"summaries", {summary}},
                      {"is_skipped", false}};
  return {{"meta", {{"version", {{"json", {{"major", major}}}}}}},
          {"devices", {{{"id", 0}, {"name", gpu}, {"sm_version", 900}}}},
          {"benchmarks", {{{"name", "flux"}, {"states", {state}}}}}};
}

struct Others {
  TemporaryFolder folder;
  std::string base = folder / "base.json", now = folder / "new.json";

  Outcome compare(const std::string& options = "", const std::string& command = "compare") const {
    return compare_with(base + " " + now + " " + options, command);
  }
};

// Five files a side; the new ones are slower by a factor.
struct Folders {
  TemporaryFolder folder;
  std::string base = folder / "base", now = folder / "new";
  explicit Folders(double factor) {
    for (int n = 1; n <= 5; ++n) {
      const double drift = 1 + 0.02 * n, noise = 1 + 0.001 * ((7 * n) % 5 - 2);
      write(fmt::format("{}/{}.json", base, n), nvbench(1e-4 * drift));
      write(fmt::format("{}/{}.json", now, n), nvbench(1e-4 * drift * factor * noise));
    }
  }
};

}  // namespace

TEST_CASE("repetitions of Google Benchmark are samples: slower, same and faster are told",
          "[compare][others]") {
  const Others files;
  write(files.base,
        google({{"flux/64", quiet(1e-3)}, {"sum/threads:4", quiet(1e-3)}, {"a::b<int>/8", quiet(1e-3)}}));
  write(files.now,
        google({{"flux/64", quiet(1.1e-3)}, {"sum/threads:4", quiet(1e-3)}, {"a::b<int>/8", quiet(8e-4)}}));
  const Outcome o = files.compare();
  INFO(o.err);
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, ContainsSubstring("+10.0 %") && ContainsSubstring("-20.0 %") &&
                          ContainsSubstring("regression (1 slower, 1 faster, 1 same)"));
  const Json cases = Json::parse(files.compare("--format json").out)["cases"];
  REQUIRE(cases[0]["case"] == "flux/64");
  REQUIRE(cases[0]["time"]["base"].get<double>() == Approx(1e-3));
  REQUIRE(files.compare("--filter sum", "gate").status == 0);
}

TEST_CASE("names of others that hold colons are names, not configs", "[compare][others]") {
  const Others files;
  write(files.base, google({{"sum/threads:4", quiet(1e-3)}}));
  write(files.now, google({{"sum/threads:8", quiet(1e-3)}}));
  const Outcome o = files.compare();
  REQUIRE(o.status == 4);
  REQUIRE_THAT(o.out, ContainsSubstring("1 vanished, 1 new"));
}

TEST_CASE("samples of two kinds under one name are not believed, and no half of them is left out",
          "[compare][others]") {
  const Others files;
  Samples mixed = quiet(217e-6);
  for (std::size_t n = 0; n < mixed.size(); n += 2) mixed[n] = 52e-9;
  write(files.base, google({{"a", mixed}}));
  write(files.now, google({{"a", mixed}}));
  const Outcome o = files.compare();
  INFO(o.out);
  REQUIRE(o.status == 3);
  REQUIRE_THAT(o.out,
               ContainsSubstring("too many for a clock that jumped: no sample of the process is used"));
}

TEST_CASE("one sample a side decides nothing, and does not pass a strict gate", "[compare][others]") {
  const Others files;
  write(files.base, nvbench(1e-4));
  write(files.now, nvbench(2e-4));
  const Outcome o = files.compare();
  REQUIRE(o.status == 3);
  REQUIRE_THAT(o.out, ContainsSubstring("flux/Block=64") &&
                          ContainsSubstring("one sample does not say how much samples differ"));
  REQUIRE(files.compare("--strict", "gate").status == 1);
}

TEST_CASE("files of two folders are paired by name, so that what drifts over all of them is no change",
          "[compare][others]") {
  const Folders same(1.0), slower(1.06);
  const Outcome o = compare_with(slower.base + " " + slower.now);
  INFO(o.out);
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, ContainsSubstring("the 5 files of each side are paired in the order of their names"));
  REQUIRE(compare_with(same.base + " " + same.now, "gate").status == 0);
  const Json found = Json::parse(compare_with(slower.base + " " + slower.now + " --format json").out);
  REQUIRE(found["cases"][0]["time"]["rounds"] == 5);
  REQUIRE(found["cases"][0]["time"]["ratio"].get<double>() == Approx(1.06).epsilon(0.003));
}

TEST_CASE("folders with different numbers of files are refused", "[compare][others]") {
  const Folders sides(1.0);
  std::filesystem::remove(sides.now + "/5.json");
  const Outcome o = compare_with(sides.base + " " + sides.now);
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, ContainsSubstring("base has 5 files of results and") && ContainsSubstring("new has 4"));
}

TEST_CASE("records of several runs are paired by file too, but not the rounds of a comparison",
          "[compare][others]") {
  const TemporaryFolder folder;
  for (const std::string side : {"base", "new"})
    for (int n = 1; n <= 6; ++n) {
      std::filesystem::create_directories(folder / side);
      write_lines(
          fmt::format("{}/{}.jsonl", folder / side, n),
          {environment_of(), record("a@8x8", quiet((side == "new" ? 1.2e-3 : 1e-3) * (1 + 0.01 * n)))});
    }
  const std::string both = (folder / "base") + " " + (folder / "new");
  REQUIRE(compare_with(both).status == 1);
  Json round = record("a@8x8", quiet(1e-3));
  round["round"] = 3;
  write_lines(folder / "new/6.jsonl", {environment_of(), round});
  const Outcome o = compare_with(both);
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, ContainsSubstring("holds the rounds of a comparison"));
}

TEST_CASE("a skipped or broken benchmark has vanished or is wrong, with its reason", "[compare][others]") {
  const Others files;
  write(files.base, google({{"a", quiet(1e-3)}, {"b", quiet(1e-3)}}));
  Json now = google({});
  now["benchmarks"] = {{{"name", "a"}, {"error_occurred", true}, {"error_message", "no memory"}},
                       {{"name", "b"}, {"skipped", true}, {"skip_message", "too small"}}};
  write(files.now, now);
  const Outcome o = files.compare();
  REQUIRE(o.status == 4);
  REQUIRE_THAT(o.out, ContainsSubstring("error: no memory") && ContainsSubstring("too small") &&
                          ContainsSubstring("1 wrong, 1 vanished"));
}

// One entry a repetition, both times in microseconds, as since version 1.5.
Json repetition(const std::string& name, int n, double real, double cpu) {
  return {{"name", name},           {"run_name", name},  {"run_type", "iteration"}, {"repetition_index", n},
          {"iterations", 1000 + n}, {"real_time", real}, {"cpu_time", cpu},         {"time_unit", "us"}};
}

Json google_entries(const std::vector<Json>& entries) {
  Json whole = google({});
  whole["benchmarks"] = entries;
  return whole;
}

// Eight repetitions of 10 us, and of `odd` what it says.
Json with_odd(double factor, const Json& odd) {
  std::vector<Json> entries;
  for (int n = 0; n < 8; ++n)
    entries.push_back(
        repetition("BM_axpy", n, factor * (10 + 0.01 * (n % 3)), factor * (10 + 0.01 * (n % 3))));
  entries.push_back(odd);
  return google_entries(entries);
}

TEST_CASE("a benchmark without a time is wrong by name, and the others of its file are compared",
          "[compare][others]") {
  const Others files;
  const Json odd = repetition("BM_empty", 0, 0, 0);
  write(files.base, with_odd(1, odd));
  write(files.now, with_odd(1.15, odd));
  const Outcome o = files.compare();
  INFO(o.out + o.err);
  REQUIRE(o.status == 4);
  REQUIRE_THAT(o.out,
               ContainsSubstring("+15.0 %") && ContainsSubstring("`cpu_time` is 0.0, which is not a time"));
  REQUIRE(files.compare("--filter axpy").status == 1);
}

TEST_CASE("CPU time counts unless --time real asks for the other", "[compare][others]") {
  const Others files;
  const auto side = [](double real, double cpu) {
    std::vector<Json> entries;
    for (int n = 0; n < 8; ++n)
      entries.push_back(repetition("BM", n, real + 0.01 * (n % 3), cpu + 0.01 * (n % 3)));
    return google_entries(entries);
  };
  write(files.base, side(20, 10));
  write(files.now, side(20, 12));
  REQUIRE(files.compare().status == 1);
  REQUIRE(files.compare("--time cpu", "gate").status == 1);
  REQUIRE(files.compare("--time real", "gate").status == 0);
  REQUIRE(files.compare("--time wall").status != 0);
}

TEST_CASE("two benchmarks of one name are told apart, so that a change of the second is seen",
          "[compare][others]") {
  const Others files;
  const auto side = [](double second) {
    std::vector<Json> entries;
    for (const double time : {217.0, second})
      for (int n = 0; n < 6; ++n)
        entries.push_back(repetition("BM_map", n, time * (1 + 0.001 * n), time * (1 + 0.001 * n)));
    return google_entries(entries);
  };
  write(files.base, side(0.052));
  write(files.now, side(0.078));
  const Outcome o = files.compare("--strict", "gate");
  INFO(o.out + o.err);
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, ContainsSubstring("BM_map #2") && ContainsSubstring("+50.0 %") &&
                          ContainsSubstring("2 benchmarks are called BM_map") &&
                          !ContainsSubstring("clock jumped"));
}

TEST_CASE("counters without a value and counters called as fields cost nothing", "[compare][others]") {
  const Others files;
  for (const auto& [path, factor] : {std::pair(files.base, 1.0), {files.now, 1.15}}) {
    Json entry = repetition("BM_odd", 0, 10, 10);
    entry["skipped"] = 3.0;
    entry["rate"] = "HERE";
    std::string text = with_odd(factor, entry).dump();
    text.replace(text.find("\"HERE\""), 6, "NaN, \"limit\": -inf, \"cpu_time\": 42.0");
    std::ofstream(path) << text;
  }
  const Outcome o = files.compare("--format json");
  INFO(o.err);
  REQUIRE(o.status == 1);
  const Json cases = Json::parse(o.out)["cases"];
  REQUIRE(cases.size() == 2);
  REQUIRE(cases[1]["case"] == "BM_odd");
  REQUIRE(cases[1]["time"]["base"].get<double>() == Approx(1e-5));
}

TEST_CASE("where nothing ran on both sides the status is 2, strict or not", "[compare][others]") {
  const Others files;
  const Json skipped = {{"name", "a"}, {"skipped", true}, {"skip_message", "no GPU here"}};
  write(files.base, google_entries({skipped}));
  write(files.now, google_entries({skipped}));
  for (const char* options : {"", "--strict"}) {
    const Outcome o = files.compare(options, "gate");
    REQUIRE(o.status == 2);
    REQUIRE_THAT(o.out,
                 ContainsSubstring("no GPU here") && ContainsSubstring("nothing was compared (1 not run)"));
  }
  write(files.now, google({{"b", quiet(1e-3)}}));
  REQUIRE(files.compare("--filter b").status == 2);  // of a filter that no case of one side passes
  write(files.base, google_entries({skipped, {{"name", "b"}, {"skipped", true}}}));
  REQUIRE(files.compare().status == 2);  // all are new
}

TEST_CASE("broken files are refused with line and column, in a folder too", "[compare][others]") {
  const Others files;
  const Json whole = google({{"a", quiet(1e-3)}});
  write(files.base, whole);
  std::string text = whole.dump(2);
  const auto complains = [&](const std::string& content, const std::string& words) {
    std::ofstream(files.now) << content;
    const Outcome o = files.compare();
    INFO(o.err);
    CHECK(o.status == 2);
    CHECK(o.err.find(words) != std::string::npos);
  };
  complains("***WARNING*** CPU scaling\n" + text, "new.json:1:1: not JSON");
  complains(text.substr(0, text.size() / 2), "perhaps it was cut off");
  complains(text + "\n" + text, "more text begins here");
  complains("\xff\xfe{", "new.json:1:1: not JSON: it is UTF-16");
  std::ofstream(files.now) << "\xef\xbb\xbf" << text;
  REQUIRE(files.compare().status == 0);

  const Folders sides(1.0);
  std::string cut = nvbench(1e-4).dump(2);
  std::ofstream(sides.now + "/3.json") << cut.substr(0, cut.size() / 2);
  const Outcome o = compare_with(sides.base + " " + sides.now);
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, ContainsSubstring("new/3.json:") && ContainsSubstring("not JSON"));
}

TEST_CASE("a file without a record in a folder is refused by name, a case that some files lack is named",
          "[compare][others]") {
  const TemporaryFolder folder;
  for (const std::string side : {"base", "new"})
    for (int n = 1; n <= 5; ++n) {
      std::map<std::string, Samples> benchmarks = {{"a", {1e-3 * (1 + 0.01 * n)}},
                                                   {"b", {1e-3 * (1 + 0.01 * n)}}};
      if (side == "new" && n == 4) benchmarks.erase("b");
      write(fmt::format("{}/{}.json", folder / side, n), google(benchmarks));
    }
  const std::string both = (folder / "base") + " " + (folder / "new");
  REQUIRE_THAT(compare_with(both).out, ContainsSubstring("1 cases are not in all of its 5 files: b is in 4"));
  std::ofstream(folder / "new/4.json") << "";
  const Outcome o = compare_with(both);
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, ContainsSubstring("new/4.json has no record, it is empty"));
}

TEST_CASE("what Google Benchmark wrote goes through --gbench unchanged", "[compare][others]") {
  const Others files;
  Json entry = repetition("BM", 0, 20, 10);
  entry["bytes_per_second"] = 2.5e9;
  entry["label"] = "NaN of it";
  write(files.base, google_entries({entry, repetition("BM", 1, 20, 11)}));
  write(files.now, google_entries({entry, repetition("BM", 1, 20, 11)}));
  files.compare("--gbench " + (files.folder / "both"));
  const Json before = Json::parse(std::ifstream(files.base));
  const Json after = Json::parse(std::ifstream(files.folder / "both.base.json"));
  REQUIRE(after == before);
}

TEST_CASE("another version, another device and another machine are refused by name", "[compare][others]") {
  const Others files;
  const auto complains = [&](const Json& base, const Json& now, const std::string& words) {
    write(files.base, base);
    write(files.now, now);
    const Outcome o = files.compare();
    INFO(o.err);
    CHECK(o.status == 2);
    CHECK(o.err.find(words) != std::string::npos);
  };
  complains(nvbench(1), nvbench(1, "H200", 2),
            "new.json: `meta.version.json.major` is 2: this program reads version 1");
  complains(nvbench(1), nvbench(1, "H100"), "gpu.name: H200 in the base, H100 in the new");
  complains(google({{"a", {1}}}), google({{"a", {1}}}, 8), "host.cores: 4 in the base, 8 in the new");
  Json newer = google({{"a", {1}}});
  newer["context"]["json_schema_version"] = 2;
  complains(newer, nvbench(1), "base.json: `context.json_schema_version` is 2: this program reads version 1");
  complains(google({{"a", {1}}}), {{"benchmarks", Json::array()}},
            "neither `context`, as Google Benchmark writes it");
}
