#include "bench/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "bench/case/case_filter.hpp"
#include "bench/case/known_domain.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/sweep/expand.hpp"
#include "bench/text/words.hpp"
#include "kernels/device/cpu/host_memory.hpp"

namespace cfdmark {
namespace {

constexpr double most_combinations = 1e6;

struct Contents {
  std::string question;
  bool routines = false;
  std::vector<Block> blocks;
  std::vector<YAML::Node> targets;
};

// Parses the value of `routines`: whether solvers record their time by routine.
bool yes_or_no(const SweepFile& file, const YAML::Node& node) {
  const std::string said = file.word(node, "true or false");
  if (said != "true" && said != "false")
    file.fail(node.Mark(), fmt::format("routines is '{}'; expected true or false", said));
  return said == "true";
}

constexpr const char* any_target = "targets such as {cases: '/pipelined@', over_plain: 5}";

// Sets a target for the cases that it matches.
void set_target(const SweepFile& file, const YAML::Node& node, std::vector<Case>& cases) {
  std::string which;
  double over_plain = 0;
  for (const Entry& entry : file.entries(node, any_target)) {
    if (entry.key == "cases")
      which = file.word(entry.value, "a regular expression for names of cases");
    else if (entry.key == "over_plain")
      over_plain = file.positive(entry.value, "how many times as fast as plain, a number above 0");
    else
      file.fail(entry.mark, fmt::format("unknown key '{}'; expected {}", entry.key, any_target));
  }
  if (which.empty() || over_plain == 0)
    file.fail(node.Mark(), fmt::format("incomplete target; expected {}", any_target));
  bool is_of_some = false;
  try {
    const CaseFilter filter(which);
    for (Case& c : cases)
      if (filter.lets_through(c)) c.over_plain = over_plain, is_of_some = true;
  } catch (const std::invalid_argument& e) {
    file.fail(node.Mark(), fmt::format("invalid pattern '{}'; {}", which, e.what()));
  }
  if (!is_of_some)
    file.fail(node.Mark(), fmt::format("'{}' matches no case of this sweep; expected at least one", which));
}

Contents read_contents(const SweepFile& file, const std::vector<Row>& rows) {
  const AxisReader axes(file, rows);
  const std::vector<std::string> keys = {"question", "routines", "blocks", "targets"};
  Contents contents;
  for (const Entry& entry : file.entries(file.root(), "a map with 'question' and 'blocks'")) {
    if (entry.key == "question")
      contents.question = file.word(entry.value, "the question that the sweep answers");
    else if (entry.key == "routines")
      contents.routines = yes_or_no(file, entry.value);
    else if (entry.key == "blocks")
      for (const YAML::Node& node : file.items(entry, "at least one block"))
        contents.blocks.push_back(read_block(file, axes, node));
    else if (entry.key == "targets")
      contents.targets = file.items(entry, any_target);
    else
      file.fail(entry.mark, fmt::format("unknown key '{}'; expected {}{}", entry.key, one_of(keys),
                                        did_you_mean(entry.key, keys)));
  }
  if (contents.question.empty())
    file.fail(file.root().Mark(), "'question' is missing; expected what the sweep answers");
  if (contents.blocks.empty())
    file.fail(file.root().Mark(), "'blocks' is missing; expected at least one block");
  return contents;
}

void check_size(const SweepFile& file, const std::vector<Block>& blocks) {
  double total = 0;
  for (const Block& block : blocks) {
    total += combinations(block);
    if (total > most_combinations)
      file.fail(block.mark,
                fmt::format("with this block the sweep has {:.4g} combinations; expected at most {:.0f}",
                            total, most_combinations));
  }
}

Grid cut(Grid grid, int side) {
  return {std::min(grid.nx, side), std::min(grid.ny, side), std::min(grid.nz, side), grid.dims};
}
// Meshes and matrices of files keep their size.
Domain cut(const Domain& domain, int side) {
  if (domain.is_grid()) return cut(domain.box(), side);
  if (domain.is_matrix()) {
    MatrixRef matrix = domain.matrix();
    for (int& n : matrix.sides) n = std::min(n, std::max(side, 2));
    // A right-hand side has the old size.
    return matrix.is_generated() && matrix.rhs.empty() ? known(Domain(matrix)) : domain;
  }
  MeshRef mesh = domain.mesh();
  for (int& n : mesh.sides) n = std::min(n, side);
  mesh.extra = std::min(mesh.extra, side);
  return mesh;
}

// Removes repeated names. A case that still needs a tuned config differs from one with the defaults.
std::vector<Case> distinct(std::vector<Case> cases) {
  std::unordered_set<std::string> names;
  std::erase_if(cases, [&](const Case& c) {
    return !names.insert(case_name(c) + (c.tuned.wanted ? " tuned" : "")).second;
  });
  return cases;
}

std::vector<Case> thinned(const std::vector<Case>& cases, std::size_t most) {
  if (most == 0 || cases.size() <= most) return cases;
  std::vector<Case> kept;
  for (std::size_t n = 0; n < most; ++n) kept.push_back(cases[n * cases.size() / most]);
  return kept;
}

}  // namespace

Sweep read_sweep(const std::string& path, const SweepOptions& options, const std::vector<Row>& rows) {
  const SweepFile file(path);
  const Contents contents = read_contents(file, rows);
  check_size(file, contents.blocks);

  const RowFinder finder(rows);
  std::vector<Case> cases;
  for (const Block& block : contents.blocks)
    for (Case& c : expand(file, block, finder)) cases.push_back(std::move(c));
  // Matches names as written.
  for (const YAML::Node& target : contents.targets) set_target(file, target, cases);
  if (options.max_side > 0)
    for (Case& c : cases) c.domain = cut(c.domain, options.max_side);
  cases = distinct(std::move(cases));
  cases = thinned(cases, options.max_cases);

  const std::size_t host_memory = options.host_memory.value_or(available_host_memory());
  for (Case& c : cases) c.routines = contents.routines;
  for (Case& c : cases) c.not_run = why_not_run(c, host_memory);
  return {contents.question, std::move(cases)};
}

}  // namespace cfdmark
