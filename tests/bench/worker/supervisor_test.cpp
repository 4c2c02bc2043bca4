// Idle processes that alternate as the worker.
#include "bench/worker/supervisor.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "bench/worker/ask_worker.hpp"
#include "test_paths.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const std::vector<std::string> sound_worker = {CFDMARK_FAULTY_WORKER};
const Json stand_by = request_to_stand_by(BackendKind::serial);

std::vector<int> children() {
  std::vector<int> found;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "children");
    std::copy(std::istream_iterator<int>(file), {}, std::back_inserter(found));
  }
  std::sort(found.begin(), found.end());
  return found;
}

void wait(Supervisor& supervisor) {
  supervisor.wait_for_standby([] { return true; });
}

// Returns true if the worker does not have the case from an earlier request.
bool prepares_anew(Supervisor& supervisor) {
  bool fresh = false;
  const Answer answer =
      ask_for_cases(supervisor, {{"request", "sample"}, {"samples", 1}}, {faulty_case("sound", 8)},
                    {[&](std::size_t, const CaseResult& result) {
                       INFO(result.reason);
                       REQUIRE(result.is_ok());
                       fresh = result.fresh;
                     },
                     [](const std::string&) { return true; }});
  CHECK(answer.end == Answer::End::done);
  return fresh;
}

}  // namespace

TEST_CASE("the worker is one of the prestarted processes while there are any", "[run]") {
  Supervisor supervisor(sound_worker, 30, {}, &faulty_worker_rows());
  supervisor.prestart(2, stand_by);
  CHECK(supervisor.standing_by() == 0);  // not yet
  wait(supervisor);
  CHECK(supervisor.standing_by() == 2);
  supervisor.prestart(2, stand_by);  // they exist already
  const std::vector<int> before = children();
  CHECK(prepares_anew(supervisor));
  CHECK(supervisor.standing_by() == 1);
  CHECK(children() == before);
}

TEST_CASE("swapped workers alternate, and each frees its prepared cases", "[run]") {
  Supervisor supervisor(sound_worker, 30, {}, &faulty_worker_rows());
  supervisor.prestart(2, stand_by);
  wait(supervisor);
  const std::vector<int> before = children();
  CHECK(prepares_anew(supervisor));
  CHECK_FALSE(prepares_anew(supervisor));  // the same worker keeps it
  for (int turn = 0; turn < 4; ++turn) {
    supervisor.swap_worker(stand_by, [] { return true; });
    supervisor.prestart(2, stand_by);
    CHECK(supervisor.standing_by() == 2);
    CHECK(prepares_anew(supervisor));
  }
  CHECK(children() == before);
}

TEST_CASE("a swapped worker is not used again before prestarting", "[run]") {
  Supervisor supervisor(sound_worker, 30, {}, &faulty_worker_rows());
  supervisor.prestart(2, stand_by);
  wait(supervisor);
  CHECK(prepares_anew(supervisor));
  supervisor.swap_worker(stand_by, [] { return true; });
  CHECK(supervisor.standing_by() == 1);
  CHECK(supervisor.idle() == 2);
  const std::vector<int> before = children();
  CHECK(prepares_anew(supervisor));
  supervisor.end_worker();
  CHECK(prepares_anew(supervisor));  // by a new process, although one is idle
  const std::vector<int> after = children();
  CHECK(after.size() == before.size());
  CHECK_FALSE(std::includes(before.begin(), before.end(), after.begin(), after.end()));
}

