// The tuned tables: look-ups, errors, and concurrent updates.
#include "bench/tuned/tuned_lookup.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <map>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/cooperative_blocks.hpp"
#include "bench/catalog/source_hash.hpp"
#include "bench/record/config_json.hpp"
#include "bench/record/records.hpp"
#include "bench/tune/between.hpp"
#include "bench/tune/resident_limit.hpp"
#include "kernels/device/built.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

const TuningDevice h200{"NVIDIA H200", "compute capability 9.0", "13.0", "NVRTC 13.0"};
const TuningDevice h100{"NVIDIA H100", "compute capability 9.0", "13.0", "NVRTC 13.0"};
const TuningDevice a100{"NVIDIA A100", "compute capability 8.0", "13.0", "NVRTC 13.0"};

Row block_row(const std::string& method = "plain") {
  Row row;
  row.name = "jacobi";
  row.backend = BackendKind::cuda;
  row.method = method;
  row.workload_settings = {
      choice_setting("operator", {"constant", "arrays"}, "constant", "of the equations")};
  row.space = {{{"block_x", {16, 32, 64}, 64}, {"block_y", {1, 2, 4}, 4}},
               [](const Config& c) -> std::string {
                 return c.integer("block_x") * c.integer("block_y") <= 1024 ? "" : "too many threads";
               }};
  return row;
}

Json entry(const std::vector<int>& grid, int block_x, const std::string& method = "plain",
           const std::string& scope = "all") {
  return {{"kind", "kernel"},
          {"name", "jacobi"},
          {"backend", "cuda"},
          {"precision", "fp64"},
          {"scope", scope},
          {"grid", grid},
          {"winner", {{"method", method}, {"config", {{"block_x", block_x}, {"block_y", 2}}}}},
          {"source_hash", "abc"}};
}

// Returns "match block_x" for jacobi/cuda/fp64 in the tables of a folder.
std::string found(const TemporaryFolder& folder, const TuningDevice& here, const Grid& grid,
                  const std::string& method = "plain", const std::string& hash = "abc",
                  const char* op = "constant") {
  const Row row = block_row(method);
  const TunedAnswer a =
      look_up(read_tuned_tables(folder.path.string()), here, row, grid, {{"operator", op}}, hash);
  return std::string(to_string(a.match)) + " " + std::to_string(a.config.integer("block_x"));
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// Returns an entry for a range, tuned on these sizes.
Json range_entry(double least, double most, const std::vector<std::vector<int>>& sizes, int block_x) {
  Json e = entry(sizes.back(), block_x);
  e["range"] = {{"least_cells", least}, {"most_cells", most}, {"sizes", Json::array()}};
  for (const auto& size : sizes) e["range"]["sizes"].push_back({{"grid", size}, {"winner", e["winner"]}});
  return e;
}

TEST_CASE("a look-up reports how well it matched, and outside the tuned ranges gives the default",
          "[tuned]") {
  const TemporaryFolder folder;
  update_tuned_table(
      folder.path.string(), h200,
      {range_entry(180. * 180, 700. * 700, {{200, 200}, {400, 400}}, 16),
       range_entry(700. * 700, 1800. * 1800, {{800, 800}, {1600, 1600}}, 32), entry({64, 64, 64}, 48)});
  CHECK(found(folder, h200, {200, 200}) == "exact 16");
  CHECK(found(folder, h200, {400, 400}) == "exact 16");
  CHECK(found(folder, h200, {1600, 1600}) == "exact 32");
  // Between sizes of one range, and between ranges.
  CHECK(found(folder, h200, {301, 299}) == "in_range 16");
  CHECK(found(folder, h200, {699, 699}) == "in_range 16");
  CHECK(found(folder, h200, {701, 701}) == "in_range 32");
  CHECK(found(folder, h200, {1000, 2000}) == "in_range 32");
  CHECK(found(folder, h200, {179, 179}) == "outside 64");
  CHECK(found(folder, h200, {1801, 1801}) == "outside 64");
  CHECK(found(folder, h200, {64, 64, 64}) == "exact 48");
  CHECK(found(folder, h100, {400, 400}) == "same_architecture 16");
  CHECK(found(folder, h100, {4000, 4000}) == "outside 64");
  CHECK(found(folder, a100, {400, 400}) == "none 64");
  CHECK(found(folder, h200, {400, 400}, "shared") == "none 64");
  CHECK(found(folder, h200, {100, 100, 1, 3}) == "outside 64");
}

TEST_CASE("an answer of one size holds for 1.25 times as many or as few cells", "[tuned]") {
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h200, {entry({1000, 1000}, 16)});
  CHECK(found(folder, h200, {1000, 1000}) == "exact 16");
  CHECK(found(folder, h200, {1250, 1000}) == "in_range 16");
  CHECK(found(folder, h200, {1251, 1000}) == "outside 64");
  CHECK(found(folder, h200, {800, 1000}) == "in_range 16");
  CHECK(found(folder, h200, {799, 1000}) == "outside 64");
}

