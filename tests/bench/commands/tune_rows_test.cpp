// Which tunes a command line asks for.
#include "bench/commands/tune_rows.hpp"

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

TEST_CASE("a list is each name in each precision, in order", "[tune][rows]") {
  AskedTune asked = on_serial({"jacobi", "red_black_sor"});
  asked.precisions = {"fp32", "fp64"};
  asked.sizes.ladders = {"8..16"};
  CHECK(names(asked) == std::vector<std::string>{"jacobi/serial/fp32 on 8x8 to 16x16",
                                                 "jacobi/serial/fp64 on 8x8 to 16x16",
                                                 "red_black_sor/serial/fp32 on 8x8 to 16x16",
                                                 "red_black_sor/serial/fp64 on 8x8 to 16x16"});
}

TEST_CASE("planes and boxes of one name are tunes of their own", "[tune][rows]") {
  AskedTune asked = on_serial({"jacobi"});
  asked.sizes.ladders = {"8..16", "4x4x4..8x8x8"};
  CHECK(names(asked) == std::vector<std::string>{"jacobi/serial/fp64 on 8x8 to 16x16",
                                                 "jacobi/serial/fp64 on 4x4x4 to 8x8x8"});
}

TEST_CASE("all is every kernel and solver with two configs, each precision by itself", "[tune][rows]") {
  const std::vector<TuneJob> jobs = jobs_from(on_serial({}));
  std::set<std::string> kinds, precisions, names;
  std::vector<std::string> order;
  for (const TuneJob& job : jobs) {
    kinds.insert(std::string(to_string(job.row().kind)));
    names.insert(job.row().name);
    const std::string precision(to_string(job.row().precision));
    if (order.empty() || order.back() != precision) order.push_back(precision);
    CHECK(job_weight(job) > double(job.subjects.size()));
    for (const TuneSubject& s : job.subjects) CHECK(s.grid.is_3d() == job.subjects[0].grid.is_3d());
  }
  CHECK(order == std::vector<std::string>{"fp64", "fp32"});  // mixed where it is asked for
  CHECK(kinds.size() == 2);
  CHECK(names.contains("jacobi"));
  CHECK_FALSE(names.contains("copy"));  // has one method on serial, and no settings
}

TEST_CASE("of all, what is excluded is left out, and only grids that a row can have are asked for",
          "[tune][rows]") {
  AskedTune asked = on_serial({});
  asked.exclude = {"jacobi"};
  asked.precisions = {"fp64"};
  asked.sizes.ladders = {"8..16"};
  for (const TuneJob& job : jobs_from(asked)) {
    CHECK(job.row().name != "jacobi");
    for (const TuneSubject& s : job.subjects) CHECK_FALSE(s.grid.is_3d());
  }
}

TEST_CASE("without sizes all goes over the usual ladders, a check over sizes between them", "[tune][rows]") {
  AskedTune asked = on_serial({});
  asked.precisions = {"fp64"};
  bool boxes = false;
  for (const TuneJob& job : jobs_from(asked)) {
    boxes = boxes || job.subjects[0].grid.is_3d();
    if (job.row().name == "red_black_sor" && !job.subjects[0].grid.is_3d())
      CHECK(job_name(job) == "red_black_sor/serial/fp64 on 128x128 to 8192x8192");
  }
  CHECK(boxes);
  AskedTune check = on_serial({"red_black_sor"});
  check.check = true;
  REQUIRE(jobs_from(check).size() == 1);
  const TuneJob job = jobs_from(check).front();
  CHECK(job.subjects.size() == 12);
  CHECK(job.subjects.front().grid == Grid{200, 200, 1});
  CHECK(job.subjects.back().grid == Grid{9000, 9000, 1});
}

TEST_CASE("what makes no sense is told, with what to write", "[tune][rows]") {
  AskedTune both = on_serial({"jacobi"});
  both.all = true;
  CHECK_THAT(complaint(both), ContainsSubstring("leave out jacobi, or --all"));
  AskedTune exclude = on_serial({"jacobi"});
  exclude.exclude = {"sor"};
  CHECK_THAT(complaint(exclude), ContainsSubstring("--exclude leaves kernels and solvers out of --all"));
  AskedTune wrong = on_serial({});
  wrong.exclude = {"jakobi"};
  CHECK_THAT(complaint(wrong), ContainsSubstring("did you mean 'jacobi'?"));
  AskedTune method = on_serial({});
  method.method = "plain";
  CHECK_THAT(complaint(method), ContainsSubstring("--method is for one NAME"));
  CHECK_THAT(complaint(on_serial({"jakobi"})), ContainsSubstring("did you mean 'jacobi'?"));
  AskedTune precision = on_serial({"jacobi"});
  precision.precisions = {"fp16"};
  CHECK_THAT(complaint(precision), ContainsSubstring("'fp16' is no precision"));
}
