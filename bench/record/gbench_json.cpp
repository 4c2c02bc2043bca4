#include "bench/record/gbench_json.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include "bench/record/records.hpp"

namespace cfdmark {
namespace {

Json context_of(const Json& environment) {
  const Json host = environment.value("host", Json::object()),
             program = environment.value("program", Json::object());
  Json context = {{"date", environment.value("time", "")},
                  {"host_name", host.value("name_hash", "")},
                  {"executable", "cfdmark " + program.value("version", "")},
                  {"num_cpus", host.value("cores", 0)},
                  {"caches", Json::array()},
                  {"library_build_type", program.value("build_type", "") == "Debug" ? "debug" : "release"}};
  for (const Json& cache : host.value("caches", Json::array()))
    context["caches"].push_back({{"type", cache["level"] == 1 ? "Data" : "Unified"},
                                 {"level", cache["level"]},
                                 {"size", cache["bytes"]},
                                 {"num_sharing", cache["shared_by"]}});
  return context;
}

void add_samples(Json& benchmarks, const Json& record, int family) {
  const Json& time = record.at("time");
  const Json& samples = time.at("samples");
  for (std::size_t n = 0; n < samples.size(); ++n)
    benchmarks.push_back({{"name", record.at("case")},
                          {"family_index", family},
                          {"per_family_instance_index", 0},
                          {"run_name", record.at("case")},
                          {"run_type", "iteration"},
                          {"repetitions", samples.size()},
                          {"repetition_index", n},
                          {"threads", 1},
                          {"iterations", time.at("steps_per_sample")},
                          {"real_time", samples[n].get<double>() * 1e9},
                          {"cpu_time", samples[n].get<double>() * 1e9},
                          {"time_unit", "ns"}});
}

}  // namespace

Json gbench_json(const std::vector<Json>& lines, const std::vector<std::string>& cases) {
  Json environment = Json::object();
  std::map<std::string, const Json*> latest;
  for (const Json& line : lines)
    if (line.at("type") == "environment")
      environment = line;
    else
      latest[line.value("case", "")] = &line;
  Json benchmarks = Json::array();
  int family = 0;
  for (const std::string& name : cases)
    if (const auto found = latest.find(name); found != latest.end() &&
                                              found->second->value("status", "") == "ok" &&
                                              found->second->contains("time"))
      add_samples(benchmarks, *found->second, family++);
  return {{"context", context_of(environment)}, {"benchmarks", benchmarks}};
}

void write_gbench_json(const std::vector<Json>& lines, const std::vector<std::string>& cases,
                       const std::string& to) {
  const Json json = gbench_json(lines, cases);
  errno = 0;
  std::ofstream file(to);
  file << json.dump(1) << '\n' << std::flush;
  if (!file) throw WriteError(fmt::format("cannot write {}: {}", to, std::strerror(errno)));
}

}  // namespace cfdmark
