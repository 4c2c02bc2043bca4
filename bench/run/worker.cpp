#include "bench/run/worker.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "bench/record/config_json.hpp"
#include "bench/record/environment.hpp"
#include "bench/run/batch.hpp"
#include "bench/run/blackboard.hpp"
#include "bench/run/channel.hpp"
#include "bench/run/workbench.hpp"

namespace cfdmark {
namespace {

class Worker {
 public:
  explicit Worker(const std::vector<Row>& rows)
      : rows_(rows), channel_(worker_channel_fd), blackboard_(worker_blackboard_fd) {}

  void serve() {
    while (!channel_.closed())
      for (const Json& request : channel_.receive(-1)) answer(request);
  }

 private:
  void answer(const Json& request) {
    const std::string what = request.at("request");
    blackboard_.write(-1, Stage::prepare);
    try {
      if (what == "describe")
        channel_.send({{"event", "description"}, {"environment", describe_environment()}});
      if (what == "roof") channel_.send({{"event", "roof"}, {"roofs", roof(request)}});
      if (what == "run") run(request);
      if (what == "sample") sample(request);
    } catch (const DeviceLost& e) {
      end_with("device_lost", e.what());
    } catch (const std::exception& e) {
      end_with("failed", e.what());
    }
    blackboard_.write(-1, Stage::prepare);
    channel_.send({{"event", "done"}});
  }

  // A device that was lost may neither be released nor asked again, so nothing is cleaned up.
  [[noreturn]] void end_with(const char* event, const std::string& reason) {
    channel_.send({{"event", event}, {"reason", reason}});
    _exit(1);
  }

  Json roof(const Json& request) {
    return measure_roof(roof_key_from_message(request.at("key")),
                        [&] { blackboard_.write(-1, Stage::measure); });
  }

  void run(const Json& request) {
    workbench_ = Workbench();  // what is left of another kind of request would only take memory
    BatchOptions options;
    options.seconds = request.at("seconds");
    options.interval = request.at("interval");
    options.environment = request.at("environment");
    run_cases(cases_of(request), options, events());
  }

  void sample(const Json& request) {
    workbench_.sample(cases_of(request), {request.at("samples"), request.value("instructions", false)},
                      request.at("environment"), events());
  }

  std::vector<Case> cases_of(const Json& request) const {
    std::vector<Case> cases;
    for (const Json& message : request.at("cases")) cases.push_back(case_from_message(message, rows_));
    return cases;
  }

  BatchEvents events() {
    return {[this](std::size_t index, Stage stage) { blackboard_.write(std::int32_t(index), stage); },
            [this](std::size_t index, const Json& record) {
              channel_.send({{"event", "record"}, {"index", index}, {"record", record}});
            }};
  }

  const std::vector<Row>& rows_;
  Channel channel_;
  Blackboard blackboard_;
  Workbench workbench_;
};

}  // namespace

int worker_main(const std::vector<Row>& rows) {
  // Not only open: a GPU's driver may have taken the number for a file of its own.
  struct stat channel;
  if (fstat(worker_channel_fd, &channel) != 0 || !S_ISSOCK(channel.st_mode)) {
    fmt::print(stderr, "cfdmark worker: started by `cfdmark run`, not by hand\n");
    return 2;
  }
  Worker(rows).serve();
  return 0;
}

Json to_message(const Case& c) {
  return {{"kind", to_string(c.row->kind)},  // a kernel and a solver may share a name
          {"row", row_name(*c.row)},
          {"grid", {c.grid.nx, c.grid.ny, c.grid.nz}},
          {"config", config_json(c.config)},
          {"tuned", {c.tuned.match, c.tuned.device, c.tuned.grid}},
          {"question", config_json(c.question)}};
}

Case case_from_message(const Json& message, const std::vector<Row>& rows) {
  Case c;
  for (const Row& row : rows)
    if (to_string(row.kind) == message.at("kind").get<std::string>() &&
        row_name(row) == message.at("row").get<std::string>())
      c.row = &row;
  if (!c.row)
    throw std::runtime_error(
        fmt::format("the catalog has no {} {}", one_line(message.at("kind")), one_line(message.at("row"))));
  const Json& grid = message.at("grid");
  c.grid = {grid.at(0), grid.at(1), grid.at(2)};
  c.config = config_from_json(message.at("config"));
  const Json& tuned = message.at("tuned");
  c.tuned = {!tuned.at(0).get<std::string>().empty(), tuned.at(0), tuned.at(1), tuned.at(2)};
  c.question = config_from_json(message.at("question"));
  return c;
}

Json to_message(const RoofKey& key) {
  return {{"backend", to_string(key.backend)},
          {"storage", to_string(key.storage)},
          {"config", config_json(key.config)}};
}

RoofKey roof_key_from_message(const Json& message) {
  return {backend_from(message.at("backend").get<std::string>()),
          precision_from(message.at("storage").get<std::string>()), config_from_json(message.at("config"))};
}

}  // namespace cfdmark