TEST_CASE("an answer holds for grids of similar shape", "[tuned]") {
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h200, {entry({1024, 1024}, 16), entry({128, 128, 128}, 48)});
  CHECK(found(folder, h200, {2048, 512}) == "in_range 16");
  CHECK(found(folder, h200, {512, 2048}) == "in_range 16");
  CHECK(found(folder, h200, {4096, 256}) == "outside 64");
  CHECK(found(folder, h200, {256, 128, 64}) == "in_range 48");
  CHECK(found(folder, h200, {512, 64, 64}) == "outside 64");
  CHECK(alike({1024, 1024}, {500, 2000}));
  CHECK_FALSE(alike({1024, 1024}, {400, 2000}));
}

TEST_CASE("if the default won the answer is the default of the requested size", "[tuned]") {
  const auto row_of = [](const std::string& method) {
    for (const Row& r : catalog())
      if (r.name == "jacobi" && r.backend == BackendKind::serial && r.precision == Precision::fp64 &&
          r.method == method)
        return &r;
    throw std::out_of_range(method);
  };
  const std::vector<const Row*> rows = {row_of("plain"), row_of("wavefront")};
  const auto choice = [](const Row& row) {
    return Json{{"method", row.method}, {"config", config_json(row.space.defaults())}};
  };
  // Wavefront won at both sizes, and was the default at `defaults` of them.
  const auto row_found = [&](int defaults) {
    const Json wavefront = choice(*rows[1]), plain = choice(*rows[0]);
    Json e{{"kind", "kernel"},
           {"name", "jacobi"},
           {"backend", "serial"},
           {"precision", "fp64"},
           {"scope", "all"},
           {"grid", {512, 512}},
           {"winner", wavefront},
           {"default", defaults > 0 ? wavefront : plain},
           {"source_hash", source_hash(*rows[1])}};
    e["range"] = {{"least_cells", 1}, {"most_cells", 1e9}, {"sizes", Json::array()}};
    e["range"]["sizes"] = {
        {{"grid", {128, 128}}, {"winner", wavefront}, {"default", defaults > 1 ? wavefront : plain}},
        {{"grid", {512, 512}}, {"winner", wavefront}, {"default", e["default"]}}};
    const TemporaryFolder folder;
    update_tuned_table(folder.path.string(), h200, {e});
    const TunedMethod m = look_up_method(read_tuned_tables(folder.path.string()), h200, rows, {300, 300},
                                         {{"operator", "constant"}});
    CHECK(m.answer.match == TunedMatch::in_range);
    return m.row;
  };
  CHECK(row_found(0) == rows[1]);
  CHECK(row_found(1) == rows[1]);
  CHECK(row_found(2) == nullptr);
}

namespace {

// Like block_row, but a step is a cooperative launch of one block per 16x16 cells.
Row waiting_row() {
  Row row = block_row();
  row.device_code = true;
  row.prepare_code = [](Backend& offline, const Domain& domain, const Config&, const Config&) {
    const Grid& g = domain.box();
    Launch launch;
    launch.blocks = {(g.nx + 15) / 16, (g.ny + 15) / 16};
    launch.cooperative = true;
    static_cast<CudaBackend&>(offline).prepare({.run = {launch}});
  };
  return row;
}

}  // namespace

TEST_CASE("a cooperative winner is no answer if the device does not hold all its blocks", "[tuned][cuda]") {
  if constexpr (!built_with_cuda) return;
  const Row row = waiting_row();
  CHECK(cooperative_blocks(row, {160, 33}, {}, {}) == 30);
  CHECK(cooperative_blocks(block_row(), {160, 33}, {}, {}) == 0);
  Json e = range_entry(1, 1e8, {{160, 160}}, 16);
  e["winner"]["most_blocks"] = 132;
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h200, {e});
  const TunedTables tables = read_tuned_tables(folder.path.string());
  const auto match = [&](const Grid& grid) {
    return look_up(tables, h200, row, grid, {{"operator", "constant"}}, "abc").match;
  };
  CHECK(match({160, 160}) == TunedMatch::exact);
  CHECK(match({176, 192}) == TunedMatch::in_range);  // 11 by 12: 132 blocks
  CHECK(match({177, 192}) == TunedMatch::none);      // 144
}

