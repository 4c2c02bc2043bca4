// cfdmark compare with two files: verdicts, exit statuses, formats, and invalid files.
#include "test_paths.hpp"
#include "tests/bench/compare/support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::compare;

namespace {

// Two files in a folder of their own.
struct Pair {
  TemporaryFolder folder;
  std::vector<Json> base{environment_of()}, now{environment_of()};

  Outcome compare(const std::string& options = "", const std::string& command = "compare") const {
    return compare_with(write_lines(folder / "base.jsonl", base) + " " +
                            write_lines(folder / "new.jsonl", now) + " " + options,
                        command);
  }
  void both(const std::string& name, double before, double after) {
    base.push_back(record(name, quiet(before)));
    now.push_back(record(name, quiet(after)));
  }
  Json json(const std::string& options = "") const {
    return Json::parse(compare("--format json " + options).out);
  }
  std::string verdict(const std::string& name, const std::string& options = "") const {
    const Json found = json(options);
    for (const Json& one : found["cases"])
      if (one["case"].get<std::string>() == name) return one["verdict"];
    return "absent";
  }
};

// A is slower, b the same, c faster.
struct Regressed : Pair {
  Regressed() {
    both("a@8x8", 1e-3, 1.1e-3);
    both("b@8x8", 1e-3, 1e-3);
    both("c@8x8", 1e-3, 0.8e-3);
  }
};

}  // namespace

TEST_CASE("faster, same and slower are reported worst first, and a slower case gives status 1", "[compare]") {
  const Regressed pair;
  const Outcome o = pair.compare();
  REQUIRE(o.status == 1);
  REQUIRE(o.out.find("slower") < o.out.find("faster"));
  REQUIRE_THAT(o.out, Mentions({"+10.0 %", "-20.0 %", "(1 slower, 1 faster, 1 same)"}));
  const Json cases = pair.json()["cases"];
  REQUIRE(cases[0]["case"] == "a@8x8");
  REQUIRE(cases[0]["verdict"] == "slower");
  REQUIRE(cases[0]["time"]["ratio"].get<double>() == Approx(1.1));
  REQUIRE(cases[0]["time"]["low"].get<double>() > 1.09);
  REQUIRE(cases[0]["time"]["high"].get<double>() < 1.11);
  REQUIRE(cases[1]["verdict"] == "faster");
  REQUIRE(cases[2]["verdict"] == "same");
}

TEST_CASE("without a regression the status is 0", "[compare]") {
  Pair pair;
  pair.both("a@8x8", 1e-3, 1e-3);
  pair.both("b@8x8", 1e-3, 0.9e-3);
  REQUIRE(pair.compare().status == 0);
}

TEST_CASE("too few or widely spread samples are undecided and give status 3", "[compare]") {
  Pair pair;
  pair.base.push_back(record("a@8x8", {1e-3, 1.3e-3, 0.8e-3}));
  pair.now.push_back(record("a@8x8", {1.1e-3, 1.4e-3, 0.9e-3}));
  pair.base.push_back(record("b@8x8", {1e-3}));
  pair.now.push_back(record("b@8x8", {2e-3}));
  const Outcome o = pair.compare();
  REQUIRE(o.status == 3);
  for (const Json& one : pair.json()["cases"]) {
    CHECK(one["verdict"] == "undecided");
    CHECK(one["time"].contains("low") == (one["case"] == "a@8x8"));  // one sample has no interval
    CHECK(one.contains("reason") == (one["case"] == "b@8x8"));
  }
}

TEST_CASE("an undecided case fails a strict comparison in every format", "[compare]") {
  Pair pair;
  pair.both("a@8x8", 1e-3, 1e-3);
  pair.base.push_back(record("b@8x8", {1e-3}));
  pair.now.push_back(record("b@8x8", {1e-3}));
  REQUIRE(pair.compare().status == 3);
  const Outcome o = pair.compare("--strict");
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, Mentions({"--strict", "(1 undecided, 1 same)"}));
  const Json found = pair.json("--strict");
  CHECK(found["exit_status"] == 1);
  for (const Json& one : found["cases"]) CHECK(one["fails"] == (one["verdict"] == "undecided"));
  CHECK_THAT(pair.compare("--strict --format junit").out, ContainsSubstring("<failure type=\"undecided\""));
  CHECK_THAT(pair.compare("--format junit").out, ContainsSubstring("failures=\"0\" skipped=\"1\""));
  CHECK_THAT(pair.compare("--strict --format github").out,
             ContainsSubstring("::error title=cfdmark%3A undecided"));
}

