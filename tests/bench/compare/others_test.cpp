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

// As written by Google Benchmark: one entry per repetition, in microseconds, and an aggregate that is not a
// sample.
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

// As written by nvbench with --json: the mean of a state, as text.
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

// Five files per side; the new ones are slower by a factor.
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

TEST_CASE("repetitions of Google Benchmark are samples with verdicts slower, same and faster",
          "[compare][others]") {
  const Others files;
  write(files.base,
        google({{"flux/64", quiet(1e-3)}, {"sum/threads:4", quiet(1e-3)}, {"a::b<int>/8", quiet(1e-3)}}));
  write(files.now,
        google({{"flux/64", quiet(1.1e-3)}, {"sum/threads:4", quiet(1e-3)}, {"a::b<int>/8", quiet(8e-4)}}));
  const Outcome o = files.compare();
  INFO(o.err);
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, Mentions({"+10.0 %", "-20.0 %", "(1 slower, 1 faster, 1 same)"}));
  const Json cases = Json::parse(files.compare("--format json").out)["cases"];
  REQUIRE(cases[0]["case"] == "flux/64");
  REQUIRE(cases[0]["time"]["base"].get<double>() == Approx(1e-3));
  REQUIRE(files.compare("--filter sum", "gate").status == 0);
}

TEST_CASE("colons in names of other programs are part of the name, not a config", "[compare][others]") {
  const Others files;
  write(files.base, google({{"sum/threads:4", quiet(1e-3)}}));
  write(files.now, google({{"sum/threads:8", quiet(1e-3)}}));
  const Outcome o = files.compare();
  REQUIRE(o.status == 4);
  REQUIRE_THAT(o.out, ContainsSubstring("1 vanished, 1 new"));
}

TEST_CASE("samples of two kinds under one name are all ignored", "[compare][others]") {
  const Others files;
  Samples mixed = quiet(217e-6);
  for (std::size_t n = 0; n < mixed.size(); n += 2) mixed[n] = 52e-9;
  write(files.base, google({{"a", mixed}}));
  write(files.now, google({{"a", mixed}}));
  const Outcome o = files.compare();
  INFO(o.out);
  REQUIRE(o.status == 3);
  const Json found = Json::parse(files.compare("--format json").out);
  REQUIRE_FALSE(found["cases"][0].contains("time"));
  REQUIRE_FALSE(found["warnings"].empty());
}

TEST_CASE("one sample per side decides nothing and fails a strict gate", "[compare][others]") {
  const Others files;
  write(files.base, nvbench(1e-4));
  write(files.now, nvbench(2e-4));
  const Outcome o = files.compare();
  REQUIRE(o.status == 3);
  REQUIRE_THAT(o.out, Mentions({"flux/Block=64", "(1 undecided)"}));
  REQUIRE(files.compare("--strict", "gate").status == 1);
}

TEST_CASE("files of two folders are paired by name, so that drift over all of them is no change",
          "[compare][others]") {
  const Folders same(1.0), slower(1.06);
  const Outcome o = compare_with(slower.base + " " + slower.now);
  INFO(o.out);
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, Mentions({"warning", "5 files"}));
  REQUIRE(compare_with(same.base + " " + same.now, "gate").status == 0);
  const Json found = Json::parse(compare_with(slower.base + " " + slower.now + " --format json").out);
  REQUIRE(found["cases"][0]["time"]["rounds"] == 5);
  REQUIRE(found["cases"][0]["time"]["ratio"].get<double>() == Approx(1.06).epsilon(0.003));
}

TEST_CASE("folders with different numbers of files are an error", "[compare][others]") {
  const Folders sides(1.0);
  std::filesystem::remove(sides.now + "/5.json");
  const Outcome o = compare_with(sides.base + " " + sides.now);
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, Mentions({sides.base, "5", sides.now, "4"}));
}

TEST_CASE("records of several runs are paired by file, but not the rounds of a comparison",
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
  REQUIRE_THAT(o.err, Mentions({folder / "new", "rounds"}));
}