TEST_CASE("a grid with too many blocks for the winner of its range takes the answer of the next range",
          "[tuned][cuda]") {
  if constexpr (!built_with_cuda) return;
  const Row waiting = waiting_row();
  Row tiled = block_row("tiled");
  const auto range = [](double least, double most, int side, int block_x, std::optional<int> most_blocks) {
    Json e = range_entry(least, most, {{side, side}}, block_x);
    if (most_blocks) e["winner"]["most_blocks"] = *most_blocks;
    return e;
  };
  const double first = 176. * 176, second = 300. * 300, last = 500. * 500;
  Json beyond = range(second, last, 400, 64, std::nullopt);
  beyond["winner"]["method"] = "tiled";
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h200,
                     {range(150. * 150, first, 160, 16, 132), range(first, second, 200, 32, 200), beyond});
  const TunedTables tables = read_tuned_tables(folder.path.string());
  const auto answer = [&](const Grid& grid) {
    return look_up(tables, h200, waiting, grid, {{"operator", "constant"}}, "abc");
  };
  CHECK(answer({176, 176}).config.integer("block_x") == 16);
  // All have fewer cells, but 12 by 11 blocks, and 7 by 19.
  CHECK(answer({178, 174}).config.integer("block_x") == 16);
  CHECK(answer({97, 300}).match == TunedMatch::in_range);
  CHECK(answer({97, 300}).config.integer("block_x") == 32);
  // 19 by 13 blocks exceed the second range too, and no further entry has this method.
  CHECK(answer({289, 200}).match == TunedMatch::none);
  const TunedMethod method =
      look_up_method(tables, h200, {&waiting, &tiled}, {289, 200}, {{"operator", "constant"}}, Sources::any);
  CHECK(method.row == &tiled);
  CHECK(method.answer.match == TunedMatch::in_range);
  CHECK(method.answer.config.integer("block_x") == 64);
}

TEST_CASE("a range ends at the largest grid whose cooperative blocks are all resident", "[tuned][cuda]") {
  if constexpr (!built_with_cuda) return;
  const Row row = waiting_row(), plain = block_row();
  const Case c{&row, Grid{160, 160}, row.space.defaults(), {}, ""};
  CHECK(fitting_cells(c, 180 * 180, 144) == 180 * 180);  // all fit
  // Squares with sides up to 176 have 11 by 11 blocks; larger ones have 144, more than 132.
  CHECK(std::sqrt(fitting_cells(c, 1e6, 132)) == Approx(176.4).margin(0.2));
}

namespace {

// Returns an answer with two methods on a square: a cooperative one with at most 16 blocks per
// multiprocessor, and another. A time of 0: not measured.
TuneAnswer answer_of(const Row& waiting, const Row& tiled, int side, double waits, double does_not) {
  const Grid grid{side, side};
  const auto case_of = [&](const Row& row) { return Case{&row, grid, row.space.defaults(), {}, ""}; };
  const std::vector<Candidate> candidates = {{waiting.method, waiting.space.defaults()},
                                             {tiled.method, tiled.space.defaults()}};
  TuneAnswer a{
      {SearchSpace(candidates, 1), {case_of(waiting), case_of(tiled)}, {}}, 1, {}, {}, {}, {}, {}, {}, 0};
  for (const double seconds : {waits, does_not}) {
    a.evaluations.emplace_back();
    if (seconds > 0) a.evaluations.back().status = TrialStatus::ok, a.evaluations.back().samples = {seconds};
  }
  const long long blocks = cooperative_blocks(waiting, grid, {}, {});
  a.records = {{{"resources", {{"kernels", {{{"blocks", blocks}, {"resident_blocks", 16}}}}}}}, Json()};
  a.fresh.resize(2);
  return a;
}

const Json of_nine = {{"gpu", {{"multiprocessors", 9}}}};

}  // namespace

TEST_CASE("the block limit of a cooperative kernel keeps the blocks per multiprocessor", "[tuned][cuda]") {
  if constexpr (!built_with_cuda) return;
  const Row waiting = waiting_row(), tiled = block_row("tiled");
  const auto most = [&](int side, const Json& environment) {
    return most_blocks(answer_of(waiting, tiled, side, 1, 1), 0, environment);
  };
  CHECK(most(48, of_nine) == 9);                                              // 9 blocks, one each
  CHECK(most(64, of_nine) == 18);                                             // 16
  CHECK(most(192, of_nine) == 144);                                           // nine hold at most 144
  CHECK(most(64, Json::object()) == 16);                                      // unknown: the present blocks
  CHECK_FALSE(most_blocks(answer_of(waiting, tiled, 64, 1, 1), 1, of_nine));  // not cooperative
}

