// A stand-in for a build of cfdmark: lists rows and speaks the worker's protocol with simulated times, so
// that tests of complete comparisons are fast and know the truth. The JSON file $PRETENDED configures it:
//   rows: names of kernels (serial, fp64, plain)     unavailable: name -> reason     asked: settings of all
//   seed, clock: a file that counts the processes of a comparison, as the time
//   noise: factor for all parts of NoisyMachine
//   cases: name -> {seconds, status, reason, iterations, crash, noise: instead of the common one}
//   mute: true for a worker that does not answer     environment: merged into the description
//   protocol: its version, if not that of this commit
// It links only the channel of cfdmark, to start quickly.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "bench/worker/channel.hpp"
#include "tests/bench/compare/noisy_machine.hpp"

using namespace cfdmark;

namespace {

constexpr int channel_fd = 3;  // see bench/worker/worker.hpp

Json pretended() {
  std::ifstream file(std::getenv("PRETENDED"));
  return Json::parse(file);
}

int list(const Json& what) {
  Json rows = Json::array();
  for (const std::string name : what.at("rows")) {
    const std::string reason = what.value("unavailable", Json::object()).value(name, "");
    rows.push_back({{"name", name},
                    {"kind", "kernel"},
                    {"backend", "serial"},
                    {"precision", "fp64"},
                    {"method", "plain"},
                    {"settings", Json::array()},
                    {"solve_settings", what.value("asked", Json::array())},
                    {"problems", Json::array()},
                    {"available", reason.empty()},
                    {"reason", reason}});
  }
  std::printf("%s\n", rows.dump().c_str());
  return 0;
}

// Counts the processes up to this one.
int tick(const std::string& clock) {
  std::ofstream(clock, std::ios::app) << '.';
  return int(std::filesystem::file_size(clock));
}

Noise times(double scale) {
  const Noise usual;
  return {usual.sample * scale,      usual.tail * scale,  usual.process * scale,
          usual.second_mode * scale, usual.burst * scale, usual.drift * scale};
}

// The times of each case in this process, handed out a few samples at a time.
class Clock {
 public:
  Clock(const Json& what, int time)
      : seed_(what.value("seed", 1u) * 100003u + unsigned(time)),
        machine_(seed_, times(what.value("noise", 1.0))),
        time_(time) {}

  std::vector<double> next(const std::string& name, const Json& facts, std::size_t samples) {
    if (!seen_.count(name)) {
      NoisyMachine own(seed_ + name[0], times(facts.value("noise", 1.0)));
      seen_[name] = (facts.contains("noise") ? own : machine_).process(facts.at("seconds"), time_, 100);
    }
    std::vector<double>& left = seen_[name];
    std::vector<double> found;
    for (; found.size() < samples && !left.empty(); left.pop_back()) found.push_back(left.back());
    return found;
  }

 private:
  std::uint64_t seed_;
  NoisyMachine machine_;
  int time_;
  std::map<std::string, std::vector<double>> seen_;
};

Json result_for(std::size_t index, const Json& asked, const Json& what, Clock& clock, std::size_t wanted) {
  const std::string name = what.at("rows").at(asked.at("row").get<std::size_t>());
  const Json facts = what.at("cases").at(name);
  if (facts.value("crash", false)) std::raise(SIGSEGV);
  Json result = {{"event", "result"}, {"index", index}, {"status", facts.value("status", "ok")}};
  if (result["status"] != "ok") {
    result["reason"] = facts.value("reason", "");
    return result;
  }
  result["samples"] = clock.next(name, facts, wanted);
  result["steps_per_sample"] = 1;
  if (facts.contains("iterations")) result["solver"] = {{"iterations", facts["iterations"]}};
  return result;
}

Json description_of(const Json& what) {
  Json description = {{"type", "environment"}, {"host", {{"cpu", "pretended"}, {"cores", 2}}}};
  if (what.contains("environment")) description.update(what["environment"]);
  return description;
}

int work(const Json& what) {
  Clock clock(what, tick(what.at("clock")));
  Channel channel(channel_fd);
  while (!channel.closed())
    for (const std::string& line : channel.receive(-1)) {
      const Json request = Json::parse(line);
      if (request.at("request") == "describe")
        channel.send({{"event", "description"},
                      {"protocol", what.value("protocol", 2)},
                      {"environment", description_of(what)}});
      if (request.at("request") == "sample")
        for (std::size_t n = 0; n < request.at("cases").size(); ++n)
          channel.send(result_for(n, request["cases"][n], what, clock, request.at("samples")));
      channel.send({{"event", "done"}});
    }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Json what = pretended();
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "list") return list(what);
  if (command != "worker" || what.value("mute", false)) return 2;
  return work(what);
}