TEST_CASE("a skipped or broken benchmark is vanished or wrong, with its reason", "[compare][others]") {
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

// One entry per repetition, both times in microseconds, as since version 1.5.
Json repetition(const std::string& name, int n, double real, double cpu) {
  return {{"name", name},           {"run_name", name},  {"run_type", "iteration"}, {"repetition_index", n},
          {"iterations", 1000 + n}, {"real_time", real}, {"cpu_time", cpu},         {"time_unit", "us"}};
}

Json google_entries(const std::vector<Json>& entries) {
  Json whole = google({});
  whole["benchmarks"] = entries;
  return whole;
}

// Eight repetitions of 10 us, and `odd`.
Json with_odd(double factor, const Json& odd) {
  std::vector<Json> entries;
  for (int n = 0; n < 8; ++n)
    entries.push_back(
        repetition("BM_axpy", n, factor * (10 + 0.01 * (n % 3)), factor * (10 + 0.01 * (n % 3))));
  entries.push_back(odd);
  return google_entries(entries);
}

TEST_CASE("a benchmark without a time is wrong, and the other benchmarks of its file are compared",
          "[compare][others]") {
  const Others files;
  const Json odd = repetition("BM_empty", 0, 0, 0);
  write(files.base, with_odd(1, odd));
  write(files.now, with_odd(1.15, odd));
  const Outcome o = files.compare();
  INFO(o.out + o.err);
  REQUIRE(o.status == 4);
  REQUIRE_THAT(o.out, Mentions({"+15.0 %", "`cpu_time`", "0.0"}));
  REQUIRE(files.compare("--filter axpy").status == 1);
}

TEST_CASE("CPU time counts unless --time real is given", "[compare][others]") {
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

TEST_CASE("two benchmarks of one name are distinguished, so that a change of the second is found",
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
  REQUIRE_THAT(o.out, Mentions({"BM_map #2", "+50.0 %"}) && !ContainsSubstring("clock"));
}

TEST_CASE("counters without a value and counters named like fields do no harm", "[compare][others]") {
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

TEST_CASE("if nothing ran on both sides the status is 2, strict or not", "[compare][others]") {
  const Others files;
  const Json skipped = {{"name", "a"}, {"skipped", true}, {"skip_message", "no GPU here"}};
  write(files.base, google_entries({skipped}));
  write(files.now, google_entries({skipped}));
  for (const char* options : {"", "--strict"}) {
    const Outcome o = files.compare(options, "gate");
    REQUIRE(o.status == 2);
    REQUIRE_THAT(o.out, Mentions({"no GPU here", "(1 not run)"}));
  }
  write(files.now, google({{"b", quiet(1e-3)}}));
  REQUIRE(files.compare("--filter b").status == 2);  // the filter matches no case of one side
  write(files.base, google_entries({skipped, {{"name", "b"}, {"skipped", true}}}));
  REQUIRE(files.compare().status == 2);  // all are new
}

TEST_CASE("broken files are errors with line and column, also in a folder", "[compare][others]") {
  const Others files;
  const Json whole = google({{"a", quiet(1e-3)}});
  write(files.base, whole);
  std::string text = whole.dump(2);
  const auto complains = [&](const std::string& content, const std::string& words) {
    std::ofstream(files.now) << content;
    const Outcome o = files.compare();
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Mentions({words}));
  };
  const auto lines = std::count(text.begin(), text.end(), '\n');
  complains("***WARNING*** CPU scaling\n" + text, "new.json:1:1: ");
  complains(text.substr(0, text.size() / 2), "new.json:");
  complains(text + "\n" + text, fmt::format("new.json:{}:1: ", lines + 2));
  complains("\xff\xfe{", "UTF-16");
  std::ofstream(files.now) << "\xef\xbb\xbf" << text;
  REQUIRE(files.compare().status == 0);

  const Folders sides(1.0);
  std::string cut = nvbench(1e-4).dump(2);
  std::ofstream(sides.now + "/3.json") << cut.substr(0, cut.size() / 2);
  const Outcome o = compare_with(sides.base + " " + sides.now);
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, Mentions({"new/3.json:", "not JSON"}));
}

TEST_CASE(
    "a file without a record in a folder is an error that names it, and a case that some files lack a "
    "warning",
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
  REQUIRE_THAT(compare_with(both).out, Mentions({"warning", "5 files", "b is in 4"}));
  std::ofstream(folder / "new/4.json") << "";
  const Outcome o = compare_with(both);
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, Mentions({"new/4.json"}));
}

TEST_CASE("results of Google Benchmark pass through --gbench unchanged", "[compare][others]") {
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

TEST_CASE("another version, device or machine is an error that names it", "[compare][others]") {
  const Others files;
  const auto complains = [&](const Json& base, const Json& now, const std::vector<std::string>& words) {
    write(files.base, base);
    write(files.now, now);
    const Outcome o = files.compare();
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Mentions(words));
  };
  complains(nvbench(1), nvbench(1, "H200", 2), {"new.json", "`meta.version.json.major`", "2", "1"});
  complains(nvbench(1), nvbench(1, "H100"), {"gpu.name", "H200", "H100"});
  complains(google({{"a", {1}}}), google({{"a", {1}}}, 8), {"host.cores", "4", "8"});
  Json newer = google({{"a", {1}}});
  newer["context"]["json_schema_version"] = 2;
  complains(newer, nvbench(1), {"base.json", "`context.json_schema_version`", "2", "1"});
  complains(google({{"a", {1}}}), {{"benchmarks", Json::array()}}, {"new.json", "`context`", "`meta`"});
}
