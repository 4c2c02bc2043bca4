#include "bench/device_facts/links.hpp"

#include <fmt/format.h>

#include "bench/device_facts/nccl_latency.hpp"

namespace cfdmark {
namespace {

constexpr const char* host = "host";

void set_if_known(Json& entry, const char* key, const auto& value) {
  if (value) entry[key] = *value;
}

Json entry_of(const std::string& from, const std::string& to, const Json& kind, const LinkRates& rates) {
  Json entry = {{"from", from}, {"to", to}};
  entry.update(kind);
  set_if_known(entry, "copy_bytes_per_second", rates.copy);
  set_if_known(entry, "copy_both_ways_bytes_per_second", rates.copy_both_ways);
  set_if_known(entry, "store_bytes_per_second", rates.store);
  set_if_known(entry, "store_both_ways_bytes_per_second", rates.store_both_ways);
  set_if_known(entry, "copy_seconds", rates.copy_latency);
  set_if_known(entry, "flag_seconds", rates.flag_latency);
  if (!rates.reason.empty()) entry["reason"] = rates.reason;
  return entry;
}

// Adds what NCCL takes between two devices to the last two entries, or why it is unknown.
void add_nccl(Json& links, NcclLatency& nccl, std::size_t first, std::size_t second) {
  const auto seconds = nccl.seconds(first, second);
  for (Json* entry : {&links[links.size() - 2], &links[links.size() - 1]})
    if (seconds) {
      (*entry)["nccl_seconds"] = *seconds;
      (*entry)["nccl"] = nccl.version();
    } else {
      const std::string before = entry->value("reason", "");
      (*entry)["reason"] = before.empty() ? nccl.reason() : before + "; " + nccl.reason();
    }
}

void add(Json& links, const std::string& first, const std::string& second, const Json& kind,
         const LinkPair& pair) {
  links.push_back(entry_of(first, second, kind, pair.there));
  links.push_back(entry_of(second, first, kind, pair.back));
}

Json kind_between(const Backend& first, const Backend& second, const char* nvml) {
  const auto one = NvmlDevice::find(first.pci_bus_id(), nvml),
             other = NvmlDevice::find(second.pci_bus_id(), nvml);
  if (!one || !other) return Json::object();
  const NvmlPath path = one->path_to(*other);
  Json kind = {{"kind", path.nvlinks > 0 ? "nvlink" : "pcie"}};
  if (path.nvlinks > 0) kind["nvlinks"] = path.nvlinks;
  if (!path.pcie.empty()) kind["pcie_path"] = path.pcie;
  return kind;
}

Json kind_to_host(const Backend& device, const char* nvml) {
  const auto found = NvmlDevice::find(device.pci_bus_id(), nvml);
  if (!found) return Json::object();
  Json kind = {{"kind", "pcie"}};
  const NvmlPcie pcie = found->pcie();
  set_if_known(kind, "pcie_generation", pcie.generation);
  set_if_known(kind, "pcie_lanes", pcie.width);
  return kind;
}

// Returns what `measure` does, or the reason why it failed.
template <class Measure>
LinkPair measured(const Measure& measure) {
  try {
    return measure();
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception& e) {
    LinkPair failed;
    failed.there.reason = failed.back.reason = e.what();
    return failed;
  }
}

}  // namespace

Json measure_links(const std::vector<DeviceId>& ids, const std::function<void()>& entering,
                   const LinkEffort& effort, const char* nvml) {
  Json links = Json::array();
  std::vector<CudaBackend*> devices;
  for (const DeviceId& id : ids) devices.push_back(&dynamic_cast<CudaBackend&>(backend(id)));
  const auto name = [&](std::size_t n) { return fmt::format("cuda:{}", ids[n].index); };
  NcclLatency nccl(devices);
  for (std::size_t a = 0; a < devices.size(); ++a)
    for (std::size_t b = a + 1; b < devices.size(); ++b) {
      entering();
      add(links, name(a), name(b), kind_between(*devices[a], *devices[b], nvml),
          measured([&] { return measure_link(*devices[a], *devices[b], effort); }));
      add_nccl(links, nccl, a, b);
    }
  for (std::size_t n = 0; n < devices.size(); ++n) {
    entering();
    add(links, name(n), host, kind_to_host(*devices[n], nvml),
        measured([&] { return measure_host_link(*devices[n], effort); }));
  }
  return links;
}

}  // namespace cfdmark
