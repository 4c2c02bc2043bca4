// cfdmark compare with two builds: simulated ones with known times, and the real program.
#include "test_paths.hpp"
#include "tests/bench/compare/support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::compare;

namespace {

constexpr double second = 1e-4;

// Two build folders with simulated programs, and a sweep over all of their rows.
struct TwoBuilds {
  TemporaryFolder folder;
  Json base, now;
  std::string block = "kernels: all";  // first lines of the sweep's block

  explicit TwoBuilds(const std::vector<std::string>& kernels, unsigned seed = 1) {
    base = {{"rows", kernels}, {"seed", seed}, {"clock", folder / "clock"}, {"cases", Json::object()}};
    for (const std::string& kernel : kernels) base["cases"][kernel] = {{"seconds", second}};
    now = base;
  }

  Outcome compare(const std::string& options = "--rounds 24") {
    write_build("base", base);
    write_build("new", now);
    std::ofstream(folder / "sweep.yaml")
        << "question: Is it slower?\nblocks:\n  - " << block << "\n    grids: 8x8\n";
    return compare_with("--base " + (folder / "base") + " --new " + (folder / "new") + " " +
                        (folder / "sweep.yaml") + " --effect 3 " + options);
  }

  void write_build(const std::string& name, const Json& what) {
    const std::filesystem::path build = folder / name, program = build / "cfdmark";
    std::filesystem::create_directories(build);
    std::ofstream(build / "what.json") << what.dump();
    std::ofstream(program) << "#!/bin/sh\nPRETENDED=" << (build / "what.json").string() << " exec "
                           << CFDMARK_PRETENDED_BUILD << " \"$@\"\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  Json json(const std::string& options = "--rounds 24") {
    const Outcome o = compare(options + " --format json");
    INFO(o.err);
    return Json::parse(o.out);
  }
};

Json case_of(const Json& comparison, const std::string& kernel) {
  for (const Json& one : comparison["cases"])
    if (one["case"].get<std::string>() == kernel + "/serial/fp64/plain@8x8") return one;
  return {{"verdict", "absent"}};
}

std::string verdict_of(const Json& comparison, const std::string& kernel) {
  return case_of(comparison, kernel)["verdict"];
}

}  // namespace

TEST_CASE(
    "a build compared with itself is the same in every case, with status 0 and a control without changes",
    "[compare]") {
  TwoBuilds builds({"a", "b", "c", "d"});
  const Json found = builds.json("--rounds 60");
  REQUIRE(found["exit_status"] == 0);
  REQUIRE(found["cases"].size() == 4);
  for (const Json& one : found["cases"]) REQUIRE(one["verdict"] == "same");
  REQUIRE(found["control"]["moved"].empty());
}

TEST_CASE("a slowdown is found with status 1, and other kernels stay the same", "[compare]") {
  TwoBuilds builds({"a", "b", "c", "d"});
  builds.now["cases"]["b"]["seconds"] = 1.1 * second;
  const Json found = builds.json("--rounds 60");
  REQUIRE(found["exit_status"] == 1);
  REQUIRE(verdict_of(found, "b") == "slower");
  for (const char* other : {"a", "c", "d"}) REQUIRE(verdict_of(found, other) == "same");
}

TEST_CASE("a kernel that became faster is reported and is no regression", "[compare]") {
  TwoBuilds builds({"a", "b"});
  builds.now["cases"]["b"]["seconds"] = 0.8 * second;
  const Json found = builds.json("--rounds 60");
  REQUIRE(found["exit_status"] == 0);
  REQUIRE(verdict_of(found, "b") == "faster");
}