TEST_CASE("between two sizes the largest grid with the same blocks per multiprocessor is measured",
          "[tuned][cuda]") {
  if constexpr (!built_with_cuda) return;
  const Row waiting = waiting_row(), tiled = block_row("tiled");
  // 16 blocks at 64 x 64, up to 18 on rectangles, but 25 on squares larger than 64.
  const std::vector<TuneAnswer> answers = {answer_of(waiting, tiled, 60, 1, 3),
                                           answer_of(waiting, tiled, 100, 0, 4)};
  const std::vector<GridBetween> found = between(answers, of_nine);
  REQUIRE(found.size() == 2);
  CHECK(found[0].grid == Grid{64, 64});
  REQUIRE(found[0].candidates.size() == 2);
  CHECK(found[0].candidates[0].method == "plain");
  CHECK(found[1].grid == Grid{77, 77});  // the middle: the cooperative one has no time there
  REQUIRE(found[1].candidates.size() == 1);
  CHECK(found[1].candidates[0].method == "tiled");
}

TEST_CASE("an entry of another source is used only on request", "[tuned]") {
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h200, {entry({500, 500}, 16)});
  const TunedTables tables = read_tuned_tables(folder.path.string());
  const Row row = block_row();
  const Config asked{{"operator", "constant"}};
  CHECK(look_up(tables, h200, row, {500, 500}, asked, "changed").match == TunedMatch::none);
  CHECK(look_up(tables, h200, row, {500, 500}, asked, "").match == TunedMatch::none);
  CHECK(look_up(tables, h200, row, {500, 500}, asked, std::nullopt).match == TunedMatch::exact);
}

TEST_CASE("of several ranges that cover a size the narrowest is used, those of this device first",
          "[tuned]") {
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h200,
                     {range_entry(1, 1e8, {{64, 64}, {4096, 4096}}, 16), entry({1000, 1000}, 32)});
  update_tuned_table(folder.path.string(), h100, {entry({500, 500}, 48)});
  CHECK(found(folder, h200, {1010, 1000}) == "in_range 32");
  CHECK(found(folder, h200, {500, 500}) == "in_range 16");
  CHECK(found(folder, h100, {500, 500}) == "exact 48");
  CHECK(found(folder, h100, {1000, 1000}) == "same_architecture 32");
}

TEST_CASE("a tune replaces entries whose sizes it measured, and no others", "[tuned]") {
  const TemporaryFolder folder;
  const auto tuned = [&](std::vector<Json> entries) {
    for (Json& e : entries) e["workload"] = {{"operator", "constant"}};  // as written by a tune
    update_tuned_table(folder.path.string(), h200, entries);
  };
  const auto sizes = [&] {
    std::string text;
    const TunedTables tables = read_tuned_tables(folder.path.string());
    for (const Json& e : tables.tables.at(0).entries) {
      text += text.empty() ? "" : " | ";
      for (const Grid& g : sizes_of(e)) text += grid_text(g) + " ";
    }
    return text;
  };
  tuned({entry({400, 400}, 16), entry({900, 900}, 16), entry({64, 64, 64}, 16)});
  tuned({range_entry(1, 2e5, {{200, 200}, {400, 400}}, 32), range_entry(2e5, 1e6, {{800, 800}}, 48)});
  CHECK(sizes() == "900x900  | 64x64x64  | 200x200 400x400  | 800x800 ");
  // With other ranges: the old ones are replaced, sizes that were not tuned again stay.
  tuned({range_entry(1, 1e5, {{200, 200}}, 32), range_entry(1e5, 1e6, {{400, 400}, {800, 800}}, 48)});
  CHECK(sizes() == "900x900  | 64x64x64  | 200x200  | 400x400 800x800 ");
  tuned({range_entry(1e5, 1e6, {{400, 400}}, 32)});
  CHECK(sizes() == "900x900  | 64x64x64  | 200x200  | 400x400 800x800  | 400x400 ");
}

