// `cfdmark tune --command`: a shell script as the program, with times that depend on its parameters.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "bench/text/json.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// The script `app` with this text, its folder, and a tune of it.
struct App {
  TemporaryFolder folder;
  explicit App(const std::string& text) {
    std::ofstream(folder / "app") << "#!/bin/sh\n" << text;
    std::filesystem::permissions(folder / "app", std::filesystem::perms::owner_all);
  }
  // `command` follows the path of the script.
  Ended tune(const std::string& command, const std::string& options) const {
    return cfdmark_with("tune --command '" + (folder / "app") + " " + command + "' " + options +
                        " --output " + (folder / "t.jsonl"));
  }
  std::vector<Json> lines(const std::string& type) const {
    std::vector<Json> lines;
    std::ifstream file(folder / "t.jsonl");
    for (std::string text; std::getline(file, text);)
      if (Json line = Json::parse(text); line.at("type") == type) lines.push_back(std::move(line));
    return lines;
  }
};

// Least at x = 32, y = 2: 10 ms; elsewhere at least 11 ms.
const char* const valley = R"(
dx=$(($1 - 32)); dy=$(($2 - 2))
echo "residual 1e-9"
echo "time: $((10 + dx * dx / 64 + dy * dy)) ms"
)";

}  // namespace

TEST_CASE("the config with the least stated time is the answer, with the command that runs it",
          "[external]") {
  const App app(valley);
  const Ended tune = app.tune("{x} {y}",
                              "--parameter x=16,32,64 --parameter y=1,2,4 "
                              "--time-from 'time: ([0-9.]+)' --time-unit ms --samples 8");
  INFO(tune.out << tune.err);
  REQUIRE(tune.status == 0);
  CHECK_THAT(tune.out, Mentions({"9 configs", "answer: x=32,y=2\n", "10.0 ms", "app 32 2\n"}));
  // x=16,y=1: 10 + 256/64 + 1 = 15 ms
  CHECK_THAT(tune.out, Mentions({"1.500 times as fast as the first config, x=16,y=1"}));
  REQUIRE(app.lines("command").size() == 1);
  std::map<std::string, std::size_t> runs;
  for (const Json& line : app.lines("run")) {
    CHECK(line.at("status") == "ok");
    const int x = line["config"]["x"], y = line["config"]["y"];
    CHECK(line.at("seconds").get<double>() ==
          Approx((10 + (x - 32) * (x - 32) / 64 + (y - 2) * (y - 2)) / 1e3));
    ++runs[line["config"].dump()];
  }
  CHECK(runs.size() == 9);
  CHECK(runs.at(R"({"x":32,"y":2})") == 8);
  CHECK(runs.at(R"({"x":64,"y":4})") < 8);  // dropped from the race
}

TEST_CASE("configs of equal times are ties, and the first config wins them", "[external]") {
  const App app("echo time: 0.5\n");
  const Ended tune =
      app.tune("{order}", "--parameter order=rows,columns,blocks --time-from 'time: ([0-9.]+)' --samples 6");
  INFO(tune.out << tune.err);
  REQUIRE(tune.status == 0);
  CHECK_THAT(tune.out, Mentions({"answer: order=rows\n", "is not beaten", "a tie within the noise"}));
}

TEST_CASE("without --time-from the wall time of the process counts", "[external]") {
  const App app("sleep $1\n");
  const Ended tune = app.tune("0.{n}", "--parameter n=20,05 --samples 8");
  INFO(tune.out << tune.err);
  REQUIRE(tune.status == 0);
  CHECK_THAT(tune.out, ContainsSubstring("answer: n=05\n"));
  for (const Json& line : app.lines("run"))
    CHECK(line.at("seconds").get<double>() >= (line["config"]["n"] == "05" ? 0.05 : 0.2));
}