TEST_CASE("a wrong result and a crash give status 4 with their reasons and affect no other case",
          "[compare]") {
  TwoBuilds builds({"a", "b", "c"});
  builds.now["cases"]["a"] = {{"status", "failed"}, {"reason", "cell (0, 0, 0) is nan"}};
  builds.now["cases"]["b"]["crash"] = true;
  const Json found = builds.json("--rounds 60");
  REQUIRE(found["exit_status"] == 4);
  REQUIRE(verdict_of(found, "a") == "wrong");
  REQUIRE(case_of(found, "a")["reason"] == "failed: cell (0, 0, 0) is nan");
  REQUIRE(verdict_of(found, "b") == "wrong");
  REQUIRE_THAT(case_of(found, "b")["reason"].get<std::string>(), ContainsSubstring("SIGSEGV"));
  REQUIRE(verdict_of(found, "c") == "same");
}

TEST_CASE("kernels that a build lacks or can no longer run are vanished or new", "[compare]") {
  TwoBuilds builds({"a", "gone", "stopped"});
  builds.now["rows"] = {"a", "come", "stopped"};
  builds.now["cases"]["come"] = {{"seconds", second}};
  builds.now["unavailable"] = {{"stopped", "built without it"}};
  const Json found = builds.json();
  REQUIRE(found["exit_status"] == 4);
  REQUIRE(verdict_of(found, "gone") == "vanished");
  REQUIRE(verdict_of(found, "stopped") == "vanished");
  REQUIRE(case_of(found, "stopped")["reason"] == "built without it");
  REQUIRE(verdict_of(found, "come") == "new");
}

TEST_CASE("a base without operators has the cases of the default operator, and the others are new",
          "[compare]") {
  TwoBuilds builds({"a"});
  builds.now["asked"] = {{{"name", "operator"},
                          {"help", "of a"},
                          {"default", "constant"},
                          {"values", {"constant", "arrays"}},
                          {"words", {"constant", "arrays"}}}};
  builds.block = "kernels: all\n    operator: [constant, arrays]";
  const Json found = builds.json();
  REQUIRE(found["cases"].size() == 2);
  for (const Json& one : found["cases"])
    CHECK(one["verdict"] == (one["case"] == "a/serial/fp64/plain@8x8;operator=constant" ? "same" : "new"));
}

TEST_CASE("on a noisy machine cases stay undecided and the status is 3", "[compare]") {
  TwoBuilds builds({"a", "b"});
  builds.base["noise"] = builds.now["noise"] = 8;
  const Json found = builds.json("--rounds 12");
  REQUIRE(found["exit_status"] == 3);
  REQUIRE(found["control"]["visible_effect"] > 0.05);
}

TEST_CASE(
    "on a noisy machine a case may end as the same within a wider bound, if that is allowed and wide enough",
    "[compare]") {
  TwoBuilds builds({"a", "b"});
  builds.base["noise"] = builds.now["noise"] = 3;
  const std::string rounds = "--rounds 8 ";
  const Json narrow = builds.json(rounds);
  REQUIRE(narrow["exit_status"] == 3);
  const Json wide = builds.json(rounds + "--widest-same 30");
  REQUIRE(wide["exit_status"] == 0);
  for (const char* kernel : {"a", "b"}) {
    const Json one = case_of(wide, kernel);
    REQUIRE(one["verdict"] == "same");
    const double within = one["same_within"], high = one["time"]["high"], low = one["time"]["low"];
    REQUIRE(within > 0.03);
    REQUIRE(within == Approx(std::max(high, 1 / low) - 1));
  }
  REQUIRE_THAT(wide["conclusion"].get<std::string>(), Mentions({"2 same"}));
  REQUIRE(builds.json(rounds + "--widest-same 3.1")["exit_status"] == 3);
  REQUIRE(builds.json(rounds + "--widest-same 30 --strict")["exit_status"] == 1);
}

TEST_CASE("a likely change is never the same within a wider bound", "[compare]") {
  TwoBuilds builds({"a"});
  builds.base["noise"] = builds.now["noise"] = 2;
  builds.now["cases"]["a"]["seconds"] = 1.12 * second;
  const Json found = builds.json("--rounds 8 --widest-same 50 --false-discoveries 0.0001");
  REQUIRE(verdict_of(found, "a") == "undecided");
  REQUIRE(case_of(found, "a")["time"]["low"] > 1.0);
}