TEST_CASE("an answer between requested sizes is replaced by one near it or by a range around it", "[tuned]") {
  const auto left_after = [](const std::vector<Json>& again) {
    const TemporaryFolder folder;
    const auto tuned = [&](std::vector<Json> entries) {
      for (Json& e : entries) e["workload"] = {{"operator", "constant"}};
      update_tuned_table(folder.path.string(), h200, entries);
      return read_tuned_tables(folder.path.string()).tables.at(0).entries.size();
    };
    Json between = range_entry(1e5, 2e5, {{400, 400}}, 32);
    between["range"]["sizes"][0]["between"] = true;
    CHECK(asked_sizes_of(between).empty());
    tuned({range_entry(1, 1e5, {{200, 200}}, 16), between, range_entry(2e5, 1e6, {{800, 800}}, 48)});
    return tuned(again);
  };
  // Replaces the first alone; then the first and the last, with nothing new between.
  CHECK(left_after({range_entry(1, 6e4, {{200, 200}}, 16)}) == 3);
  CHECK(left_after({range_entry(1, 3e5, {{200, 200}}, 16), range_entry(3e5, 1e6, {{800, 800}}, 48)}) == 3);
  // One range from the smallest to the largest size.
  CHECK(left_after({range_entry(1, 1e6, {{200, 200}, {800, 800}}, 16)}) == 1);
  // At 1.25 times the cells, and beyond.
  const auto with = [](int nx, int ny) {
    return std::vector{range_entry(1, 3e5, {{200, 200}, {nx, ny}}, 16),
                       range_entry(3e5, 1e6, {{800, 800}}, 48)};
  };
  CHECK(left_after(with(320, 400)) == 2);
  CHECK(left_after(with(319, 400)) == 3);
}

TEST_CASE("an answer with a size between others stays if only its other size is tuned again", "[tuned]") {
  const TemporaryFolder folder;
  const auto tuned = [&](Json entry) {
    entry["workload"] = {{"operator", "constant"}};
    update_tuned_table(folder.path.string(), h200, {entry});
    return read_tuned_tables(folder.path.string()).tables.at(0).entries.size();
  };
  Json both = range_entry(2e5, 4e5, {{512, 512}, {605, 605}}, 32);
  both["range"]["sizes"][1]["between"] = true;
  CHECK(tuned(both) == 1);
  CHECK(tuned(range_entry(1e4, 3e5, {{512, 512}}, 16)) == 2);
  CHECK(tuned(range_entry(1e4, 4e5, {{512, 512}, {600, 600}}, 16)) == 1);
}

TEST_CASE("an answer that no look-up uses any more is removed", "[tuned]") {
  const auto left_after = [](double least_cells) {
    const TemporaryFolder folder;
    // 490 by 490 was measured between 400 by 400 and 800 by 800, as the start of a wide range.
    Json wide = range_entry(2e5, 8e5, {{490, 490}, {800, 800}}, 32);
    wide["range"]["sizes"][0]["between"] = true;
    for (Json e : {wide, range_entry(least_cells, 8e5, {{800, 800}}, 16)}) {
      e["workload"] = {{"operator", "constant"}};
      update_tuned_table(folder.path.string(), h200, {e});
    }
    return read_tuned_tables(folder.path.string()).tables.at(0).entries.size();
  };
  CHECK(left_after(2.4e5) == 1);  // 490 by 490 has 240 100 cells
  CHECK(left_after(2.5e5) == 2);
  CHECK(left_after(1e5) == 2);  // look-ups prefer the narrower, old range
}

TEST_CASE("an answer of a changed source is removed if the new ranges cover its sizes", "[tuned]") {
  const TemporaryFolder folder;
  const auto tuned = [&](Json entry, bool expired) {
    entry["workload"] = {{"operator", "constant"}};
    update_tuned_table(folder.path.string(), h200, {entry}, [=](const Json&) { return expired; });
    return read_tuned_tables(folder.path.string()).tables.at(0).entries.size();
  };
  CHECK(tuned(range_entry(1, 2e5, {{300, 300}}, 16), true) == 1);
  CHECK(tuned(range_entry(1, 2e5, {{200, 200}, {400, 400}}, 32), false) == 2);
  CHECK(tuned(range_entry(1, 2e5, {{200, 200}, {400, 400}}, 32), true) == 1);  // covers 300 by 300
  CHECK(tuned(range_entry(1e5, 1e6, {{800, 800}}, 32), true) == 2);            // not 200 by 200
}

TEST_CASE("a table of another architecture is not used, even if the device name is equal", "[tuned]") {
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), {"A CPU, 2 cores", "x86-64-v4", "", ""}, {entry({512, 512}, 16)});
  CHECK(found(folder, {"A CPU, 2 cores", "x86-64-v4", "", ""}, {512, 512}) == "exact 16");
  CHECK(found(folder, {"A CPU, 2 cores", "x86-64-v3", "", ""}, {512, 512}) == "none 64");
}