TEST_CASE("an idle process that dies costs no case", "[run]") {
  Supervisor supervisor(sound_worker, 30, {}, &faulty_worker_rows());
  supervisor.prestart(2, stand_by);
  wait(supervisor);
  for (const int process : children()) kill(process, SIGKILL);
  usleep(100'000);
  CHECK(prepares_anew(supervisor));
  CHECK(supervisor.standing_by() == 0);
}

TEST_CASE("a process that cannot be prestarted is ended, and the next worker reports the problem", "[run]") {
  Supervisor failing({"/bin/false"}, 30);
  failing.prestart(2, stand_by);
  wait(failing);
  CHECK(failing.standing_by() == 0);
  const Answer answer = failing.ask({{"request", "describe"}}, {});
  CHECK(answer.end == Answer::End::died);
  CHECK_THAT(answer.reason, ContainsSubstring("ended with status 1"));

  Supervisor refusing(sound_worker, 30, {}, &faulty_worker_rows());
  refusing.prestart(1, {{"request", "stand_by"}, {"backend", "abacus"}, {"device", 0}});
  wait(refusing);
  CHECK(refusing.standing_by() == 0);
  CHECK(prepares_anew(refusing));
}

TEST_CASE("the wait for a prestarted process is no longer than the one for a worker", "[run]") {
  Supervisor supervisor({"/bin/sleep", "60"}, 0.5);
  supervisor.prestart(2, stand_by);
  wait(supervisor);
  CHECK(supervisor.standing_by() == 0);
  CHECK(children().empty());
}

TEST_CASE("a stage has the time from its start to the next one's, and stopping resets the clock", "[run]") {
  constexpr double tick = 0.02;
  const auto sleep = [](int ticks) { usleep(useconds_t(1e6 * tick * ticks)); };
  StageClock clock;
  sleep(4);  // before the start
  clock.enter(Stage::prepare);
  sleep(1);
  clock.enter(Stage::measure);
  sleep(2);
  clock.enter(Stage::prepare);
  sleep(1);
  const Json seconds = clock.stop();
  INFO(seconds.dump());
  CHECK(seconds.at("preparing") >= 2 * tick);
  CHECK(seconds.at("measuring") >= 2 * tick);
  CHECK(seconds.at("verifying") == 0);
  CHECK(seconds.at("compiling") == 0);
  sleep(1);
  const Json later = clock.stop();
  for (const Stage stage : stages) CHECK(later.at(std::string(to_string(stage))) == 0);
}

TEST_CASE("a supervisor knows the stages of its workers while it waited", "[run]") {
  Supervisor supervisor(sound_worker, 30, {}, &faulty_worker_rows());
  CHECK(supervisor.time().waiting == 0);
  CHECK(prepares_anew(supervisor));
  const auto& at = supervisor.time().at;
  for (const Stage stage : {Stage::prepare, Stage::verify, Stage::measure}) CHECK(at[std::size_t(stage)] > 0);
  CHECK(std::accumulate(at.begin(), at.end(), 0.0) < supervisor.time().waiting);
  CHECK(supervisor.time().ended == std::array<int, stages.size()>{});
  const double before = supervisor.time().waiting;
  supervisor.swap_worker(stand_by, [] { return true; });
  CHECK(supervisor.time().waiting > before);

  ask_for_cases(supervisor, {{"request", "sample"}, {"samples", 1}}, {faulty_case("crashes_preparing")},
                {[](std::size_t, const CaseResult&) {}, [](const std::string&) { return true; }});
  CHECK(supervisor.time().ended[std::size_t(Stage::prepare)] == 1);
  CHECK(std::accumulate(supervisor.time().ended.begin(), supervisor.time().ended.end(), 0) == 1);
  CHECK(supervisor.time().lost > 0);
  CHECK(std::accumulate(at.begin(), at.end(), supervisor.time().lost) < supervisor.time().waiting);
}

TEST_CASE("a worker's own variables override those of this process", "[run]") {
  setenv("CFDMARK_TEST_GIVEN", "of this process", 1);
  setenv("CFDMARK_TEST_KEPT", "of this process", 1);
  const std::vector<std::string> command = {
      "/bin/sh", "-c",
      "test \"$CFDMARK_TEST_GIVEN\" = 'of = the worker' || exit 3; "
      "test \"$CFDMARK_TEST_KEPT\" = 'of this process' || exit 4; exit 5"};
  WorkerProcess process(command, {"CFDMARK_TEST_GIVEN=of = the worker"});
  CHECK(process.end(false) == "ended with status 5");
  Supervisor supervisor(command, 30, {"CFDMARK_TEST_GIVEN=of = the worker"});
  CHECK_THAT(supervisor.ask({{"request", "describe"}}, {}).reason, ContainsSubstring("ended with status 5"));
  unsetenv("CFDMARK_TEST_GIVEN"), unsetenv("CFDMARK_TEST_KEPT");
}