TEST_CASE("a case that cannot be decided says how many rounds would be needed", "[compare]") {
  TwoBuilds builds({"quiet", "loud"});
  builds.base["cases"]["loud"]["noise"] = builds.now["cases"]["loud"]["noise"] = 60;
  const Json found = builds.json("--rounds 24");
  REQUIRE(verdict_of(found, "quiet") == "same");
  REQUIRE(verdict_of(found, "loud") == "undecided");
  REQUIRE_THAT(case_of(found, "loud")["reason"].get<std::string>(), Mentions({"24 rounds"}));
}

TEST_CASE("more iterations of a solver are a regression without any statistics", "[compare]") {
  TwoBuilds builds({"a"});
  builds.base["cases"]["a"]["iterations"] = 100;
  builds.now["cases"]["a"]["iterations"] = 120;
  const Json found = builds.json("--rounds 8");
  REQUIRE(found["exit_status"] == 1);
  REQUIRE(case_of(found, "a")["quantities"][0] ==
          Json{{"name", "iterations"}, {"base", 100.0}, {"new", 120.0}, {"direction", "worse"}});
}

TEST_CASE("undecided cases are measured further, and decided ones are not", "[compare]") {
  TwoBuilds builds({"clear", "close"});
  builds.now["cases"]["clear"]["seconds"] = 2 * second;
  builds.now["cases"]["close"]["seconds"] = 1.0295 * second;
  const Json found = builds.json("--rounds 16");
  REQUIRE(verdict_of(found, "clear") == "slower");
  REQUIRE(case_of(found, "clear")["time"]["rounds"] == 4);
  REQUIRE(case_of(found, "close")["time"]["rounds"] == 16);
}

TEST_CASE("a budget without time decides nothing and reports what was not measured", "[compare]") {
  TwoBuilds builds({"a"});
  const Json found = builds.json("--budget 0s");
  REQUIRE(found["exit_status"] == 3);
  REQUIRE(verdict_of(found, "a") == "undecided");
  REQUIRE_FALSE(case_of(found, "a").contains("time"));
  REQUIRE(case_of(found, "a").contains("reason"));
}

TEST_CASE("the records of all rounds can be kept and give the same verdicts when compared as files",
          "[compare]") {
  TwoBuilds builds({"a", "b"});
  builds.now["cases"]["b"]["seconds"] = 1.3 * second;
  const std::string kept = builds.folder / "kept";
  REQUIRE(builds.compare("--rounds 24 --keep " + kept).status == 1);
  const Outcome again = compare_with(kept + "/base.jsonl " + kept + "/new.jsonl --format json");
  REQUIRE(again.status == 1);
  REQUIRE(verdict_of(Json::parse(again.out), "b") == "slower");
}

TEST_CASE("builds of different types are not comparable", "[compare]") {
  TwoBuilds builds({"a"});
  builds.base["environment"] = {{"program", {{"build_type", "Debug"}}}};
  builds.now["environment"] = {{"program", {{"build_type", "Release"}}}};
  const Outcome o = builds.compare();
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err, Mentions({"program.build_type", "Debug", "Release"}));
}

TEST_CASE("a folder without a program and a build without a worker are errors with status 2", "[compare]") {
  TwoBuilds builds({"a"});
  builds.base["mute"] = true;
  const Outcome old = builds.compare();
  REQUIRE(old.status == 2);
  REQUIRE_THAT(old.err, Mentions({builds.folder / "base", "worker"}));
  builds.base["mute"] = false;
  builds.write_build("base", builds.base);
  std::filesystem::remove(builds.folder / "new/cfdmark");
  const std::string sweep = builds.folder / "sweep.yaml";
  const Outcome none =
      compare_with("--base " + (builds.folder / "base") + " --new " + (builds.folder / "new") + " " + sweep);
  REQUIRE(none.status == 2);
  REQUIRE_THAT(none.err, Mentions({builds.folder / "new", "build/release"}));
  std::ofstream(builds.folder / "new/cfdmark") << "#!/bin/sh\nexit 1\n";
  std::filesystem::permissions(builds.folder / "new/cfdmark", std::filesystem::perms::owner_all);
  const Outcome other =
      compare_with("--base " + (builds.folder / "base") + " --new " + (builds.folder / "new") + " " + sweep);
  REQUIRE(other.status == 2);
  REQUIRE_THAT(other.err, Mentions({"cfdmark list --json", "status 1"}));
}