TEST_CASE("a tune writes to the user's tables, which precede those of the program", "[tuned]") {
  const TemporaryFolder folder;
  const char* before = std::getenv("XDG_DATA_HOME");
  const std::string data = before ? before : "";
  setenv("XDG_DATA_HOME", folder.path.c_str(), 1);
  unsetenv("CFDMARK_TUNED");
  CHECK(tuned_folder() == folder / "cfdmark/tuned");
  Json own = entry({512, 512}, 16);
  own["name"] = "of my own";
  update_tuned_table(folder / "cfdmark/tuned", h200, {own});
  CHECK(read_usual_tuned_tables().tables.at(0).entries.at(0)["name"] == "of my own");
  setenv("CFDMARK_TUNED", (folder / "chosen").c_str(), 1);
  CHECK(tuned_folder() == folder / "chosen");
  CHECK(read_usual_tuned_tables().tables.empty());
  unsetenv("CFDMARK_TUNED");
  before ? setenv("XDG_DATA_HOME", data.c_str(), 1) : unsetenv("XDG_DATA_HOME");
}

TEST_CASE("a changed source is a miss, and a miss gives the defaults", "[tuned]") {
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h200, {entry({512, 512}, 16)});
  REQUIRE(found(folder, h200, {512, 512}, "plain", "changed") == "none 64");
  REQUIRE(found(TemporaryFolder(), h200, {512, 512}) == "none 64");
}

TEST_CASE("this device precedes another, and a search over the method precedes one over all", "[tuned]") {
  const TemporaryFolder folder;
  update_tuned_table(folder.path.string(), h100, {entry({512, 512}, 16)});
  update_tuned_table(folder.path.string(), h200, {entry({4096, 4096}, 32)});
  REQUIRE(found(folder, h200, {512, 512}) == "same_architecture 16");
  update_tuned_table(folder.path.string(), h200, {entry({4096, 4096}, 48, "plain", "plain")});
  REQUIRE(found(folder, h200, {4096, 4096}) == "exact 48");
}

TEST_CASE("a config that is not valid here is not used", "[tuned]") {
  const TemporaryFolder folder;
  Json unknown = entry({512, 512}, 16), too_large = entry({512, 512}, 1024);
  unknown["winner"]["config"]["warps"] = 4;
  update_tuned_table(folder.path.string(), h200, {unknown});
  CHECK(found(folder, h200, {512, 512}) == "none 64");
  update_tuned_table(folder.path.string(), h200, {too_large});
  CHECK(found(folder, h200, {512, 512}) == "none 64");
  Json word = entry({512, 512}, 16);
  word["winner"]["config"]["block_x"] = "wide";
  update_tuned_table(folder.path.string(), h200, {word});
  CHECK(found(folder, h200, {512, 512}) == "none 64");
}

TEST_CASE("an answer of a kernel is for its operator", "[tuned]") {
  const TemporaryFolder folder;
  Json constant = entry({512, 512}, 16), arrays = entry({512, 512}, 32);
  constant["workload"] = {{"operator", "constant"}}, arrays["workload"] = {{"operator", "arrays"}};
  update_tuned_table(folder.path.string(), h200, {constant});
  CHECK(found(folder, h200, {512, 512}, "plain", "abc", "arrays") == "none 64");
  update_tuned_table(folder.path.string(), h200, {arrays});
  CHECK(found(folder, h200, {512, 512}) == "exact 16");
  CHECK(found(folder, h200, {512, 512}, "plain", "abc", "arrays") == "exact 32");
  CHECK(found(folder, h200, {500, 500}, "plain", "abc", "arrays") == "in_range 32");
}

TEST_CASE("an answer of a solver is exact only for its problem and tolerance", "[tuned]") {
  const TemporaryFolder folder;
  Row row = block_row();
  row.kind = RowKind::solver;
  row.name = "sor";
  row.problems = {{"jump", {}}, {"manufactured", {}}};
  row.workload_settings = {real_setting("tolerance", 1e-6, real_between(0, 1), "of the residual"),
                           {"max_iterations", {}, 10000, "at most"}};
  Json e = entry({512, 512}, 16);
  e.update({{"kind", "solver"}, {"name", "sor"}, {"workload", {{"problem", "jump"}, {"tolerance", 1e-8}}}});
  update_tuned_table(folder.path.string(), h200, {e});
  const TunedTables tables = read_tuned_tables(folder.path.string());
  const auto match = [&](const char* problem, double tolerance) {
    const Config workload = {{"problem", problem}, {"tolerance", tolerance}, {"max_iterations", 100}};
    return look_up(tables, h200, row, {512, 512}, workload, "abc").match;
  };
  CHECK(match("jump", 1e-8) == TunedMatch::exact);
  CHECK(match("jump", 1e-6) == TunedMatch::in_range);
  CHECK(match("manufactured", 1e-8) == TunedMatch::in_range);
}

