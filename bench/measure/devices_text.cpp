#include "bench/measure/devices_text.hpp"

#include <fmt/format.h>

#include "bench/catalog/device_choice.hpp"
#include "bench/device_facts/links.hpp"
#include "bench/measure/links_text.hpp"
#include "bench/measure/roof.hpp"
#include "bench/record/environment.hpp"
#include "bench/text/terminal.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

// Returns all usable devices, or the first one of a kind without any. `cuda_device` selects a single CUDA
// device.
std::vector<DeviceId> devices_here(std::optional<int> cuda_device) {
  std::vector<DeviceId> devices;
  for (const BackendKind kind : all_backends)
    if (kind == BackendKind::cuda && cuda_device)
      devices.push_back(chosen_device(kind, cuda_device));
    else
      for (int n = 0; n < std::max(1, device_count(kind)); ++n) devices.push_back({kind, n});
  return devices;
}

Json roofs_of(const std::vector<DeviceId>& devices) {
  Json roofs = Json::array();
  for (const DeviceId& id : devices) {
    if (!unavailable_reason(id).empty()) continue;
    for (const Precision storage : {Precision::fp32, Precision::fp64})
      if (not_built_reason(storage).empty())
        for (const Json& roof : measure_roof({id, storage, {}})) roofs.push_back(roof);
  }
  return roofs;
}

std::vector<DeviceId> gpus_of(const std::vector<DeviceId>& devices) {
  std::vector<DeviceId> gpus;
  for (const DeviceId& id : devices)
    if (id.kind == BackendKind::cuda && unavailable_reason(id).empty()) gpus.push_back(id);
  return gpus;
}

Json links_of(const std::vector<DeviceId>& devices) {
  if constexpr (built_with_cuda) return measure_links(gpus_of(devices));
  return Json::array();
}

Json backends_json(const std::vector<DeviceId>& devices) {
  Json list = Json::array();
  for (const DeviceId& id : devices) {
    const std::string reason = unavailable_reason(id);
    list.push_back({{"name", to_string(id.kind)},
                    {"device", id.index},
                    {"available", reason.empty()},
                    {"reason", reason}});
  }
  return list;
}

std::string bytes_text(double bytes) {
  if (bytes < 1024 * 1024) return fmt::format("{:.0f} KiB", bytes / 1024);
  if (bytes < 1024.0 * 1024 * 1024) return fmt::format("{:.4g} MiB", bytes / (1024 * 1024));
  return fmt::format("{:.1f} GiB", bytes / (1024.0 * 1024 * 1024));
}

// Returns a scalar as text without JSON's quotes.
std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void line(const std::string& what, const std::string& value) {
  fmt::print("{}", for_standard_output(fmt::format("  {:<20}  {}\n", what, value)));
}

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
  for (const auto& [key, what] : {std::pair("board", "board"),
                                  {"numa_nodes", "NUMA nodes"},
                                  {"smt", "threads share cores"},
                                  {"governor", "clock governor"},
                                  {"cpu_quota", "processor quota"},
                                  {"machine", "machine"}})
    if (host.contains(key)) line(what, text_of(host[key]));
  line("system", fmt::format("{}, kernel {}", host.value("os", "unknown"), host.value("kernel", "unknown")));
}

void print_gpu(const std::string& title, const Json& gpu) {
  fmt::print("\n{}\n", title);
  if (gpu.contains("reason")) return line("none", gpu["reason"]);
  line("name", gpu["name"]);
  line("compute capability", gpu["compute_capability"]);
  line("multiprocessors", gpu["multiprocessors"].dump());
  line("memory", bytes_text(gpu["memory_bytes"]));
  line("L2 cache", bytes_text(gpu["l2_bytes"]));
  line("driver", gpu["driver"]);
  line("CUDA runtime", gpu["cuda"]);
  line("device compiler", fmt::format("{} {}", text_of(gpu["compiler"]), text_of(gpu["compiler_options"])));
  line("identity", gpu["identity"]);
  if (gpu.contains("pci_bus_id")) line("PCI bus", gpu["pci_bus_id"]);
}

void print_gpus(const Json& facts) {
  if (!facts.contains("gpus")) return print_gpu("GPU", facts["gpu"]);
  for (const Json& gpu : facts["gpus"])
    print_gpu(fmt::format("GPU, device {}", gpu["index"].get<int>()), gpu);
}

void print_section(const char* title, const Json& object) {
  fmt::print("\n{}\n", title);
  for (const auto& [key, value] : object.items()) line(key, text_of(value));
}

void print_backends(const Json& backends, const Json& roofs) {
  fmt::print("{}", for_standard_output("\nBACKENDS, with the bandwidth of copy and triad in GB/s\n"));
  for (const Json& backend : backends) {
    std::string text = backend["available"] ? "" : backend["reason"].get<std::string>();
    for (const Json& roof : roofs)
      if (roof["backend"] == backend["name"] && roof["device"] == backend["device"])
        text += fmt::format("{}{} {} {:.1f}", text.empty() ? "" : "   ", text_of(roof["precision"]),
                            text_of(roof["kernel"]), roof["bytes_per_second"].get<double>() / 1e9);
    const DeviceId id(backend_from(backend["name"].get<std::string>()), backend["device"].get<int>());
    line(to_string(id), text.empty() ? "available" : text);
  }
}

void print_all(const Json& facts, const std::vector<DeviceId>& devices) {
  print_host(facts["host"]);
  print_gpus(facts);
  print_backends(facts["backends"], facts["roofs"]);
  fmt::print("{}", for_standard_output(
                       "\nLINKS, each direction; `both ways`: each way while the other is as busy\n" +
                       links_text(facts.value("links", Json::array()), int(gpus_of(devices).size()),
                                  unavailable_reason(BackendKind::cuda))));
  print_section("OPENMP", facts["openmp"]);
  if (facts.contains("kokkos")) print_section("KOKKOS", facts["kokkos"]);
  print_section("PROGRAM", facts["program"]);
  print_section("LIBRARIES", facts["libraries"]);
}

}  // namespace

void print_devices(const DevicesRequest& request) {
  const std::vector<DeviceId> devices = devices_here(request.cuda_device);
  Json description = describe_environment();
  if (request.with_links && !gpus_of(devices).empty()) description["links"] = links_of(devices);
  Json facts = environment_line(description, request.with_roofs ? roofs_of(devices) : Json::array());
  facts["backends"] = backends_json(devices);
  if (request.as_json)
    fmt::print("{}\n", facts.dump(1));
  else
    print_all(facts, devices);
}

}  // namespace cfdmark
