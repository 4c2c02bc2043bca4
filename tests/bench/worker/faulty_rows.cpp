#include "tests/bench/worker/faulty_rows.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "kernels/device/cuda/jit/nvrtc.hpp"

using namespace cfdmark;

namespace {

// Restores the default action, since a sanitizer would catch the signal and exit differently.
void crash() {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
}

// Returns true in the first process that calls this; it leaves a file for the others.
bool in_first_process() {
  static const bool first = [] {
    const char* path = std::getenv("CFDMARK_TEST_SEEN");
    if (!path) return true;
    const int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file >= 0) close(file);
    return file >= 0;
  }();
  return first;
}

bool is_solver(const std::string& fault) { return fault.starts_with("uneven"); }

// Takes 20 us per step, so that a case is measured in batches.
class FaultyWorkload final : public Workload {
 public:
  FaultyWorkload(std::string fault, const Grid& grid) : fault_(std::move(fault)), is_large_(grid.nx > 16) {
    if (fault_ == "does_not_compile") throw DeviceCodeError("line 3: expected a semicolon");
    if (fault_ == "copy" && std::getenv("CFDMARK_TEST_DEVICE_IS_GONE")) throw DeviceLost("no answer");
    if (fault_ == "crashes_preparing" || fault_ == "too_large") crash();
    if (const char* folder = std::getenv("CFDMARK_TEST_SPOILS")) {  // replaces the folder by a file
      std::filesystem::remove_all(folder);
      std::ofstream{folder};
    }
    while (fault_ == "hangs_preparing") pause();
    if (fault_ == "prepares_slowly") {
      if (const char* path = std::getenv("CFDMARK_TEST_PROCESSES"))
        std::ofstream(path, std::ios::app) << getpid() << "\n";
      if (!is_large_) usleep(1'000'000);
    }
    if (fault_ == "refuses") throw std::invalid_argument("this method wants even sides");
  }

  void reset() override {}
  bool needs_reset() const override { return fault_ == "solves" || is_solver(fault_); }
  void run() override {
    if (fault_ == "throws") throw std::runtime_error("the step did not work out");
    if (fault_ == "loses_device") throw DeviceLost("the device fell off the bus");
    if (fault_ == "crashes_measured" && ++runs_ == 4) crash();
    if (fault_ == "hangs" || (fault_ == "hangs_if_large" && is_large_))
      while (true) pause();
    if (fault_ == "crashes_again" && !in_first_process()) crash();
    const bool unlucky = fault_ == "lucky" && !in_first_process();
    const bool wrong_size = fault_ == (is_large_ ? "quick_if_small" : "quick_if_large");
    usleep(unlucky ? 5000 : fault_ == "solves" ? 50'000 : wrong_size ? 600 : fault_ == "slow" ? 300 : 20);
  }
  Verification verify() override {
    run();
    if (fault_ == "wrong" || (fault_ == "wrong_again" && !in_first_process()))
      return {false, "NaN against anything", std::nan(""), "cell (0, 0, 0) is nan"};
    return {true, "nothing", 0, ""};
  }
  // A solver whose samples differ in work, within one process or between two.
  int iterations() const override {
    if (fault_ == "uneven") return 10 + ++asked_ % 2;
    return fault_ == "uneven_again" && !in_first_process() ? 12 : 10;
  }
  nlohmann::json solver_facts() override {
    if (!is_solver(fault_)) return nullptr;
    const int described = fault_ == "uneven" ? 10 : iterations();
    return {{"iterations", described}, {"converged", true}, {"tolerance", 1e-6}};
  }
  Cost cost() const override { return {fault_ == "impossible" ? 1e15 : 1000, 100, 10}; }
  Resources resources() const override { return {}; }
  std::size_t field_bytes() const override { return fault_ == "impossible" ? 1e13 : 1000; }

 private:
  std::string fault_;
  bool is_large_;
  int runs_ = 0;
  mutable int asked_ = 0;
};

Row faulty_row(const std::string& name) {
  Row row;
  row.kind = is_solver(name) ? RowKind::solver : RowKind::kernel;
  row.name = name;
  row.method = "plain";
  row.field_bytes = [name](const Domain&, const Config&) { return name == "too_large" ? 1e18 : 1000; };
  row.host_bytes = [](const Domain&, const Config&) { return 1000; };
  row.prepare = [name](Backend&, const Domain& domain, const Config&, const Config&) {
    return std::make_unique<FaultyWorkload>(name, domain.box());
  };
  if (name == "crashes_compiled") {
    row.device_code = true;
    row.prepare_code = [](auto&&...) {  // the tuner itself queries how many blocks a launch has
      if (std::string_view(program_invocation_short_name) != "cfdmark_faulty_worker") return;
      if (const char* path = std::getenv("CFDMARK_TEST_SEEN")) std::ofstream{path};
      crash();
    };
  }
  return row;
}

}  // namespace

const std::vector<Row>& faulty_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> made;
    for (const char* name : {"sound", "wrong", "throws", "refuses", "crashes_preparing", "crashes_measured",
                             "hangs", "loses_device", "too_large", "lucky", "crashes_again", "impossible",
                             "solves", "uneven", "uneven_again", "hangs_preparing"})
      made.push_back(faulty_row(name));
    // One kernel with a method for each fault, for tests of the tuner.
    for (const char* fault :
         {"slow", "sound", "lucky", "wrong", "throws", "refuses", "does_not_compile", "crashes_preparing",
          "crashes_measured", "hangs", "loses_device", "too_large", "quick_if_small", "quick_if_large",
          "hangs_if_large", "wrong_again", "crashes_compiled", "prepares_slowly"}) {
      made.push_back(faulty_row(fault));
      made.back().name = "tunable";
      made.back().method = fault;
    }
    made.push_back(faulty_row("copy"));  // the tuner checks the device with it
    return made;
  }();
  return rows;
}

const WorkerRows& faulty_worker_rows() {
  static const WorkerRows rows(faulty_rows());
  return rows;
}

Case faulty_case(const std::string& name, int n) {
  for (const Row& row : faulty_rows())
    if (row.name == name) {
      Case c;
      c.row = &row;
      c.domain = Grid{n, n, 1};
      return c;
    }
  throw std::invalid_argument("no faulty row " + name);
}
