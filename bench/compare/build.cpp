#include "bench/compare/build.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/record/config_json.hpp"
#include "bench/record/environment.hpp"
#include "bench/text/printable.hpp"
#include "bench/worker/ask_worker.hpp"
#include "bench/worker/program.hpp"

namespace cfdmark::compare {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_to_describe = 120;  // a GPU driver may need a long time to start

std::string program_in(const std::string& folder) {
  const fs::path program = fs::absolute(fs::path(folder) / "cfdmark");
  if (access(program.c_str(), X_OK) == 0 && fs::is_regular_file(program)) return program.string();
  for (const char* preset : {"build/release", "build/ci"})
    if (fs::exists(fs::path(folder) / preset / "cfdmark"))
      throw std::invalid_argument(fmt::format("{}: no program cfdmark in this folder; did you mean '{}'?",
                                              folder, (fs::path(folder) / preset).string()));
  throw std::invalid_argument(fmt::format(
      "{}: no program cfdmark in this folder; expected a build folder such as build/release", folder));
}

Row row_from(const Json& json) {
  Row row;
  row.kind = json.at("kind") == "solver" ? RowKind::solver : RowKind::kernel;
  row.name = json.at("name");
  row.backend = backend_from(json.at("backend").get<std::string>());
  row.precision = precision_from(json.at("precision").get<std::string>());
  row.method = json.at("method");
  for (const DomainKind kind : {DomainKind::grid, DomainKind::mesh, DomainKind::matrix})
    if (json.value("runs_on", "") == to_string(kind)) row.runs_on = kind;
  if (json.value("on_meshes", false)) row.runs_on = DomainKind::mesh;  // of builds before matrices
  row.unavailable = json.at("available").get<bool>() ? "" : json.at("reason").get<std::string>();
  row.space.settings = settings_from_json(json.at("settings"));
  row.workload_settings = settings_from_json(json.at("solve_settings"));
  for (const Json& p : json.at("problems"))
    row.problems.push_back({p.at("name"), settings_from_json(p.at("settings"))});
  row.field_bytes = row.host_bytes = [](const Domain&, const Config&) { return 0.0; };  // not in a list
  return row;
}

std::vector<Row> rows_from(const std::string& program) {
  const ProgramEnd list = run_program({program, "list", "--json"}, "", true, seconds_to_describe);
  try {
    if (!list.how.empty()) throw std::runtime_error("the program " + list.how);
    std::vector<Row> rows;
    for (const Json& row : Json::parse(list.output)) rows.push_back(row_from(row));
    return rows;
  } catch (const std::exception& e) {
    throw std::invalid_argument(
        fmt::format("`{} list --json` failed or printed another format: {}", program, message_of(e)));
  }
}

// Returns this program's version of the row, with what a list omits.
Row lent_by_ours(const Row& row) {
  const auto ours = own_rows().find(row);
  if (!ours) return row;
  Row lent = catalog()[*ours];
  lent.space.settings = row.space.settings, lent.workload_settings = row.workload_settings;
  return lent;
}

}  // namespace

Build::Build(std::string folder)
    : folder_(std::move(folder)),
      program_(program_in(folder_)),
      rows_(rows_from(program_)),
      worker_rows_(rows_) {
  ask_worker();
}

const std::string* Build::unavailable(const Row& row) const {
  const auto found = worker_rows_.find(row);
  return found ? &rows_[*found].unavailable : nullptr;
}

const std::string* Build::unavailable(const Case& c) const {
  const auto found = worker_rows_.find(*c.row);
  if (!found) return nullptr;
  const Row& row = rows_[*found];
  std::set<std::string> known = {"problem"};
  for_each_setting(row, [&](const Setting& s) { known.insert(s.name); });
  const std::string problem = c.workload.has("problem") ? c.workload.choice("problem") : "";
  // A setting that the build does not know does no harm while it has its default value.
  const Config given = c.workload.differing_from(workload_space(*c.row, problem).defaults());
  for (const auto& [name, value] : given.values())
    if (!known.contains(name)) return nullptr;
  return &row.unavailable;
}

void Build::ask_worker() {
  Json description;
  Supervisor worker(worker_command(), seconds_to_describe);
  const Answer answer = ask_for_description(worker, description, [](const std::string&) { return true; });
  if (answer.end != Answer::End::done || !description.is_object())
    throw std::invalid_argument(
        fmt::format("{}: cannot be compared by this program: {}; build both from commits whose workers speak "
                    "the same protocol",
                    folder_, answer.reason.empty() ? "its worker does not answer" : answer.reason));
  environment_ = environment_line(description, Json::array());
}

std::vector<Row> rows_of_both(const Build& base, const Build& now) {
  std::vector<Row> rows;
  const auto add = [&](const Row& row, const std::string* other) {
    rows.push_back(lent_by_ours(row));
    rows.back().unavailable = other && other->empty() ? "" : row.unavailable;
  };
  for (const Row& row : now.rows()) add(row, base.unavailable(row));
  for (const Row& row : base.rows())
    if (!now.unavailable(row)) add(row, nullptr);
  return rows;
}

}  // namespace cfdmark::compare
