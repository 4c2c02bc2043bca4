// Saving a flow and continuing it.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Rows of a CSV file, without the first `skipped` ones and the names.
std::vector<std::string> rows_of(const std::string& file, std::size_t skipped) {
  std::istringstream text(text_of(file));
  std::vector<std::string> rows;
  for (std::string line; std::getline(text, line);) rows.push_back(line);
  rows.erase(rows.begin(), rows.begin() + std::ptrdiff_t(std::min(rows.size(), skipped + 1)));
  return rows;
}

// Solves 12 steps at once, and 5 steps that are saved and continued by 7.
void check_continues(const std::string& flow) {
  INFO(flow);
  const TemporaryFolder folder;
  const std::string solve = "solve --backend serial " + flow + " ";
  const std::string probe = "--probe 0.3,0.4 --history ";
  const Ended whole = cfdmark_with(solve + "--max-iterations 12 " + probe + (folder / "whole.csv") +
                                   " --save " + (folder / "whole.flow"));
  const Ended first =
      cfdmark_with(solve + "--max-iterations 5 --set check_interval=1 --save " + (folder / "part.flow"));
  const Ended rest =
      cfdmark_with(solve + "--max-iterations 7 " + probe + (folder / "rest.csv") + " --restart " +
                   (folder / "part.flow") + " --save " + (folder / "rest.flow"));
  INFO(first.err << rest.out << rest.err << whole.err);
  const auto expected = rows_of(folder / "whole.csv", 6), found = rows_of(folder / "rest.csv", 1);
  REQUIRE(expected.size() == 7);
  CHECK(found == expected);
  // The whole state, with the description.
  const std::string state = text_of(folder / "whole.flow");
  CHECK(state.size() > 1000);
  CHECK((text_of(folder / "rest.flow") == state));
  CHECK_THAT(rest.out, ContainsSubstring("continued "));
}

}  // namespace

TEST_CASE("a flow that was saved and continued is the uninterrupted one bit for bit", "[program][flow]") {
  check_continues("--problem taylor_green --solver piso --grid 16x16 --end-time 5");
  check_continues("--problem taylor_green --solver piso --grid 16x16 --precision fp32 --method paper");
  check_continues("--problem cavity --solver simple --grid 16x16");
  check_continues("--problem taylor_green --solver projection --grid 16x16 --end-time 5");
  check_continues("--problem cavity --solver projection --grid 16x16 --method fused --precision mixed");
  check_continues("--problem taylor_green --solver projection --grid 16x16 --time-steps stable --end-time 5");
  check_continues("--problem natural_convection --solver projection --grid 12x12 --time-steps stable");
  check_continues("--problem channel --solver piso --grid 64x16 --set outlet=velocity");
}

TEST_CASE("a saved flow can be continued beyond its end time, on more threads", "[program][flow]") {
  const TemporaryFolder folder;
  const std::string solve = "solve --problem taylor_green --solver piso --grid 16x16 --courant 0.32 ";
  const Ended whole =
      cfdmark_with(solve + "--backend serial --end-time 0.4 --save " + (folder / "whole.flow"));
  REQUIRE(cfdmark_with(solve + "--backend serial --end-time 0.2 --save " + (folder / "part.flow")).status ==
          0);
  const Ended rest =
      cfdmark_with(solve + "--backend openmp --end-time 0.4 --restart " + (folder / "part.flow"));
  INFO(rest.out << rest.err);
  REQUIRE(rest.status == 0);
  CHECK_THAT(rest.out, Mentions({"continued from time 0.2, after 10 time steps", "after 10 time steps",
                                 "flow time                         0.4 "}));
  const auto line = [](const std::string& out) {
    const auto at = out.find("error_u_l2");
    return out.substr(at, out.find('\n', at) - at);
  };
  CHECK(line(rest.out) == line(whole.out));
}

TEST_CASE("a flow is also saved while it is solved", "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "a.flow";
  REQUIRE(
      cfdmark_with("solve --problem cavity --grid 16x16 --backend serial --max-iterations 25 --save-every 20 "
                   "--save " +
                   file)
          .status == 1);
  const std::string at_the_end = text_of(file);
  CHECK_THAT(at_the_end.substr(0, 3000), ContainsSubstring("\"iterations\":25"));
  // A run that diverges keeps the last one.
  std::filesystem::remove(file);
  const Ended wild = cfdmark_with(
      "solve --problem cavity --grid 16x16 --backend serial --set velocity_relaxation=1 --set "
      "pressure_relaxation=1 --set check_interval=1 --save-every 2 --save " +
      file);
  CHECK(wild.status == 1);
  CHECK_THAT(text_of(file).substr(0, 3000), ContainsSubstring("\"iterations\":"));
}

TEST_CASE("a saved flow that does not fit is an error that names the difference", "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "a.flow";
  const std::string vortices = "--problem taylor_green --solver piso --grid 16x16 --courant 0.32 ";
  REQUIRE(cfdmark_with("solve --backend serial " + vortices + "--end-time 0.1 --save " + file).status == 0);
  const auto complains = [&](const std::string& arguments, const std::vector<std::string>& words) {
    const Ended solve = cfdmark_with("solve --backend serial --restart " + file + " " + arguments);
    INFO(arguments << solve.err);
    CHECK(solve.status == 2);
    CHECK_THAT(solve.err, Mentions(words));
  };
  complains("--problem taylor_green --solver piso --grid 32x32 --courant 0.32",
            {"--restart " + file, "the grid is 16x16 there and 32x32 here; use --grid 16x16"});
  complains("--problem cavity --solver piso --grid 16x16", {"use --problem taylor_green"});
  complains("--problem taylor_green --solver projection --grid 16x16", {"use --solver piso"});
  complains(vortices + "--method paper", {"use --method rhie_chow"});
  complains(vortices + "--precision fp32", {"use --precision fp64"});
  complains("--problem taylor_green --solver piso --grid 16x16 --courant 0.2",
            {"courant is 0.32 there and 0.2 here; use --set courant=0.32"});
  complains(vortices + "--reynolds 50", {"reynolds is 100 there and 50 here; use --set reynolds=100"});
  complains(vortices + "--end-time 0.1", {"end_time=0.1", "at time 0.1 already", "later end_time"});
  complains("--solver cg", {"--restart", "--solver simple, piso or projection"});
  std::string text = text_of(file);
  text[text.size() / 2] ^= 1;
  std::ofstream(file, std::ios::binary) << text;
  complains(vortices, {"damaged", "save the flow again"});
  std::ofstream(file) << "a letter";
  complains(vortices, {"this file holds no flow; choose a file that --save wrote"});
  std::filesystem::remove(file);
  complains(vortices, {file + ": cannot be read"});
}