TEST_CASE("a damaged or foreign file is skipped with a warning that names it, and never overwritten",
          "[tuned]") {
  for (const char* text :
       {"{\"type\": \"cfdmark tu", "{\"tuned\": 1}", "[]", "", "{\"type\":\"cfdmark tuned\",\"schema\":3}",
        "{\"type\":\"cfdmark tuned\",\"schema\":1,\"device\":{},\"entries\":[]}"}) {
    INFO(text);
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "nvidia-h200");
    const std::string path = folder / "nvidia-h200/jacobi.json";
    write_text(path, text);
    const TunedTables tables = read_tuned_tables(folder.path.string());
    CHECK(tables.tables.empty());
    REQUIRE(tables.warnings.size() == 1);
    CHECK_THAT(tables.warnings[0], ContainsSubstring(path));
    CHECK_THROWS_AS(update_tuned_table(folder.path.string(), h200, {entry({8, 8}, 16)}), WriteError);
    CHECK(text_of(path) == text);
  }
}

TEST_CASE("a device has a file per name, and a damaged file affects that name alone", "[tuned]") {
  const TemporaryFolder folder;
  Json copy = entry({512, 512}, 16);
  copy["name"] = "copy";
  copy["gain"] = {{"value", 1.23456789}};
  copy["winner"]["config"]["omega"] = 1.23456789;
  const std::string jacobi = update_tuned_table(folder.path.string(), h200, {entry({512, 512}, 32)});
  CHECK(jacobi == folder / "nvidia-h200/jacobi.json");
  CHECK(update_tuned_table(folder.path.string(), h200, {copy}) == folder / "nvidia-h200/copy.json");
  update_tuned_table(folder.path.string(), h100, {entry({512, 512}, 48)});
  TunedTables tables = read_tuned_tables(folder.path.string());
  REQUIRE(tables.tables.size() == 2);
  REQUIRE(tables.tables[1].device.name == h200.name);
  REQUIRE(tables.tables[1].entries.size() == 2);
  CHECK(tables.tables[1].entries[0]["gain"]["value"] == 1.23457);
  CHECK(tables.tables[1].entries[0]["winner"]["config"]["omega"] == 1.23456789);
  write_text(jacobi, "{");
  tables = read_tuned_tables(folder.path.string());
  CHECK(tables.tables.at(1).entries.size() == 1);
  REQUIRE(tables.warnings.size() == 1);
  CHECK_THAT(tables.warnings[0], ContainsSubstring(jacobi));
}

TEST_CASE("an invalid entry is skipped with a warning, and its file is not overwritten", "[tuned]") {
  const TemporaryFolder folder;
  Json bad = entry({8, 8}, 16);
  bad["winner"]["config"]["block_x"] = {16, 32};
  update_tuned_table(folder.path.string(), h200, {entry({512, 512}, 16), bad});
  const TunedTables tables = read_tuned_tables(folder.path.string());
  REQUIRE(tables.tables.at(0).entries.size() == 1);
  REQUIRE(tables.warnings.size() == 1);
  REQUIRE_THAT(tables.warnings[0], ContainsSubstring("entry 2"));
  REQUIRE_THROWS_AS(update_tuned_table(folder.path.string(), h200, {entry({9, 9}, 16)}), WriteError);
}

TEST_CASE("eight concurrent tunes of one file lose no update", "[tuned]") {
  const TemporaryFolder folder;
  constexpr int tuners = 8, updates = 10;
  for (int t = 0; t < tuners; ++t)
    if (fork() == 0) {
      for (int n = 0; n < updates; ++n)
        update_tuned_table(folder.path.string(), h200, {entry({t + 1, n + 1}, 16)});
      _exit(0);
    }
  for (int status = 0; wait(&status) > 0;) CHECK(status == 0);
  REQUIRE(read_tuned_tables(folder.path.string()).tables.at(0).entries.size() == tuners * updates);
  int files = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path))
    files += file.is_regular_file() && file.path().extension() != ".lock";
  REQUIRE(files == 1);  // no temporary file remains
}