TEST_CASE("a strict comparison without undecided cases passes", "[compare]") {
  Pair pair;
  pair.both("a@8x8", 1e-3, 1e-3);
  REQUIRE(pair.compare("--strict").status == 0);
}

TEST_CASE("in a gate less than 3 % does not matter", "[compare][gate]") {
  Pair pair;
  pair.both("a@8x8", 1e-3, 1.02e-3);
  REQUIRE(pair.compare().status == 1);
  REQUIRE(pair.compare("", "gate").status == 0);
  REQUIRE(pair.compare("--effect 1", "gate").status == 1);
  pair.both("b@8x8", 1e-3, 1.1e-3);
  REQUIRE(pair.compare("", "gate").status == 1);
}

TEST_CASE("a wrong result gives status 4, also next to a regression", "[compare]") {
  Regressed pair;
  pair.base.push_back(record("w@8x8", quiet(1e-3)));
  pair.now.push_back(record_without_time("w@8x8", "failed", "cell (1, 1, 0) is nan"));
  const Outcome o = pair.compare();
  REQUIRE(o.status == 4);
  REQUIRE_THAT(o.out, ContainsSubstring("failed: cell (1, 1, 0) is nan"));
  REQUIRE(pair.verdict("w@8x8") == "wrong");
}

TEST_CASE("vanished, new, repaired and nowhere running cases have different verdicts", "[compare]") {
  Pair pair;
  pair.both("stays@8x8", 1e-3, 1e-3);
  pair.now.push_back(record("comes@8x8", quiet(1)));
  pair.base.push_back(record_without_time("repaired@8x8", "crashed", "killed"));
  pair.now.push_back(record("repaired@8x8", quiet(1)));
  pair.base.push_back(record_without_time("nowhere@8x8", "not_run", "no device"));
  pair.now.push_back(record_without_time("nowhere@8x8", "not_run", "no device"));
  REQUIRE(pair.compare().status == 0);
  REQUIRE(pair.verdict("comes@8x8") == "new");
  REQUIRE(pair.verdict("repaired@8x8") == "repaired");
  REQUIRE(pair.verdict("nowhere@8x8") == "not run");
  pair.base.push_back(record("goes@8x8", quiet(1)));
  pair.base.push_back(record("stops@8x8", quiet(1)));
  pair.now.push_back(record_without_time("stops@8x8", "not_run", "no device"));
  REQUIRE(pair.compare().status == 4);
  REQUIRE(pair.verdict("goes@8x8") == "vanished");
  REQUIRE(pair.verdict("stops@8x8") == "vanished");
}

