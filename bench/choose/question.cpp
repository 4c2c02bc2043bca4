#include "bench/choose/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "bench/case/known_domain.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/device_choice.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/text/words.hpp"
#include "kernels/device/cpu/host_memory.hpp"
#include "solvers/families.hpp"

namespace cfdmark {
namespace {

// The pressure equation's problem by coefficients and boundary.
struct PressureProblem {
  const char *coefficients, *boundary, *problem;
};
constexpr PressureProblem pressure_problems[] = {{"constant", "dirichlet", "manufactured"},
                                                 {"constant", "neumann", "insulated"},
                                                 {"constant", "periodic", "periodic_box"},
                                                 {"jump", "dirichlet", "jump"}};

std::string pressure_problem(const AskedChoice& asked) {
  const std::string coefficients = asked.coefficients.empty() ? "constant" : asked.coefficients,
                    boundary = asked.boundary.empty() ? "dirichlet" : asked.boundary;
  std::vector<std::string> known;
  for (const PressureProblem& p : pressure_problems) {
    if (coefficients == p.coefficients && boundary == p.boundary) return p.problem;
    known.push_back(fmt::format("--coefficients {} --boundary {}", p.coefficients, p.boundary));
  }
  throw std::invalid_argument(
      fmt::format("no problem has --coefficients {} with --boundary {}; expected {}, or a --problem",
                  coefficients, boundary, one_of(known)));
}

const Family& family_of(const Question& question) {
  for (const Family& family : families())
    if (family.name == question.family) return family;
  throw std::logic_error("unknown family: " + question.family);
}

// The settings of a problem's workload and of all methods.
std::vector<Setting> settings_of(const std::vector<const Row*>& rows, const std::string& problem) {
  std::vector<Setting> settings = workload_space(*rows.front(), problem).settings;
  for (const Row* row : rows)
    for (const Setting& s : row->space.settings)
      if (!find_setting(settings, s.name)) settings.push_back(s);
  return settings;
}

void check_words(const char* option, const std::vector<std::string>& words,
                 const std::vector<std::string>& known) {
  for (const std::string& word : words)
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw std::invalid_argument(
          fmt::format("{} {}: expected {}{}", option, word, one_of(known), did_you_mean(word, known)));
}

template <class All>
std::vector<std::string> words_of(const All& all) {
  std::vector<std::string> words;
  for (const auto one : all) words.emplace_back(to_string(one));
  return words;
}

bool is_among(const std::vector<std::string>& words, std::string_view word) {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

// The place of a case in the order of trials. Solvers whose iterations grow fast with the grid come last, and
// 32 bits, which may not reach the tolerance, after the others. Default methods come before the others.
// Tables of solvers end with the most advanced ones, and the times that others have to beat should be known
// early.
using TrialRank = std::tuple<bool, bool, bool, std::ptrdiff_t>;
TrialRank trial_rank(const Case& c, const std::set<const Row*>& defaults) {
  if (!c.not_run.empty()) return {true, true, true, 0};
  const Family& family = *c.row->family;
  const FamilySolver* solver = find_solver(family, c.row->name);
  const bool is_default = defaults.contains(c.row) && c.config == c.row->space.defaults();
  return {solver->is_slow, c.row->precision == Precision::fp32, !is_default,
          &family.solvers.front() - solver};
}

// Returns the default row of each solver, backend and precision.
std::set<const Row*> default_rows(const std::vector<Case>& cases) {
  std::map<std::tuple<std::string, BackendKind, Precision>, std::vector<const Row*>> groups;
  for (const Case& c : cases)
    if (c.not_run.empty()) groups[{c.row->name, c.row->backend, c.row->precision}].push_back(c.row);
  std::set<const Row*> defaults;
  for (const auto& [group, rows] : groups)
    defaults.insert(&default_row(rows, cases.front().domain, cases.front().workload));
  return defaults;
}

// Returns the config of a row with these settings; none if the row lacks one of them or refuses the values.
std::optional<Config> config_with(const Row& row, const Config& given, const Config& variant) {
  Config all = given;
  for (const auto& [name, value] : variant.values()) {
    if (!find_setting(row.space.settings, name) || given.has(name)) return std::nullopt;
    all.set(name, value);
  }
  Config config = row.space.filled(all);
  if (variant.empty()) return config;
  try {
    row.space.check(config);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  return config == row.space.filled(given) ? std::nullopt : std::optional(config);
}

}  // namespace

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      {"pressure",
       "Poisson's equation of the pressure; --coefficients and --boundary choose the problem",
       "linear",
       "manufactured",
       "512x512",
       {{{"preconditioner_precision", "fp32"}}}},
      {"momentum",
       "an unsymmetric equation of convection and diffusion, as of one velocity component",
       "linear",
       "convection",
       "512x512",
       {{{"preconditioner_precision", "fp32"}}}},
      {"flow",
       "a whole flow up to its steady state, such as the lid-driven cavity",
       "flow",
       "cavity",
       "64x64",
       {{{"pressure_solver", "multigrid"}, {"pressure_sweeps", 3}},
        {{"pressure_solver", "cg"}, {"pressure_sweeps", 100}, {"pressure_tolerance", 0.1}},
        {{"pressure_solver", "direct"}}}},
      {"relaxation", "linear systems of 5x5 blocks, as implicit flow solvers relax them", "block",
       "flux_split", "24x10x16"},
      {"matrix", "your own system A x = b, by --matrix and --rhs", "matrix", "matrix_system",
       "poisson-512x512"}};
  return all;
}

const Question& find_question(const std::string& name) {
  std::vector<std::string> names;
  for (const Question& question : questions()) {
    if (question.name == name) return question;
    names.push_back(question.name);
  }
  throw std::invalid_argument(
      fmt::format("unknown question '{}'; expected {}{}", name, one_of(names), did_you_mean(name, names)));
}

std::string problem_of(const AskedChoice& asked) {
  const Question& question = find_question(asked.question);
  const bool by_words = !asked.coefficients.empty() || !asked.boundary.empty();
  if (by_words && (question.name != "pressure" || !asked.problem.empty()))
    throw std::invalid_argument(
        question.name == "pressure"
            ? "--problem already has its coefficients and boundary; remove --coefficients and --boundary"
            : fmt::format("--coefficients and --boundary belong to `choose pressure`; for {} use --problem",
                          question.name));
  if (asked.problem.empty()) return question.name == "pressure" ? pressure_problem(asked) : question.problem;
  std::vector<std::string> names;
  for (const FamilyProblem& problem : family_of(question).problems) names.push_back(problem.name);
  check_words("--problem", {asked.problem}, names);
  return asked.problem;
}

namespace {

// Returns the grid or the matrix of a choice.
Domain domain_of(const AskedChoice& asked, const Question& question) {
  const bool takes_matrix = question.family == "matrix";
  if (!takes_matrix && !(asked.matrix.empty() && asked.rhs.empty()))
    throw std::invalid_argument(fmt::format(
        "--matrix and --rhs belong to `choose matrix`; for {} use --grid and --problem", question.name));
  if (!takes_matrix) return asked_grid(asked.grid.empty() ? question.domain : asked.grid);
  if (!asked.grid.empty()) throw std::invalid_argument("`choose matrix` has no --grid; use --matrix A.mtx");
  if (asked.matrix.empty() && !asked.rhs.empty())
    throw std::invalid_argument("--rhs needs the matrix: add --matrix A.mtx");
  return asked_matrix(asked.matrix.empty() ? question.domain : asked.matrix, asked.rhs);
}

// Returns the options of `solve` for a domain.
std::string domain_options(const Domain& domain) {
  if (!domain.is_matrix()) return "--grid " + domain.text();
  const MatrixRef& a = domain.matrix();
  if (a.is_generated() && a.rhs.empty()) return "--matrix " + domain.text();
  const std::string matrix = a.is_generated() ? domain.text().substr(0, domain.text().find('+')) : a.file;
  return "--matrix " + matrix + (a.rhs.empty() ? "" : " --rhs " + a.rhs);
}

}  // namespace

std::vector<Case> competing_cases(const AskedChoice& asked, const std::vector<Row>& rows) {
  const Question& question = find_question(asked.question);
  const std::string problem = problem_of(asked);
  check_words("--backend", asked.backends, words_of(all_backends));
  check_words("--precision", asked.precisions, words_of(all_precisions));
  const Family& family = family_of(question);
  std::vector<const Row*> competing;
  for (const Row& row : rows)
    if (row.family == &family && is_among(asked.backends, to_string(row.backend)) &&
        is_among(asked.precisions, to_string(row.precision)))
      competing.push_back(&row);
  if (competing.empty()) throw std::invalid_argument("no solver has this backend and precision");
  Config given = asked.settings.values(settings_of(competing, problem), question.name);
  given.set("problem", problem);

  const Domain domain = domain_of(asked, question);
  const std::size_t memory = available_host_memory();
  std::vector<Config> variants = {{}};
  variants.insert(variants.end(), question.variants.begin(), question.variants.end());
  std::vector<Case> cases;
  for (const Row* row : competing)
    for (const Config& variant : variants)
      if (const auto config = config_with(*row, given, variant))
        cases.push_back({row, domain, *config, workload_of(*row, given), ""});
  use_device(cases, asked.device);
  for (Case& c : cases) c.not_run = why_not_run(c, memory);
  const std::set<const Row*> defaults = default_rows(cases);
  std::vector<std::pair<TrialRank, std::size_t>> order;
  for (std::size_t n = 0; n < cases.size(); ++n) order.push_back({trial_rank(cases[n], defaults), n});
  std::sort(order.begin(), order.end());
  std::vector<Case> in_order;
  for (const auto& [rank, n] : order) in_order.push_back(std::move(cases[n]));
  return in_order;
}

std::string solve_command(const Case& c) {
  const Row& row = *c.row;
  std::string text =
      fmt::format("cfdmark solve --solver {} --problem {} {} --backend {} --precision {} --method {}",
                  row.name, c.workload.choice("problem"), domain_options(c.domain), to_string(row.backend),
                  to_string(row.precision), row.method);
  if (c.device > 0) text += fmt::format(" --device {}", c.device);
  const Config usual = workload_space(row, c.workload.choice("problem")).defaults();
  const Config workload = c.workload.differing_from(usual),
               config = c.config.differing_from(row.space.defaults());
  for (const auto& [name, value] : workload.values())
    if (name != "problem") text += fmt::format(" {} {}", option_name(name), to_string(value));
  for (const auto& [name, value] : config.values())
    text += fmt::format(" --set {}={}", name, to_string(value));
  return text;
}

}  // namespace cfdmark
