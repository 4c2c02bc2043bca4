#include "bench/compare/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "bench/compare/record_facts.hpp"

namespace cfdmark::compare {
namespace {

constexpr const char* refused_facts[] = {"/host/cpu",
                                         "/host/cores",
                                         "/host/cpu_quota",
                                         "/gpu/name",
                                         "/gpu/compute_capability",
                                         "/gpu/multiprocessors",
                                         "/program/build_type",
                                         "/openmp/max_threads",
                                         "/openmp/proc_bind",
                                         "/openmp/places",
                                         "/libraries/Kokkos device"};
// Refused only if both sides record them: cloud machines with one CPU name have processors of several models.
constexpr const char* refused_if_known[] = {"/host/processor/vendor", "/host/processor/family",
                                            "/host/processor/model"};
constexpr const char* noted_facts[] = {"/host/machine",
                                       "/host/name_hash",
                                       "/host/memory_bytes",
                                       "/host/os",
                                       "/host/kernel",
                                       "/host/numa_nodes",
                                       "/host/smt",
                                       "/host/governor",
                                       "/gpu/identity",
                                       "/gpu/driver",
                                       "/gpu/cuda",
                                       "/gpu/compiler",
                                       "/program/compiler",
                                       "/program/flags",
                                       "/gpu/compiler_options",
                                       "/program/instruction_set",
                                       "/program/built_for_another_processor",
                                       "/libraries/Kokkos",
                                       "/libraries/OpenBLAS",
                                       "/libraries/cuBLAS",
                                       "/libraries/cuSPARSE",
                                       "/libraries/FFTW",
                                       "/libraries/cuFFT",
                                       "/libraries/hypre",
                                       "/libraries/Ginkgo",
                                       "/libraries/Google Benchmark",
                                       "/libraries/nvbench"};

// Returns all values of a fact in a side's environments; a file may contain several runs.
std::string values_of(const Side& side, const std::string& path) {
  std::set<std::string> values;
  for (const Json& environment : side.environments()) {
    const Json* value = fact(environment, path);
    values.insert(!value ? "none" : value->is_string() ? value->get<std::string>() : one_line(*value));
  }
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : " and ") + value;
  return text.empty() ? "not recorded" : text;
}

bool every_environment_has(const Side& side, const std::string& path) {
  return std::all_of(side.environments().begin(), side.environments().end(),
                     [&](const Json& environment) { return fact(environment, path); });
}

template <std::size_t n>
void add_different(std::vector<std::string>& list, const char* const (&paths)[n], const Side& base,
                   const Side& now, bool only_if_known = false) {
  for (const char* path : paths) {
    if (only_if_known && !(every_environment_has(base, path) && every_environment_has(now, path))) continue;
    const std::string b = values_of(base, path), w = values_of(now, path);
    std::string name = path + 1;
    for (char& letter : name)
      if (letter == '/') letter = '.';
    if (b != w) list.push_back(fmt::format("{}: {} in the base, {} in the new", name, b, w));
  }
}

}  // namespace

Differences differences(const Side& base, const Side& now) {
  Differences found;
  for (const Side* side : {&base, &now})
    if (side->has_unknown_schema())
      found.refused.push_back(fmt::format("schema: {} has records of an unknown schema", side->name()));
  add_different(found.refused, refused_facts, base, now);
  add_different(found.refused, refused_if_known, base, now, true);
  add_different(found.noted, noted_facts, base, now);
  return found;
}

std::vector<std::string> thread_differences(const std::vector<Match>& matches) {
  std::vector<std::string> found;
  for (const Match& m : matches) {
    if (!m.base || !m.now || !m.other_config.empty()) continue;
    const auto base = number_fact(m.base->last(), "/resources/threads"),
               now = number_fact(m.now->last(), "/resources/threads");
    if (!base || !now || base == now) continue;
    const std::string text = fmt::format("threads of {}: {} in the base, {} in the new",
                                         text_fact(m.now->last(), "/backend"), *base, *now);
    if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
  }
  return found;
}

void refuse(const std::vector<std::string>& refused) {
  if (refused.empty()) return;
  std::string text = "the two sides are not comparable; --force compares them anyway:";
  for (const std::string& difference : refused) text += "\n  " + difference;
  throw std::invalid_argument(text);
}

}  // namespace cfdmark::compare