TEST_CASE("a build whose worker speaks another protocol is an error with both versions", "[compare]") {
  TwoBuilds builds({"a"});
  builds.base["protocol"] = 1;
  const Outcome o = builds.compare();
  REQUIRE(o.status == 2);
  REQUIRE_THAT(o.err,
               Mentions({builds.folder / "base", "protocol 1, this program protocol 2", "build both"}));
}

TEST_CASE("the real program is compared with altered builds of itself: one three times as slow, one wrong",
          "[compare]") {
  const TemporaryFolder folder;
  const auto write_build = [&](const std::string& name, const std::string& altered) {
    std::filesystem::create_directories(folder / name);
    std::ofstream(folder / (name + "/cfdmark"))
        << "#!/bin/sh\nALTERED=" << altered << " exec " << CFDMARK_ALTERED_BUILD << " \"$@\"\n";
    std::filesystem::permissions(folder / (name + "/cfdmark"), std::filesystem::perms::owner_all);
  };
  write_build("sound", "triad=1.0");
  write_build("slow", "triad=3.0");
  write_build("wrong", "triad=wrong");
  std::ofstream(folder / "sweep.yaml")
      << "question: Is it?\nblocks:\n  - kernels: [copy, triad]\n    backends: serial\n"
         "    methods: default\n    precisions: fp64\n    grids: 65x65\n";
  const auto compared_with = [&](const std::string& name, const std::string& filter) {
    return compare_with("--base " + (folder / "sound") + " --new " + (folder / name) + " " +
                        (folder / "sweep.yaml") + " --rounds 6 --case-seconds 0.01 --format json --filter " +
                        filter);
  };
  const Json slow = Json::parse(compared_with("slow", "serial").out);
  for (const Json& one : slow["cases"])
    if (one["case"] == "triad/serial/fp64/plain@65x65") {
      INFO(one.dump(1));
      REQUIRE(one["time"]["ratio"] > 2);
      REQUIRE(one["time"]["rounds"] >= 4);
    }
  const Outcome wrong = compared_with("wrong", "triad");
  REQUIRE(wrong.status == 4);
  REQUIRE_THAT(wrong.out, ContainsSubstring("made wrong for a test"));
}

TEST_CASE("a gate compares this program on the default sweep, unless others are named", "[compare][gate]") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "base");
  std::ofstream(folder / "base/cfdmark")
      << "#!/bin/sh\nALTERED=triad=1.0 exec " << CFDMARK_ALTERED_BUILD << " \"$@\"\n";
  std::filesystem::permissions(folder / "base/cfdmark", std::filesystem::perms::owner_all);
  const std::string base = "--base " + (folder / "base");
  const Outcome o = compare_with(base + " --filter '^triad/serial' --rounds 2 --format json", "gate");
  INFO(o.err);
  REQUIRE(o.status == 3);
  const Json found = Json::parse(o.out);
  REQUIRE(found["new"] == std::filesystem::path(CFDMARK_PROGRAM).parent_path().string());
  REQUIRE(found["smallest_effect"] == 0.03);
  REQUIRE(!found["cases"].empty());
  for (const Json& one : found["cases"])
    REQUIRE_THAT(one["reason"].get<std::string>(), Mentions({"2 rounds"}));
  REQUIRE(compare_with(base + " --new nowhere", "gate").status == 2);
  REQUIRE_THAT(compare_with(base + " no-such-sweep.yaml", "gate").err,
               ContainsSubstring("no-such-sweep.yaml"));
  REQUIRE_THAT(compare_with("one.jsonl", "gate").err, Mentions({"BASE", "NEW", "--base BUILD_DIR"}));
}
