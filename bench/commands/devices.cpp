// cfdmark devices: what this machine has, what was built for it, and the bandwidth it gives.
#include <fmt/format.h>

#include <array>

#include "bench/commands/commands.hpp"
#include "bench/measure/roof.hpp"
#include "bench/record/environment.hpp"
#include "kernels/backends/backend.hpp"

namespace cfdmark {
namespace {

Json roofs_here() {
  Json roofs = Json::array();
  for (const BackendKind kind : all_backends) {
    if (!unavailable_reason(kind).empty()) continue;
    for (const Precision storage : {Precision::fp32, Precision::fp64})
      for (const Json& roof : measure_roof({kind, storage, {}})) roofs.push_back(roof);
  }
  return roofs;
}

Json backends_here() {
  Json list = Json::array();
  for (const BackendKind kind : all_backends) {
    const std::string reason = unavailable_reason(kind);
    list.push_back({{"name", to_string(kind)}, {"available", reason.empty()}, {"reason", reason}});
  }
  return list;
}

std::string bytes_text(double bytes) {
  if (bytes < 1024 * 1024) return fmt::format("{:.0f} KiB", bytes / 1024);
  if (bytes < 1024.0 * 1024 * 1024) return fmt::format("{:.4g} MiB", bytes / (1024 * 1024));
  return fmt::format("{:.1f} GiB", bytes / (1024.0 * 1024 * 1024));
}

// A scalar as text without JSON's quotes.
std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void line(const std::string& what, const std::string& value) { fmt::print("  {:<20} {}\n", what, value); }

void print_host(const Json& host) {
  fmt::print("HOST\n");
  line("processor", fmt::format("{}, {} cores", host.value("cpu", "unknown"), host.value("cores", 0)));
  for (const Json& cache : host.value("caches", Json::array()))
    line(fmt::format("L{} cache", cache["level"].get<int>()),
         fmt::format("{}{}", bytes_text(cache["bytes"]),
                     cache["shared_by"] > 1
                         ? fmt::format(", shared by {} cores", cache["shared_by"].get<int>())
                         : ""));
  if (host.contains("memory_bytes")) line("memory", bytes_text(host["memory_bytes"]));
  line("system", fmt::format("{}, kernel {}", host.value("os", "unknown"), host.value("kernel", "unknown")));
}

void print_gpu(const Json& gpu) {
  fmt::print("\nGPU\n");
  if (gpu.contains("reason")) return line("none", gpu["reason"]);
  line("name", gpu["name"]);
  line("compute capability", gpu["compute_capability"]);
  line("multiprocessors", gpu["multiprocessors"].dump());
  line("memory", bytes_text(gpu["memory_bytes"]));
  line("L2 cache", bytes_text(gpu["l2_bytes"]));
  line("driver", gpu["driver"]);
  line("CUDA runtime", gpu["cuda"]);
}

void print_section(const char* title, const Json& object) {
  fmt::print("\n{}\n", title);
  for (const auto& [key, value] : object.items()) line(key, text_of(value));
}

void print_backends(const Json& backends, const Json& roofs) {
  fmt::print("\nBACKENDS, and the roof in GB/s that copy and triad measure\n");
  for (const Json& backend : backends) {
    std::string text = backend["available"] ? "" : backend["reason"].get<std::string>();
    for (const Json& roof : roofs)
      if (roof["backend"] == backend["name"])
        text += fmt::format("{}{} {} {:.1f}", text.empty() ? "" : "   ", text_of(roof["precision"]),
                            text_of(roof["kernel"]), roof["bytes_per_second"].get<double>() / 1e9);
    line(backend["name"], text.empty() ? "available" : text);
  }
}

void print_all(const Json& facts) {
  print_host(facts["host"]);
  print_gpu(facts["gpu"]);
  print_backends(facts["backends"], facts["roofs"]);
  print_section("OPENMP", facts["openmp"]);
  print_section("PROGRAM", facts["program"]);
  print_section("LIBRARIES", facts["libraries"]);
}

}  // namespace

void add_devices(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("devices", "shows processors, caches, measured bandwidth, GPU and versions");
  auto json = std::make_shared<bool>(false);
  auto without_roofs = std::make_shared<bool>(false);
  command->add_flag("--json", *json,
                    "one object, laid out as the environment of a run (results/README.md), with `backends`");
  command->add_flag("--no-roofs", *without_roofs, "measure nothing");
  command->callback([json, without_roofs] {
    Json facts = environment_line(describe_environment(), *without_roofs ? Json::array() : roofs_here());
    facts["backends"] = backends_here();
    if (*json)
      fmt::print("{}\n", facts.dump(1));
    else
      print_all(facts);
  });
}

}  // namespace cfdmark
