#include "tests/bench/sweep/sweep_support.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace cfdmark {
namespace {

std::string at_most_1024_threads(const Config& c) {
  return c.integer("block_x") * c.integer("block_y") <= 1024 ? "" : "a block has at most 1024 threads";
}

TuningSpace blocks() {
  return {{{"block_x", {16, 32, 64}, 32, "threads along x"}, {"block_y", {1, 2, 4}, 4, "threads along y"}},
          at_most_1024_threads};
}

std::vector<ProblemSettings> problems() {
  return {{"heated_plate", {}},
          {"manufactured", {}},
          {"jump", {real_setting("conductivity", 1000, real_above(0), "beyond the jump")}}};
}

// The setting of SOR: a real number or a word.
TuningSpace relaxation() {
  Setting omega{"omega", {}, "optimal", "over-relaxation", "", real_between(0, 2), {"optimal"}};
  return {{omega, choice_setting("order", {"red_black", "rows"}, "red_black", "of the cells")}};
}

void add(std::vector<Row>& rows, RowKind kind, const std::string& name, BackendKind backend,
         const std::string& method, const TuningSpace& space, const std::string& unavailable = "") {
  for (Precision p : {Precision::fp32, Precision::fp64}) {
    Row row;
    row.kind = kind;
    row.name = name;
    row.backend = backend;
    row.precision = p;
    row.method = method;
    row.space = space;
    row.in_2d = name != "smoothing";
    row.unavailable = unavailable;
    row.field_bytes = [p](const Domain& g, const Config&) {
      return double(g.cells()) * double(stored_bytes(p));
    };
    if (method == "split") row.preferred = [](const Domain& g, const Config&) { return g.box().nx >= 1024; };
    if (kind == RowKind::solver) {
      row.problems = problems();
      row.workload_settings = {real_setting("tolerance", 1e-6, real_between(0, 1), "of the residual"),
                               {"max_iterations", {}, 10000, "at most"}};
    }
    row.host_bytes = [field = row.field_bytes](const Domain& g, const Config& q) { return 2 * field(g, q); };
    if (name == "apply")
      row.workload_settings = {choice_setting("operator", {"constant", "arrays"}, "constant", "of A")};
    if (kind == RowKind::solver)
      row.unsupported = [](const Domain& g, const Config& question) -> std::string {
        return g.box().is_3d() && question.is("problem", "heated_plate") ? "a plate is flat" : "";
      };
    rows.push_back(row);
  }
}

std::vector<Row> build() {
  Setting threads_here{"threads", {1, 2, 4}, 4, "of the host"};
  threads_here.most_here = 4;
  const TuningSpace threads{{threads_here}};
  std::vector<Row> rows;
  for (const char* kernel : {"jacobi", "red_black_sor"}) {
    add(rows, RowKind::kernel, kernel, BackendKind::serial, "plain", {});
    add(rows, RowKind::kernel, kernel, BackendKind::openmp, "plain", threads);
    add(rows, RowKind::kernel, kernel, BackendKind::cuda, "plain", blocks(), "no device");
    add(rows, RowKind::kernel, kernel, BackendKind::kokkos, "plain", {}, "built without Kokkos");
  }
  add(rows, RowKind::kernel, "red_black_sor", BackendKind::cuda, "split", blocks(), "no device");
  add(rows, RowKind::kernel, "smoothing", BackendKind::serial, "plain", {});
  add(rows, RowKind::kernel, "apply", BackendKind::serial, "plain", {});
  add(rows, RowKind::solver, "cg", BackendKind::serial, "textbook", {});
  add(rows, RowKind::solver, "cg", BackendKind::openmp, "textbook", threads);
  add(rows, RowKind::solver, "sor", BackendKind::serial, "plain", relaxation());
  return rows;
}

// A temporary file.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : folder_(std::filesystem::temp_directory_path() / ("cfdmark_sweep_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(path(), std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "sweep.yaml").string(); }
  std::string folder() const { return folder_.string() + "/"; }

 private:
  std::filesystem::path folder_;
};

std::string with_head(const std::string& block) {
  std::istringstream lines(block);
  std::string text = "question: How fast?\nblocks:\n", line, lead = "  - ";
  for (; std::getline(lines, line); lead = "    ") text += lead + line + "\n";
  return text;
}

}  // namespace

const std::vector<Row>& small_catalog() {
  static const std::vector<Row> rows = build();
  return rows;
}

Sweep sweep_of(const std::string& text, const SweepOptions& options, const std::vector<Row>& rows) {
  const TemporaryFile file(text);
  return read_sweep(file.path(), options, rows);
}

Sweep sweep_of_block(const std::string& block, const SweepOptions& options, const std::vector<Row>& rows) {
  return sweep_of(with_head(block), options, rows);
}

std::vector<std::string> names(const Sweep& sweep) {
  std::vector<std::string> found;
  for (const Case& c : sweep.cases) found.push_back(case_name(c));
  return found;
}

std::string complaint(const std::string& text) {
  const TemporaryFile file(text);
  try {
    read_sweep(file.path(), {}, small_catalog());
  } catch (const SweepError& e) {
    const std::string what = e.what();
    return what.starts_with(file.folder()) ? what.substr(file.folder().size()) : what;
  }
  return "";
}

std::string complaint_of_block(const std::string& block) { return complaint(with_head(block)); }

}  // namespace cfdmark
