// The jobs of a command line.
#include "bench/tune/tune_rows.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

AskedTune on_serial(const std::vector<std::string>& names) {
  AskedTune asked;
  asked.names = names;
  asked.all = names.empty();
  asked.backend = "serial";
  return asked;
}

std::vector<std::string> names(const AskedTune& asked) {
  std::vector<std::string> found;
  for (const TuneJob& job : jobs_from(asked)) found.push_back(job_name(job));
  return found;
}

std::string complaint(const AskedTune& asked) {
  try {
    jobs_from(asked);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("several names and precisions give one job per name and precision, in order", "[tune][rows]") {
  AskedTune asked = on_serial({"jacobi", "red_black_sor"});
  asked.precisions = {"fp32", "fp64"};
  asked.sizes.ladders = {"8..16"};
  CHECK(names(asked) == std::vector<std::string>{"jacobi/serial/fp32 on 8x8 to 16x16",
                                                 "jacobi/serial/fp64 on 8x8 to 16x16",
                                                 "red_black_sor/serial/fp32 on 8x8 to 16x16",
                                                 "red_black_sor/serial/fp64 on 8x8 to 16x16"});
}

TEST_CASE("2-D and 3-D grids of one name are separate jobs", "[tune][rows]") {
  AskedTune asked = on_serial({"jacobi"});
  asked.sizes.ladders = {"8..16", "4x4x4..8x8x8"};
  CHECK(names(asked) == std::vector<std::string>{"jacobi/serial/fp64 on 8x8 to 16x16",
                                                 "jacobi/serial/fp64 on 4x4x4 to 8x8x8"});
}

TEST_CASE("tune --all is every kernel and solver with two configs, ordered by precision", "[tune][rows]") {
  const std::vector<TuneJob> jobs = jobs_from(on_serial({}));
  std::set<std::string> kinds, precisions, names;
  std::vector<std::string> order;
  for (const TuneJob& job : jobs) {
    kinds.insert(std::string(to_string(job.row().kind)));
    names.insert(job.row().name);
    const std::string precision(to_string(job.row().precision));
    if (order.empty() || order.back() != precision) order.push_back(precision);
    CHECK(job_weight(job) > double(job.targets.size()));
    for (const TuningTarget& s : job.targets) CHECK(s.grid.is_3d() == job.targets[0].grid.is_3d());
  }
  CHECK(order == std::vector<std::string>{"fp64", "fp32"});  // mixed only on request
  CHECK(kinds.size() == 2);
  CHECK(names.contains("jacobi"));
  CHECK_FALSE(names.contains("copy"));  // has one method on serial and no settings
}

TEST_CASE("tune --all skips excluded names, and only includes grids that a row supports", "[tune][rows]") {
  AskedTune asked = on_serial({});
  asked.exclude = {"jacobi"};
  asked.precisions = {"fp64"};
  asked.sizes.ladders = {"8..16"};
  for (const TuneJob& job : jobs_from(asked)) {
    CHECK(job.row().name != "jacobi");
    for (const TuningTarget& s : job.targets) CHECK_FALSE(s.grid.is_3d());
  }
}

TEST_CASE("tune --all skips flow solvers, which are tuned by name", "[tune][rows]") {
  for (const TuneJob& job : jobs_from(on_serial({})))
    for (const char* flow : {"simple", "piso", "projection"}) CHECK(job.row().name != flow);
  AskedTune named = on_serial({"simple"});
  named.sizes.ladders = {"32..64"};
  CHECK(names(named) == std::vector<std::string>{"solver simple/serial/fp64 on 32x32 to 64x64"});
}

TEST_CASE("solvers get a problem of the grid's dimension, and a looser tolerance in fp32", "[tune][rows]") {
  bool solver_of_boxes = false;
  for (const TuneJob& job : jobs_from(on_serial({})))
    for (const TuningTarget& s : job.targets) {
      CHECK(std::any_of(s.methods.begin(), s.methods.end(), [&](const Row* row) {
        return row->unavailable.empty() && (s.grid.is_3d() ? row->in_3d : row->in_2d) &&
               (!row->unsupported || row->unsupported(s.grid, s.workload).empty());
      }));
      if (job.row().kind == RowKind::kernel) continue;
      CHECK(s.workload.real("tolerance") == (job.row().precision == Precision::fp32 ? 1e-3 : 1e-6));
      if (job.row().name != "sor") continue;
      solver_of_boxes = solver_of_boxes || s.grid.is_3d();
      CHECK(s.workload.choice("problem") == (s.grid.is_3d() ? "manufactured" : "heated_plate"));
    }
  CHECK(solver_of_boxes);
  AskedTune box = on_serial({"sor"});
  box.sizes.grids = {"9x9x9"}, box.solver = true;
  CHECK(jobs_from(box).front().targets.front().workload.choice("problem") == "manufactured");
  box.precisions = {"fp32"};
  CHECK(jobs_from(box).front().targets.front().workload.real("tolerance") == 1e-3);
  box.problem = "heated_plate";  // requested explicitly, so its own error is reported later
  CHECK(jobs_from(box).front().targets.front().workload.choice("problem") == "heated_plate");
}

TEST_CASE("slow solvers are tuned and checked on small grids", "[tune][rows]") {
  AskedTune asked = on_serial({});
  asked.precisions = {"fp64"};
  std::vector<std::string> of_jacobi;
  for (const TuneJob& job : jobs_from(asked))
    if (job.row().kind == RowKind::solver && job.row().name == "jacobi") of_jacobi.push_back(job_name(job));
  CHECK(of_jacobi == std::vector<std::string>{"solver jacobi/serial/fp64 on 32x32 to 64x64",
                                              "solver jacobi/serial/fp64 on 16x16x16 to 32x32x32"});
  AskedTune by_name = on_serial({"jacobi", "simple", "sor", "block_jacobi"});
  by_name.solver = true;
  CHECK(names(by_name) == std::vector<std::string>{"solver jacobi/serial/fp64 on 64x64",
                                                   "solver simple/serial/fp64 on 64x64",
                                                   "solver sor/serial/fp64 on 513x513",
                                                   "solver block_jacobi/serial/fp64 on 32x32x32"});
  AskedTune check = on_serial({"jacobi"});
  check.check = check.solver = true;
  CHECK(names(check) == std::vector<std::string>{"solver jacobi/serial/fp64 on 40x40 to 57x57"});
}

TEST_CASE("without sizes --all uses the default ladders, and --check sizes between them", "[tune][rows]") {
  AskedTune asked = on_serial({});
  asked.precisions = {"fp64"};
  bool boxes = false;
  for (const TuneJob& job : jobs_from(asked)) {
    boxes = boxes || job.targets[0].grid.is_3d();
    if (job.row().name == "red_black_sor" && !job.targets[0].grid.is_3d())
      CHECK(job_name(job) == "red_black_sor/serial/fp64 on 128x128 to 8192x8192");
  }
  CHECK(boxes);
  AskedTune check = on_serial({"red_black_sor"});
  check.check = true;
  REQUIRE(jobs_from(check).size() == 1);
  const TuneJob job = jobs_from(check).front();
  CHECK(job.targets.size() == 12);
  CHECK(job.targets.front().grid == Grid{200, 200, 1});
  CHECK(job.targets.back().grid == Grid{9000, 9000, 1});
}

TEST_CASE("kernels with gigabytes of fields are tuned on smaller grids, in each precision", "[tune][rows]") {
  AskedTune all = on_serial({});
  std::vector<std::string> smaller;
  for (const TuneJob& job : jobs_from(all)) {
    const Grid& last = job.targets.back().grid;
    if (job.row().kind == RowKind::kernel && last.is_3d() && last != Grid{256, 256, 256})
      smaller.push_back(job_name(job));
    for (const TuningTarget& s : job.targets)
      if (s.grid.is_3d()) CHECK(job.row().field_bytes(s.grid, s.workload) < 8e9);
  }
  CHECK(smaller.size() == 8);  // four orders of 5x5 blocks: 150 numbers per cell
  for (const std::string& name : smaller) {
    CHECK_THAT(name, Catch::Matchers::StartsWith("block_"));
    CHECK_THAT(name, Catch::Matchers::EndsWith(" on 32x32x32 to 128x128x128"));
  }
  AskedTune by_name = on_serial({"block_ssor", "momentum_fluxes_3d"});
  CHECK(names(by_name) == std::vector<std::string>{"block_ssor/serial/fp64 on 128x128x128",
                                                   "momentum_fluxes_3d/serial/fp64 on 256x256x256"});
}

TEST_CASE("invalid combinations are errors that name the option and suggest a fix", "[tune][rows]") {
  AskedTune both = on_serial({"jacobi"});
  both.all = true;
  CHECK_THAT(complaint(both), ContainsSubstring("--all") && ContainsSubstring("jacobi"));
  AskedTune exclude = on_serial({"jacobi"});
  exclude.exclude = {"sor"};
  CHECK_THAT(complaint(exclude), ContainsSubstring("--exclude") && ContainsSubstring("--all"));
  AskedTune wrong = on_serial({});
  wrong.exclude = {"jakobi"};
  CHECK_THAT(complaint(wrong), ContainsSubstring("--exclude jakobi") && ContainsSubstring("'jacobi'"));
  AskedTune method = on_serial({});
  method.method = "plain";
  CHECK_THAT(complaint(method), ContainsSubstring("--method") && ContainsSubstring("--all"));
  CHECK_THAT(complaint(on_serial({"jakobi"})),
             ContainsSubstring("'jakobi'") && ContainsSubstring("'jacobi'"));
  AskedTune precision = on_serial({"jacobi"});
  precision.precisions = {"fp16"};
  CHECK_THAT(complaint(precision), ContainsSubstring("precision 'fp16'") && ContainsSubstring("fp64"));
}
