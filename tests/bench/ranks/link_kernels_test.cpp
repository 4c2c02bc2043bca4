// Kernels that are communication alone, and solves side by side, as cases of a sweep.
#include "bench/case/ranked_case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/measure/prepared_case.hpp"
#include "kernels/halo/halo.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "kernels/sum_over_ranks/sum_over_ranks.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

Case case_of(const std::string& row, const Grid& grid, const RankSetup& setup, const Config& workload = {},
             const Config& config = {}) {
  for (const Row& one : catalog())
    if (row_name(one) == row) {
      Case c{&one, grid,
             with_ranks(one.space.defaults(), {{"ranks", setup.count}, {"partition", setup.partition}}),
             workload_of(one, workload), ""};
      for (const auto& [name, value] : config.values()) c.config.set(name, value);
      return c;
    }
  throw std::logic_error("the catalog has no row " + row);
}

nlohmann::json ranks_of_verified(const Case& c) {
  const auto workload = prepare_workload(c, backend(c.row->backend));
  const Verification v = workload->verify();
  INFO(v.reason);
  CHECK(v.passed);
  return workload->rank_facts();
}

}  // namespace

TEST_CASE("an exchange fills every ghost on 1 to 7 ranks, in both precisions, for all kinds of parts",
          "[ranks]") {
  for (const char* precision : {"fp32", "fp64"})
    for (const Grid& grid : {Grid{23, 19}, Grid{17, 14, 16}})
      for (const int ranks : {1, 2, 3, 4, 7})
        for (const char* partition : {"slabs", "pencils", "blocks"})
          for (const int layers : {1, 2}) {
            const Case c = case_of("halo/serial/" + std::string(precision) + "/memory", grid,
                                   {ranks, partition}, {{"layers", layers}});
            INFO(case_name(c));
            ranks_of_verified(c);
          }
}

TEST_CASE("slabs send two messages a rank with the given number of layers", "[ranks]") {
  const auto ranks =
      ranks_of_verified(case_of("halo/serial/fp64/memory", {64, 12}, {3, "slabs"}, {{"layers", 4}}));
  constexpr int row = 64 + 2 * 4;  // with the ghosts beyond its ends
  CHECK(ranks.at("exchange").at("messages_per_step") == 6);
  CHECK(ranks.at("exchange").at("largest_message") == row * 4 * 8);
  CHECK(ranks.at("exchange").at("bytes_per_step") == 6 * row * 4 * 8);
  CHECK(ranks.at("sums").at("per_step") == 0);
}

TEST_CASE("more layers than the thinnest part has cells are refused with both numbers", "[ranks]") {
  const auto reason = [](int ranks, int layers) {
    return why_not_run(case_of("halo/serial/fp64/memory", {64, 12}, {ranks, "slabs"}, {{"layers", layers}}),
                       1'000'000'000);
  };
  CHECK(reason(2, 6) == "");
  CHECK_THAT(reason(2, 7), Mentions({"6 cells", "7 layers"}));
  CHECK_THAT(reason(1, 13), Mentions({"12 cells", "13 layers"}));
}

TEST_CASE("a sum over ranks has the bits of the sum in the order of the domain, for all kinds of parts",
          "[ranks]") {
  for (const int ranks : {1, 2, 3, 4, 7})
    for (const char* partition : {"slabs", "pencils", "blocks"})
      for (const Grid& grid : {Grid{40, 130}, Grid{18, 14, 20}}) {
        const Case c = case_of("sum_over_ranks/serial/fp64/memory", grid, {ranks, partition});
        INFO(case_name(c));
        const auto facts = ranks_of_verified(c);
        if (ranks > 1) CHECK(facts.at("sums").at("per_step") == 1);
      }
}

TEST_CASE("an exchange that did not run, and a sum without one rank's numbers, are found", "[ranks]") {
  on_thread_ranks(2, [](Ranks& ranks) {
    const RankPlace here{backend(BackendKind::serial)};
    const auto halo = halo_part(ranks, here, halo_partition({9, 8}, {2, "slabs"}), Precision::fp64, 1);
    halo->load();
    CHECK_THAT(halo->difference(), Mentions({"nan"}));
    halo->run();
    CHECK(halo->difference() == "");
    const auto sum = sum_part(ranks, here, Partition::of({9, 8}, 2, PartShape::from("slabs")));
    sum->load();
    CHECK_THAT(sum->difference(), Mentions({"nan"}));
    sum->run();
    CHECK(sum->difference() == "");
  });
}

TEST_CASE("copies solve the whole problem on each rank, exchange nothing, and take the iterations of one",
          "[ranks]") {
  const Config workload = {{"max_iterations", 30}};
  const Case one = case_of("cg/serial/fp64/textbook", {24, 20}, {}, workload),
             two = case_of("cg/serial/fp64/textbook", {24, 20}, {2, "copies"}, workload);
  CHECK(case_name(two) != case_name(one));
  const auto alone = prepare_workload(one, backend(BackendKind::serial)),
             copies = prepare_workload(two, backend(BackendKind::serial));
  CHECK(alone->verify().passed);
  CHECK(copies->verify().passed);
  copies->reset();
  copies->run();
  CHECK(copies->iterations() == alone->iterations());
  CHECK(copies->cost().cells == 2 * alone->cost().cells);
  CHECK(copies->field_bytes() == 2 * alone->field_bytes());
  const auto ranks = copies->rank_facts();
  CHECK(ranks.at("partition").at("kind") == "copies");
  CHECK(ranks.at("partition").at("cells") == nlohmann::json({480, 480}));
  CHECK(ranks.at("exchange").at("messages_per_step") == 0);
  for (const double seconds : ranks.at("seconds").at("work")) CHECK(seconds > 0);
}

TEST_CASE("multigrid that repeats coarse levels records the time of that, and gathered levels none",
          "[ranks]") {
  const auto redundant = [](const char* coarse) {
    const Case c = case_of("multigrid/serial/fp64/plain", {63, 63}, {2, "slabs"}, {},
                           {{"gather_cells", 100000}, {"coarse", coarse}});
    const auto workload = prepare_workload(c, backend(BackendKind::serial));
    CHECK(workload->verify().passed);
    workload->reset();
    workload->run();
    return workload->rank_facts().at("detail").at("redundant").get<std::vector<double>>();
  };
  for (const double seconds : redundant("redundant")) CHECK(seconds > 0);
  CHECK(redundant("gathered") == std::vector<double>{0, 0});
}
