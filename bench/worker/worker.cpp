#include "bench/worker/worker.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "bench/case/ranked_case.hpp"
#include "bench/device_facts/device_state.hpp"
#include "bench/device_facts/links.hpp"
#include "bench/measure/compile_ahead.hpp"
#include "bench/measure/measurement_session.hpp"
#include "bench/measure/step_ceilings.hpp"
#include "bench/record/environment.hpp"
#include "bench/text/printable.hpp"
#include "bench/worker/channel.hpp"
#include "bench/worker/messages.hpp"
#include "bench/worker/worker_status.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

// Fraction of a request's time; the rest is for measuring the prepared cases.
constexpr double share_of_preparing = 0.6;

// Niceness of compilation while another process measures (nice(2)).
constexpr int least_priority = 19;

class Worker {
 public:
  Worker(const std::vector<Row>& rows, const PrepareProcesses& processes)
      : rows_(rows), own_(rows), channel_(worker_channel_fd), shared_status_(worker_status_fd) {
    if (processes)
      set_rank_processes([this, processes](const Case& c) {
        return processes(c, {timeout_, [this] { repeat_note(); }});
      });
  }

  void serve() {
    while (!channel_.closed())
      for (const std::string& request : channel_.receive(-1)) answer(Json::parse(request));
  }

 private:
  void answer(const Json& request) {
    const std::string what = request.at("request");
    const double within = request.value("within", std::numeric_limits<double>::infinity());
    note(-1, Stage::prepare);
    timeout_ = request.value("timeout", timeout_);
    try {
      if (what == "describe")
        channel_.send({{"event", "description"},
                       {"protocol", worker_protocol},
                       {"environment", describe_environment()}});
      if (what == "stand_by") stand_by(device_id_from_message(request));
      if (what == "roof") channel_.send({{"event", "roof"}, {"roofs", roof(request)}});
      if (what == "limits") channel_.send({{"event", "limits"}, {"limits", limits(request)}});
      if (what == "links") channel_.send({{"event", "links"}, {"links", links()}});
      if (what == "compile") compile(request);
      if (what == "run")
        measure(request, {.seconds = request.at("seconds"),
                          .interval = request.at("interval"),
                          .fewest_samples = request.value("fewest_samples", 0),
                          .again = again_of(request),
                          .ahead = !request.value("after_loss", false)});
      if (what == "sample")
        measure(request, {.samples = request.at("samples"),
                          .instructions = request.value("instructions", false),
                          .again = again_of(request),
                          .ahead = !request.value("after_loss", false),
                          .preparing = std::min(MeasureRequest().preparing, share_of_preparing * within),
                          .within = within,
                          .solve_seconds = request.value("solve_seconds", MeasureRequest().solve_seconds)});
    } catch (const DeviceLost& e) {
      end_with("device_lost", e.what());
    } catch (const std::exception& e) {
      end_with("failed", message_of(e));
    }
    note(-1, Stage::prepare);
    channel_.send({{"event", "done"}, {"seconds", clock_.stop()}});
  }

  void note(std::int32_t index, Stage stage) {
    shared_status_.write(index, stage);
    clock_.enter(stage);
  }

  void repeat_note() {
    const WorkerStatus now = shared_status_.read();
    shared_status_.write(now.index, now.stage);
  }

  // A lost device can neither be released nor queried, so nothing is cleaned up.
  [[noreturn]] void end_with(const char* event, const std::string& reason) {
    channel_.send({{"event", event}, {"reason", reason}});
    _exit(1);
  }

  // Frees all cases and initialises the device, so that its first case need not wait.
  void stand_by(DeviceId id) {
    session_.release();
    if (unavailable_reason(id).empty()) device_state(backend(id));
  }

  Json roof(const Json& request) {
    return measure_roof(roof_key_from_message(request.at("key")), [&] { note(-1, Stage::measure); });
  }

  Json limits(const Json& request) {
    const LimitsKey key{roof_key_from_message(request.at("key")), request.at("arithmetic"),
                        request.at("memory")};
    return measure_limits(key, [&] { note(-1, Stage::measure); });
  }

  Json links() {
    session_.release();
    if constexpr (built_with_cuda) {
      std::vector<DeviceId> devices;
      for (int n = 0; n < device_count(BackendKind::cuda); ++n) devices.emplace_back(BackendKind::cuda, n);
      return measure_links(devices, [&] { note(-1, Stage::measure); });
    }
    return Json::array();
  }

  void compile([[maybe_unused]] const Json& request) {
    if constexpr (built_with_cuda) {
      if (request.value("meanwhile", false) && nice(least_priority) < 0) return;
      const std::vector<Case> cases = cases_from_request(request, rows_, own_);
      std::vector<const Case*> pointers;
      for (const Case& c : cases) pointers.push_back(&c);
      compile_ahead(pointers, request.at("seconds"), [&] { note(-1, Stage::compile); });
    }
  }

  void measure(const Json& request, const MeasureRequest& wanted) {
    const bool complete = session_.measure(
        cases_from_request(request, rows_, own_), wanted,
        {[this](std::size_t index, Stage stage) { note(std::int32_t(index), stage); },
         [this](std::size_t index, const CaseResult& result) { channel_.send(to_message(index, result)); }});
    if (!complete) channel_.send({{"event", "out_of_time"}});
  }

  static std::vector<bool> again_of(const Json& request) {
    const Json again = request.value("again", Json(false));
    return again.is_array() ? again.get<std::vector<bool>>()
                            : std::vector<bool>(request.at("cases").size(), again.get<bool>());
  }

  const std::vector<Row>& rows_;
  const WorkerRows own_;  // of `rows_`
  Channel channel_;
  SharedWorkerStatus shared_status_;
  StageClock clock_;      // of one request
  double timeout_ = 600;  // seconds that processes of a case may take
  MeasurementSession session_;
};

}  // namespace

int worker_main(const std::vector<Row>& rows, const PrepareProcesses& processes) {
  // Checks for a socket, since a GPU driver may have opened a file with this number.
  struct stat channel;
  if (fstat(worker_channel_fd, &channel) != 0 || !S_ISSOCK(channel.st_mode)) {
    fmt::print(stderr, "cfdmark worker: an internal command, which `cfdmark run` starts\n");
    return 2;
  }
  Worker(rows, processes).serve();
  return 0;
}

}  // namespace cfdmark