TEST_CASE("a link in place of a table or its lock leaves other files unchanged", "[tuned]") {
  const TemporaryFolder folder;
  const auto device = folder.path / "nvidia-h200";
  const std::string victim = folder / "victim";
  std::ofstream(victim) << "theirs";
  std::filesystem::create_directory(device);
  std::filesystem::create_symlink(folder / "not-there", device / "jacobi.json");
  update_tuned_table(folder.path.string(), h200, {entry({512, 512}, 16)});
  CHECK_FALSE(std::filesystem::exists(folder / "not-there"));
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(device / "jacobi.json")));
  std::filesystem::remove(device / ".jacobi.json.lock");
  std::filesystem::create_symlink(victim, device / ".jacobi.json.lock");
  CHECK_THROWS_WITH(update_tuned_table(folder.path.string(), h200, {entry({64, 64}, 16)}),
                    ContainsSubstring(".jacobi.json.lock"));
  std::ifstream file(victim);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "theirs");
}

TEST_CASE("every row that runs here has a source hash, and backends differ", "[tuned]") {
  std::map<std::string, std::string> hashes;
  for (const Row& row : catalog()) {
    INFO(row_name(row));
    if (row.unavailable.empty()) CHECK(source_hash(row).size() == 16);
    hashes[row.name + "/" + std::string(to_string(row.backend))] = source_hash(row);
  }
  CHECK(hashes.at("jacobi/serial") == hashes.at("jacobi/openmp"));
  CHECK(hashes.at("jacobi/serial") != hashes.at("red_black_sor/serial"));
  CHECK(hashes.at("apply/serial") != hashes.at("residual/serial"));
  if (hashes.contains("jacobi/cuda")) CHECK(hashes.at("jacobi/serial") != hashes.at("jacobi/cuda"));
  CHECK(source_hash(Row()).empty());
}

TEST_CASE("the file name of a device is derived from its name", "[tuned]") {
  REQUIRE(h200.file_stem() == "nvidia-h200");
  REQUIRE(TuningDevice{"Intel(R) Xeon(R) Processor, 16 cores", "", "", ""}.file_stem() ==
          "intel-r-xeon-r-processor-16-cores");
  REQUIRE(TuningDevice{"???", "", "", ""}.file_stem() == "unknown-device");
  Json environment = {
      {"host", {{"cpu", "A CPU"}, {"cores", 2}}},
      {"program", {{"instruction_set", "x86-64-v3"}, {"compiler", "GNU 12"}, {"flags", "-O3"}}},
      {"gpu", {{"reason", "no driver"}}}};
  REQUIRE(tuning_device(environment, BackendKind::openmp).name == "A CPU, 2 cores");
  REQUIRE_THROWS_WITH(tuning_device(environment, BackendKind::cuda), ContainsSubstring("no driver"));
  environment["gpu"] = {
      {"name", "NVIDIA H200"}, {"compute_capability", "9.0"}, {"driver", "13.0"}, {"cuda", "13.0"}};
  REQUIRE(tuning_device(environment, BackendKind::cuda).architecture == "compute capability 9.0");
}

TEST_CASE("cases that request tuned configs get them with a note, without duplicates", "[tuned]") {
  const TemporaryFolder folder;
  Row row = block_row();
  row.source = "kernels/jacobi";
  Json e = entry({512, 512}, 16);
  e["source_hash"] = source_hash(row);
  update_tuned_table(folder.path.string(), h200, {e});
  const Json environment = {{"gpu", {{"name", h200.name}, {"compute_capability", "9.0"}}}};
  Case plain;
  plain.row = &row;
  plain.domain = Grid{512, 512};
  plain.config = row.space.defaults();
  plain.workload = {{"operator", "constant"}};
  Case tuned = plain, other = plain;
  tuned.tuned.wanted = other.tuned.wanted = true;
  other.domain = Grid{8, 8, 8};
  Case named = plain;
  named.config = {{"block_x", 16}, {"block_y", 2}};
  std::vector<Case> cases = {plain, named, tuned, other};
  use_tuned_configs(cases, read_tuned_tables(folder.path.string()), environment,
                    [](const std::string&) { FAIL("no warning"); });
  REQUIRE(cases.size() == 3);
  REQUIRE(cases[0].tuned.match.empty());
  REQUIRE(cases[1].tuned.match == "exact");
  REQUIRE(cases[1].tuned.grid == "512x512");
  REQUIRE(cases[2].tuned.match == "none");
  REQUIRE(cases[2].config == row.space.defaults());
  REQUIRE(tuned_matches_text(cases) == "1 exact, 1 none");
  cases[1].domain = Grid{64, 64};
  REQUIRE_THAT(tuned_matches_text(cases), Catch::Matchers::Matches(R"(1 exact \(.* 64 .*\), 1 none)"));
  cases[1].tuned.match = "outside";
  REQUIRE_THAT(tuned_matches_text(cases), Catch::Matchers::Matches(R"(1 none, 1 outside \(.* 64 .*\))"));
}
