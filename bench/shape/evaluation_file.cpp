#include "bench/shape/evaluation_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "bench/device_facts/build_info.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/shape/optimiser.hpp"
#include "bench/text/printable.hpp"

namespace cfdmark {
namespace {

constexpr int schema = 1;

Json header_of(const std::string& study, const Json& facts) {
  const BuildInfo& b = build_info();
  return {{"type", "shape_study"},
          {"schema", schema},
          {"file", study},
          {"study", facts},
          {"program", {{"version", b.version}, {"commit", b.commit}, {"dirty", b.dirty}}},
          {"pagmo", optimiser_version()},
          {"processor", cpu_name()}};
}

// Throws std::invalid_argument if the file is of a study with other facts.
void check_facts(const std::string& path, const Json& kept, const Json& facts) {
  for (const auto& [name, value] : facts.items())
    if (!kept.contains(name) || kept.at(name) != value)
      throw std::invalid_argument(fmt::format(
          "{} has evaluations with another '{}' ({} there, {} now): use another --output, or --restart, "
          "which "
          "moves them to a copy",
          printable(path), name, kept.contains(name) ? one_line(kept.at(name)) : "none", one_line(value)));
}

}  // namespace

std::string ShapeEvaluation::key() const {
  Json values = Json::array();
  for (const auto& [name, value] : parameters) values.push_back(value);
  return one_line({grid, precision, shape, values, {offset.x, offset.y}, violated.empty()});
}

Json to_json(const ShapeEvaluation& e) {
  Json parameters = Json::object(), violated = Json::object();
  for (const auto& [name, value] : e.parameters) parameters[name] = value;
  for (const Violation& v : e.violated) violated[v.constraint] = v.by;
  Json json{{"type", "evaluation"},    {"purpose", e.purpose},     {"generation", e.generation},
            {"outline", e.shape},      {"parameters", parameters}, {"offset", {e.offset.x, e.offset.y}},
            {"grid", e.grid},          {"precision", e.precision}, {"status", to_string(e.flow.status)},
            {"objective", e.objective}};
  if (!e.flow.reason.empty()) json["reason"] = e.flow.reason;
  if (!e.violated.empty()) json["violated"] = violated;
  if (e.flow.iterations > 0)
    json.update({{"drag", e.flow.drag},
                 {"lift", e.flow.lift},
                 {"drag_change", e.flow.drag_change},
                 {"iterations", e.flow.iterations},
                 {"start", e.flow.start},
                 {"seconds", e.flow.seconds}});
  if (e.flow.start_iterations > 0) json["start_iterations"] = e.flow.start_iterations;
  if (e.stop)
    json["stop"] = {{"bound", e.stop->bound},
                    {"threshold", e.stop->threshold},
                    {"iteration", e.stop->iteration},
                    {"audited", e.stop->is_audited}};
  return json;
}

ShapeEvaluation shape_evaluation_from_json(const Json& json) {
  ShapeEvaluation e;
  e.purpose = json.at("purpose"), e.generation = json.at("generation"), e.shape = json.at("outline");
  for (const auto& [name, value] : json.at("parameters").items())
    e.parameters.emplace_back(name, value.get<double>());
  e.offset = {json.at("offset").at(0), json.at("offset").at(1)};
  e.grid = json.at("grid"), e.precision = json.at("precision");
  e.flow.status = evaluation_status_from(json.at("status"));
  e.flow.reason = json.value("reason", "");
  e.objective = json.at("objective");
  if (json.contains("violated"))
    for (const auto& [name, by] : json.at("violated").items()) e.violated.push_back({name, by.get<double>()});
  if (!json.contains("iterations")) return e;
  e.flow.drag = json.at("drag"), e.flow.lift = json.at("lift"), e.flow.drag_change = json.at("drag_change");
  e.flow.iterations = json.at("iterations"), e.flow.seconds = json.at("seconds");
  e.flow.start = json.at("start"), e.flow.start_iterations = json.value("start_iterations", 0);
  if (json.contains("stop")) {
    const Json& stop = json.at("stop");
    e.stop = EarlyStop{stop.at("bound"), stop.at("threshold"), stop.at("iteration"), stop.at("audited")};
  }
  return e;
}

EvaluationFile::EvaluationFile(const std::string& path, const std::string& study, const Json& facts,
                               bool restarts)
    : path_(path), writer_(path) {
  if (restarts) moved_to_ = writer_.start_over();
  std::ifstream in(path);
  bool has_header = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty()) continue;
    const Json json = Json::parse(line, nullptr, false);
    const std::string type = json.is_object() ? json.value("type", Json()).dump() : "";
    try {
      if (type == "\"shape_study\"") {
        check_facts(path, json.at("study"), facts);
        if (json.at("program").at("commit") != build_info().commit)
          warnings_.push_back(
              fmt::format("{}: its first evaluations are of another version of the program", path));
        has_header = true;
        continue;
      }
      if (type != "\"evaluation\"") throw std::runtime_error("no evaluation");
      const ShapeEvaluation e = shape_evaluation_from_json(json);
      if (by_key_.try_emplace(e.key(), e).second) ++found_;
    } catch (const std::invalid_argument&) {
      throw;
    } catch (const std::exception&) {
      warnings_.push_back(
          fmt::format("{}:{}: line skipped: it is incomplete, or no evaluation", path, number));
    }
  }
  if (!has_header && (found_ > 0 || warnings_.size() > 1))
    throw std::invalid_argument(
        fmt::format("{} is not a file of cfdmark shape: use another --output", printable(path)));
  if (!has_header) writer_.append(header_of(study, facts));
}

const ShapeEvaluation* EvaluationFile::find(const std::string& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &found->second;
}

void EvaluationFile::append(const ShapeEvaluation& e) {
  if (find(e.key())) return;
  writer_.append(to_json(e));
  by_key_.emplace(e.key(), e);
}

}  // namespace cfdmark