TEST_CASE("quantities that do not drift have their own thresholds", "[compare]") {
  Pair pair;
  pair.both("a@8x8", 1e-3, 1e-3);
  const auto with = [&](int registers, int spills, double occupancy, int iterations, int instructions) {
    Json r = record("a@8x8", quiet(1e-3));
    r["resources"]["kernels"] = {
        {{"registers", registers}, {"local_bytes", spills}, {"occupancy", occupancy}},
        {{"registers", 8}, {"local_bytes", 0}, {"occupancy", 1.0}}};
    r["solver"]["iterations"] = iterations;
    r["instructions"]["per_step"] = instructions;
    return r;
  };
  const auto status = [&](const Json& before, const Json& after, const std::string& options = "") {
    pair.base.back() = before;
    pair.now.back() = after;
    return pair.compare(options).status;
  };
  const Json usual = with(100, 0, 0.5, 1000, 1000000);
  CHECK(status(usual, usual) == 0);
  CHECK(status(usual, with(110, 0, 0.5, 1000, 1000000)) == 0);
  CHECK(status(usual, with(111, 0, 0.5, 1000, 1000000)) == 1);
  CHECK(status(usual, with(111, 0, 0.5, 1000, 1000000), "--threshold registers=20%") == 0);
  CHECK(status(usual, with(100, 8, 0.5, 1000, 1000000)) == 1);
  CHECK(status(usual, with(100, 0, 0.4, 1000, 1000000)) == 1);
  CHECK(status(usual, with(100, 0, 0.9, 1000, 1000000)) == 0);
  CHECK(status(usual, with(100, 0, 0.5, 1021, 1000000)) == 1);
  CHECK(status(usual, with(100, 0, 0.5, 900, 1000000)) == 0);
  CHECK(status(usual, with(100, 0, 0.5, 1000, 1010001)) == 1);
  CHECK(status(usual, with(100, 0, 0.5, 1000, 1009999)) == 0);
  status(usual, with(111, 0, 0.5, 900, 1000000));
  REQUIRE_THAT(pair.compare().out, Mentions({"registers 100 -> 111", "iterations 1000 -> 900"}));
  const Json found = pair.json()["cases"][0];
  REQUIRE(found["verdict"] == "same");
  REQUIRE(found["regressed"] == true);
  std::map<std::string, std::string> directions;
  for (const Json& quantity : found["quantities"]) directions[quantity["name"]] = quantity["direction"];
  REQUIRE(directions == std::map<std::string, std::string>{{"registers", "worse"}, {"iterations", "better"}});
}

TEST_CASE("records of different devices are an error that names the difference, and a warning with --force",
          "[compare]") {
  Regressed pair;
  pair.now[0] = environment_of("H100");
  const Outcome refused = pair.compare();
  REQUIRE(refused.status == 2);
  REQUIRE(refused.out.empty());
  REQUIRE_THAT(refused.err, Mentions({"gpu.name", "H200", "H100", "--force"}));
  for (const std::string format : {"table", "markdown", "junit", "github", "json"}) {
    const Outcome forced = pair.compare("--force --format " + format);
    INFO(format);
    CHECK(forced.status == 1);
    CHECK_THAT(forced.out, Mentions({"gpu.name", "H200", "H100"}));
  }
}

TEST_CASE(
    "records with different numbers of threads are not comparable, even if only the environment sets them",
    "[compare]") {
  Pair pair;
  pair.both("a@8x8", 1, 1);
  pair.both("b@8x8", 1, 1);
  for (Json* record : {&pair.base[1], &pair.base[2], &pair.now[1], &pair.now[2]})
    record->update({{"backend", "kokkos"}, {"resources", {{"threads", 2}}}});
  CHECK(pair.compare().status == 0);
  pair.base[1]["resources"]["threads"] = 1, pair.base[2]["resources"]["threads"] = 1;
  const Outcome o = pair.compare();
  CHECK(o.status == 2);
  CHECK_THAT(o.err, Mentions({"threads", "kokkos", "1", "2"}));
  CHECK(o.err.find("kokkos") == o.err.rfind("kokkos"));  // once, not for each case
  CHECK_THAT(pair.compare("--force").out, Mentions({"threads", "kokkos"}));
}

TEST_CASE("records with and without a quota of processor time are not comparable", "[compare]") {
  Regressed pair;
  pair.now[0]["host"]["cpu_quota"] = 0.5;
  const Outcome o = pair.compare();
  CHECK(o.status == 2);
  CHECK_THAT(o.err, Mentions({"host.cpu_quota", "none", "0.5"}));
}

TEST_CASE("processors that share a name differ by their models, if both records have these", "[compare]") {
  Regressed pair;
  pair.base[0]["host"]["processor"] = {{"vendor", "GenuineIntel"}, {"family", "6"}, {"model", "143"}};
  CHECK(pair.compare().status == 1);  // records without models
  pair.now[0]["host"]["processor"] = {{"vendor", "GenuineIntel"}, {"family", "6"}, {"model", "207"}};
  const Outcome o = pair.compare();
  CHECK(o.status == 2);
  CHECK_THAT(o.err, Mentions({"host.processor.model", "143", "207"}));
}

