// A stand-in for a build of cfdmark: lists rows and speaks the worker's protocol with simulated times, so
// that tests of complete comparisons are fast and know the truth. The JSON file $PRETENDED configures it:
//   rows: names of kernels (serial, fp64, plain)     unavailable: name -> reason     asked: settings of all
//   seed, clock: a file that counts the processes of a comparison, as the time
//   noise: factor for all parts of NoisyMachine
//   cases: name -> {seconds, status, reason, iterations, crash, noise: instead of the common one}
//   mute: true for a worker that does not answer     environment: merged into the description
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
#include "tests/bench/sound_record.hpp"

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

std::string name_of(const Json& asked) {
  const std::string row = asked.at("row");
  return row.substr(0, row.find('/'));
}

// Returns the settings as in the name of a case: ";operator=arrays".
std::string workload_of(const Json& asked) {
  std::string text;
  for (const auto& [name, value] : asked.at("question").items())
    text += (text.empty() ? ";" : ",") + name + "=" + value.get<std::string>();
  return text;
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

Json record_for(const Json& asked, const Json& what, Clock& clock, std::size_t wanted) {
  const std::string row = asked.at("row"), name = name_of(asked);
  const Json facts = what.at("cases").at(name);
  if (facts.value("crash", false)) std::raise(SIGSEGV);
  Json record = sound_record(row + "@" + std::to_string(asked["grid"][0].get<int>()) + "x" +
                             std::to_string(asked["grid"][1].get<int>()) + workload_of(asked));
  record["environment"] = "pretended";
  record["status"] = facts.value("status", "ok");
  if (record["status"] != "ok") {
    record["reason"] = facts.value("reason", "");
    return record;
  }
  record["time"] = time_of(clock.next(name, facts, wanted));
  if (facts.contains("iterations")) record["solver"] = {{"iterations", facts["iterations"]}};
  return record;
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
        channel.send({{"event", "description"}, {"environment", description_of(what)}});
      if (request.at("request") == "sample")
        for (const Json& asked : request.at("cases")) {
          const Json record = record_for(asked, what, clock, request.at("samples"));
          channel.send(record);
        }
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