TEST_CASE("a config that hangs, crashes, fails or states no time costs only itself", "[external]") {
  const App app(R"(case $1 in
hang) sleep 60 ;;
crash) kill -SEGV $$ ;;
fail) echo no such block >&2; exit 4 ;;
mute) echo done ;;
*) echo time: 0.25 ;;
esac
)");
  const Ended tune = app.tune(
      "{mode}",
      "--parameter mode=hang,crash,fail,mute,works --time-from 'time: ([0-9.]+)' --samples 3 --timeout 1s");
  INFO(tune.out << tune.err);
  REQUIRE(tune.status == 0);
  CHECK_THAT(tune.out,
             Mentions({"answer: mode=works\n", "mode=hang  timeout: did not end within 1 s",
                       "mode=crash  launch_failure: was killed by SIGSEGV",
                       "mode=fail  launch_failure: ended with status 4; its output ends: no such block",
                       "mode=mute  wrong_result: no time above 0"}));
  std::map<std::string, int> runs;
  for (const Json& line : app.lines("run")) ++runs[line["config"]["mode"]];
  CHECK(runs ==
        std::map<std::string, int>{{"hang", 1}, {"crash", 1}, {"fail", 1}, {"mute", 1}, {"works", 3}});
}

TEST_CASE("a fast config whose answer the check refuses has no time", "[external]") {
  const App app("echo answer $((40 + $1)); echo time: 0.$1\n");
  const Ended tune = app.tune("{n}",
                              "--parameter n=3,1,2 --time-from 'time: ([0-9.]+)' --samples 8 "
                              "--check-command 'test {n} != 9 && grep -q \"answer 4[23]\"'");
  INFO(tune.out << tune.err);
  REQUIRE(tune.status == 0);
  CHECK_THAT(tune.out, Mentions({"answer: n=2\n", "n=1  wrong_result: the check ended with status 1"}));
}

TEST_CASE("a tune of a program ends with its budget and says what it did not try", "[external]") {
  const App app("sleep 0.2\n");
  const Ended tune = app.tune("{n}", "--parameter n=1,2,3,4,5,6,7,8,9 --budget 1s");
  INFO(tune.out << tune.err);
  CHECK(tune.status == 0);
  CHECK_THAT(tune.out, Mentions({"were not tried: the budget ended"}));
}

TEST_CASE("if no config of a program works, the status is 1 and the reasons are listed", "[external]") {
  const App app("exit 2\n");
  const Ended tune = app.tune("{n}", "--parameter n=1,2 --samples 3");
  CHECK(tune.status == 1);
  CHECK_THAT(tune.out, Mentions({"no answer", "n=1  launch_failure: ended with status 2"}));
}

TEST_CASE("wrong options of a tune of a program are errors that name the fix", "[external]") {
  const App app("echo time: 1\n");
  const auto error = [&](const std::string& command, const std::string& options) {
    const Ended tune = app.tune(command, options);
    CHECK(tune.status == 2);
    return tune.err;
  };
  CHECK_THAT(error("{n}", ""), Mentions({"--parameter"}));
  CHECK_THAT(error("{m}", "--parameter n=1,2"), Mentions({"{n}"}));
  CHECK_THAT(error("{n} {m}", "--parameter n=1,2"), Mentions({"{m}", "expected n"}));
  CHECK_THAT(error("{n}", "--parameter n=1,2 --constraint n=1"),
             Mentions({"--constraint 'n=1'", "column 2"}));
  CHECK_THAT(error("{n}", "--parameter n=1,2 --time-from 'time: [0-9]+'"), Mentions({"one group"}));
  CHECK_THAT(error("{n}", "--parameter n=1,2 --time-from '('"), Mentions({"--time-from"}));
  CHECK_THAT(error("{n}", "--parameter n=1,2 --time-unit hours"), Mentions({"hours"}));
  CHECK_THAT(error("{n}", "--parameter n=1,2 --grid 64x64"), Mentions({"--grid", "--command"}));
  CHECK_THAT(error("{n}", "--parameter n=1,2 --strategy guess"), Mentions({"guess", "racing"}));
  CHECK(cfdmark_with("tune --parameter n=1,2").status == 2);
}
