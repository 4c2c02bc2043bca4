#include "bench/record/twin_kernels.hpp"

#include <algorithm>
#include <string_view>

namespace cfdmark {
namespace {

// All that had a twin.
constexpr std::string_view twins[] = {"apply",         "residual",     "jacobi",   "gauss_seidel",
                                      "red_black_sor", "cg_direction", "cg_update"};
constexpr std::string_view ending = "_coefficients";

// Takes the ending from the name of a kernel; returns the operator, or nothing for a kernel without.
std::string take_operator(std::string& name) {
  const bool ended = name.ends_with(ending);
  const std::string kernel = ended ? name.substr(0, name.size() - ending.size()) : name;
  if (std::find(std::begin(twins), std::end(twins), kernel) == std::end(twins)) return "";
  name = kernel;
  return ended ? "arrays" : "constant";
}

// Names the kernel and asks it for its operator; returns the operator, empty where nothing was to be done.
std::string ask(Json& named) {
  if (named.value("kind", Json()) != "kernel" || !named.value("name", Json()).is_string() ||
      named.contains("question"))
    return "";
  std::string name = named["name"];
  const std::string op = take_operator(name);
  if (!op.empty()) named["name"] = name, named["question"] = {{"operator", op}};
  return op;
}

// The case's name, whose kernel was `before`.
std::string renamed(const std::string& text, const std::string& before, const std::string& now) {
  return text.starts_with(before + "/") ? now + text.substr(before.size()) : text;
}

}  // namespace

Json record_from_twins(Json record) {
  const Json before = record.value("name", Json());
  const std::string op = ask(record);
  if (op.empty() || !record.value("case", Json()).is_string()) return record;
  const std::string name = renamed(record["case"], before, record["name"]);
  const Json label = record.value("label", record["case"]);
  const std::string told = label.is_string() ? renamed(label, before, record["name"]) : name;
  record["case"] = name + ";operator=" + op;
  record["label"] = op == "arrays" ? told + ";operator=" + op : told;
  return record;
}

Json entry_from_twins(Json entry) {
  ask(entry);
  return entry;
}

}  // namespace cfdmark