TEST_CASE("an environment without records makes no difference", "[compare]") {
  Regressed pair;
  pair.now.insert(pair.now.begin(), environment_of("an old card", "other"));
  REQUIRE(pair.compare().status == 1);
}

TEST_CASE("a changed driver is a warning", "[compare]") {
  Regressed pair;
  pair.base[0]["gpu"]["driver"] = "570";
  pair.now[0]["gpu"]["driver"] = "580";
  const Outcome o = pair.compare();
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, Mentions({"warning", "gpu.driver", "570", "580"}));
}

TEST_CASE("records of an unknown schema are not comparable", "[compare]") {
  Regressed pair;
  pair.now.back()["schema"] = 7;
  const Outcome o = pair.compare();
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, Mentions({"schema", "new.jsonl"}));
  const Outcome forced = pair.compare("--force");
  REQUIRE(forced.status == 4);  // the case counts as missing
  REQUIRE_THAT(forced.out, Mentions({"new.jsonl:4: ", "schema 7"}));
}

TEST_CASE("a case with another config is not comparable, rather than vanished", "[compare]") {
  Pair pair;
  pair.both("a@8x8", 1, 1);
  pair.base.push_back(record("j/cuda/fp64/plain@8x8:block_x=64;problem=jump", quiet(1)));
  pair.now.push_back(record("j/cuda/fp64/plain@8x8:block_x=32;problem=jump", quiet(1)));
  const Outcome o = pair.compare();
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, Mentions({"block_x=64", "block_x=32"}));
  REQUIRE(pair.compare("--force").status == 0);
}

TEST_CASE("empty files, files without records and missing files are named", "[compare]") {
  Pair pair;
  pair.both("a@8x8", 1, 1);
  pair.compare();  // writes the files
  const std::string good = pair.folder / "base.jsonl";
  const auto complains = [&](const std::string& file, const std::string& word) {
    const Outcome o = compare_with(good + " " + file);
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Mentions({file, word}));
  };
  complains(write_lines(pair.folder / "empty", {}), "cfdmark run");
  complains(write_lines(pair.folder / "alone", {environment_of()}), "cfdmark run");
  complains(write_lines(pair.folder / "list", {Json::array({1, 2})}), "1 ");  // unreadable lines
  complains(pair.folder / "absent", "No such file");
  std::filesystem::create_directory(pair.folder / "none");
  complains(pair.folder / "none", "*.jsonl");
}

TEST_CASE("a truncated file is compared as far as possible, with a warning that names the line",
          "[compare]") {
  Regressed pair;
  pair.compare();
  std::ofstream(pair.folder / "new.jsonl", std::ios::app) << R"({"type":"record","case":"d@8)";
  const Outcome o = compare_with((pair.folder / "base.jsonl") + " " + (pair.folder / "new.jsonl"));
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, Mentions({"new.jsonl:5: ", "not JSON"}));
}

TEST_CASE("the later result of a case that is recorded twice counts, with a warning", "[compare]") {
  Regressed pair;
  pair.now.push_back(record("a@8x8", quiet(1e-3)));
  const Outcome o = pair.compare();
  REQUIRE(o.status == 0);
  REQUIRE_THAT(o.out, Mentions({"warning", "1 ", "(a@8x8)"}));
}

TEST_CASE("implausible samples are ignored with a warning, and records with invalid samples are skipped",
          "[compare]") {
  Pair pair;
  pair.both("a@8x8", 1e-3, 1e-3);
  pair.both("b@8x8", 1e-3, 1e-3);
  std::vector<double> samples = quiet(1e-3);
  samples[6] = 3600;
  pair.now[1]["time"] = time_of(samples);
  const Outcome o = pair.compare();
  REQUIRE(o.status == 0);
  REQUIRE_THAT(o.out, Mentions({"1 of 30 samples"}));
  for (const Json& none : {Json(-1e-3), Json(0), Json()}) {
    pair.now[1]["time"]["samples"][3] = none;
    REQUIRE_THAT(pair.compare().out, Mentions({"new.jsonl:2: ", "`time.samples[3]`", "1e-30", "1e30"}));
  }
}

