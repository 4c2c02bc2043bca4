// Commands of a shell with their time.
#include "bench/external/timed_process.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "bench/text/seconds_now.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

ProcessRun run(const std::string& command, double timeout = 20, const std::string& input = "") {
  return run_timed(command, input, timeout, [] { return true; });
}

}  // namespace

TEST_CASE("a run has the output of both streams and the time up to its end", "[external]") {
  const ProcessRun quick = run("cat; echo problem >&2", 20, "input\n");
  CHECK(quick.how.empty());
  CHECK(quick.output == "input\nproblem\n");
  CHECK(run("sleep 0.2").seconds >= 0.2);
  // The wait looks five times a second, and ends with the process nevertheless.
  double least = quick.seconds;
  for (int n = 0; n < 20 && least >= 0.2; ++n) least = std::min(least, run("true").seconds);
  CHECK(least < 0.2);
}

TEST_CASE("a run that fails says how", "[external]") {
  CHECK(run("exit 3").how == "ended with status 3");
  CHECK(run("kill -SEGV $$").how == "was killed by SIGSEGV");
  CHECK(run("sh -c 'kill -SEGV $$'; exit $?").how == "was killed by SIGSEGV");
  CHECK(run("/no/such/program").how == "ended with status 127");
}

TEST_CASE("a run that hangs is killed with all processes that it has started", "[external]") {
  const TemporaryFolder folder;
  const ProcessRun hanging = run("(sleep 1; touch " + (folder / "late") + ") & sleep 30", 0.2);
  CHECK(hanging.timed_out);
  CHECK(hanging.seconds < 5);
  CHECK(hanging.how == "did not end within 0.2 s");
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  CHECK_FALSE(std::filesystem::exists(folder / "late"));
}

TEST_CASE("a run ends when its caller stops it", "[external]") {
  const double start = seconds_now();
  const ProcessRun stopped = run_timed("sleep 30", "", 60, [&] { return seconds_now() < start + 0.3; });
  CHECK(stopped.stopped);
  CHECK_FALSE(stopped.timed_out);
  CHECK(seconds_now() - start < 5);
}