TEST_CASE("records with fields of the wrong type are skipped with a warning", "[compare]") {
  Regressed pair;
  pair.now.push_back({{"type", "record"}, {"schema", 2}, {"case", 5}, {"status", "ok"}});
  pair.now.push_back(
      {{"type", "record"}, {"schema", 2}, {"case", "x@8x8"}, {"status", "ok"}, {"time", "soon"}});
  pair.base.push_back(record("x@8x8", quiet(1)));
  const Outcome o = pair.compare();
  REQUIRE(o.status == 4);  // x counts as missing
  REQUIRE_THAT(o.out, Mentions({"new.jsonl:5: ", "`case`", "new.jsonl:6: ", "`time`"}));
}

TEST_CASE("kept rounds are compared process by process, in pairs", "[compare]") {
  Pair pair;
  NoisyMachine machine(3);
  for (int n = 1; n <= 16; ++n)
    for (auto* side : {&pair.base, &pair.now}) {
      Json r = record("a@8x8", machine.process(side == &pair.now ? 1.15e-3 : 1e-3, n));
      r["round"] = n;
      side->push_back(r);
    }
  const Json json = pair.json();
  REQUIRE(json["exit_status"] == 1);
  REQUIRE(json["cases"][0]["time"]["rounds"] == 16);
  REQUIRE(json["warnings"].empty());
}

TEST_CASE("rounds with samples by turns are compared turn by turn", "[compare]") {
  Pair pair;
  for (int n = 1; n <= 8; ++n)
    for (auto* side : {&pair.base, &pair.now}) {
      // Two samples a turn; from the second turn on the machine has half its speed. The lower quartiles of
      // the processes (2 and 1.1) would give a ratio of 0.55.
      Json r = record("a@8x8", side == &pair.base
                                   ? std::vector<double>{1e-3, 5e-3, 2e-3, 9e-3, 2e-3, 2e-3}
                                   : std::vector<double>{1.1e-3, 1.1e-3, 2.2e-3, 4e-3, 7e-3, 2.2e-3});
      r["round"] = n;
      r["time"]["samples_in_turn"] = 2;
      side->push_back(r);
    }
  const Json time = pair.json()["cases"][0]["time"];
  REQUIRE(time["ratio"].get<double>() == Approx(1.1));
  REQUIRE(time["rounds"] == 8);
}

TEST_CASE("a filter selects the cases that it names", "[compare]") {
  const Regressed pair;
  REQUIRE(pair.compare("--filter '^[bc]@'").status == 0);
  REQUIRE(pair.compare("--filter nothing").status == 2);
  REQUIRE(pair.compare("--filter '('").status == 2);
}

TEST_CASE("misspelt words are errors with status 2 and a suggestion", "[compare]") {
  const Regressed pair;
  const auto complains = [&](const std::string& options, const std::string& words) {
    const Outcome o = pair.compare(options);
    INFO(options << ": " << o.err);
    CHECK(o.status == 2);
    CHECK(o.out.empty());
    CHECK_THAT(o.err, Mentions({words}));
  };
  complains("--format jnuit", "'junit'");
  complains("--threshold registres=5%", "'registers'");
  complains("--threshold registers=many", "registers=many");
  complains("--efect 5", "'--effect'");
  complains("--effect 0", "--effect");
  complains("third.jsonl", "BASE and NEW");
  complains("--base somewhere", "--new BUILD_DIR");
  complains("--output /no/such/folder/x.md", "/no/such/folder/x.md");
  complains("--output /dev/full", "/dev/full");
}

TEST_CASE("Markdown, JUnit and GitHub annotations contain what the table contains", "[compare]") {
  Regressed pair;
  pair.base.push_back(record("w@8x8", quiet(1)));
  pair.now.push_back(record_without_time("w@8x8", "failed", "a|b"));
  const std::vector<std::pair<std::string, std::vector<std::string>>> expected = {
      {"markdown",
       {"(1 wrong, 1 slower, 1 faster, 1 same)", "| **slower** | +10.0 % |", "`w@8x8`<br>failed: a\\|b",
        "<summary>1 cases without a change</summary>"}},
      {"junit",
       {"tests=\"4\" failures=\"2\" skipped=\"0\"", "<failure type=\"slower\" message=\"slower +10.0 %"}},
      {"github",
       {"::error title=cfdmark%3A wrong::w@8x8%0Afailed: a|b\n", "::notice title=cfdmark%3A faster::c@8x8"}}};
  for (const auto& [format, texts] : expected) {
    const Outcome o = pair.compare("--format " + format);
    INFO(format << o.err);
    CHECK(o.status == 4);
    for (const std::string& text : texts) CHECK_THAT(o.out, ContainsSubstring(text));
  }
}

TEST_CASE("a format that needs Python is an error before anything is measured if Python is missing",
          "[compare]") {
  const Regressed pair;
  const auto without_python = [&](const std::string& arguments) {
    const TemporaryFolder folder;
    const std::string err = folder / "err";
    const int status = std::system(
        ("CFDMARK_PYTHON=/no/python " CFDMARK_PROGRAM " compare " + arguments + " 2> " + err).c_str());
    return std::pair(WEXITSTATUS(status), text_of(err));
  };
  for (const std::string output : {"--format junit", "--output out.md", "--output a.json --output b.xml"}) {
    const auto [status, err] = without_python("--base nowhere --new nowhere sweep.yaml " + output);
    CHECK(status == 2);
    CHECK_THAT(err, Mentions({"CFDMARK_PYTHON=/no/python"}));
  }
  pair.compare();  // writes the files
  const std::string files = (pair.folder / "base.jsonl") + " " + (pair.folder / "new.jsonl");
  REQUIRE(without_python(files + " --output " + (pair.folder / "o.json") + " > /dev/null").first == 1);
}

TEST_CASE("reports show what differs from the defaults, and filters match that too", "[compare]") {
  Pair pair;
  pair.both("a@8x8:block_x=64,block_y=4", 1e-3, 1.1e-3);
  pair.base.back()["label"] = pair.now.back()["label"] = "a@8x8:block_x=64";
  const Outcome o = pair.compare("--filter '^a@8x8:block_x=64$'");
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, ContainsSubstring(" a@8x8:block_x=64\n") && !ContainsSubstring("block_y"));
  REQUIRE(pair.compare("--filter 'block_y=4$'").status == 1);
  const Json found = pair.json()["cases"][0];
  REQUIRE(found["case"] == "a@8x8:block_x=64,block_y=4");
  REQUIRE(found["label"] == "a@8x8:block_x=64");
}

TEST_CASE("several output files get their formats from their extensions", "[compare]") {
  const Regressed pair;
  const std::string name = pair.folder / "r";
  const Outcome o =
      pair.compare("--output " + name + ".md --output " + name + ".xml --output " + name + ".json");
  REQUIRE(o.status == 1);
  REQUIRE_THAT(o.out, ContainsSubstring("VERDICT"));
  REQUIRE(text_of(name + ".md").starts_with("### cfdmark"));
  REQUIRE(text_of(name + ".xml").starts_with("<?xml"));
  REQUIRE(Json::parse(text_of(name + ".json"))["exit_status"] == 1);
}

TEST_CASE("both sides can be written for Google Benchmark's compare tool", "[compare]") {
  const Regressed pair;
  REQUIRE(pair.compare("--gbench " + (pair.folder / "g")).status == 1);
  for (const auto& [side, seconds] : {std::pair("base", 1e-3), {"new", 1.1e-3}}) {
    const Json json = Json::parse(text_of((pair.folder / "g.") + side + ".json"));
    REQUIRE(json["benchmarks"].size() == 90);
    REQUIRE(json["benchmarks"][0]["name"] == "a@8x8");
    REQUIRE(json["benchmarks"][0]["real_time"].get<double>() == Approx(seconds * 0.995 * 1e9));
  }
}
