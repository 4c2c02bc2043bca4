#include "bench/measure/links_text.hpp"

#include <fmt/format.h>

namespace cfdmark {
namespace {

constexpr const char* form = "  {:<19} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>9}   {}\n";

std::string scaled(const Json& entry, const char* key, double unit, const char* unit_text,
                   const char* digits) {
  const auto value = entry.find(key);
  if (value == entry.end()) return "-";
  return fmt::format(fmt::runtime(digits), value->get<double>() / unit) + unit_text;
}
std::string rate(const Json& entry, const char* key) { return scaled(entry, key, 1e9, " GB/s", "{:.1f}"); }
std::string latency(const Json& entry, const char* key) { return scaled(entry, key, 1e-6, " us", "{:.2f}"); }

// Returns such as "NVLink x18, PCIe over NUMA node" or "PCIe 5 x16".
std::string kind_text(const Json& link) {
  const std::string kind = link.value("kind", "");
  if (kind == "nvlink") return fmt::format("NVLink x{}", link.value("nvlinks", 0));
  if (kind != "pcie") return "unknown: no NVML";
  std::string text = "PCIe";
  if (link.contains("pcie_generation")) text += fmt::format(" {}", link["pcie_generation"].get<int>());
  if (link.contains("pcie_lanes")) text += fmt::format(" x{}", link["pcie_lanes"].get<int>());
  if (link.contains("pcie_path")) text += fmt::format(" over {}", link["pcie_path"].get<std::string>());
  return text;
}

bool joins_gpus(const Json& link) { return link["from"] != "host" && link["to"] != "host"; }

std::string line_of(const Json& link) {
  std::string kind = kind_text(link);
  if (joins_gpus(link))
    kind += link.contains("copy_bytes_per_second") ? "; every byte arrived both ways" : "; no peer access";
  return fmt::format(
      form, fmt::format("{} -> {}", link["from"].get<std::string>(), link["to"].get<std::string>()),
      rate(link, "copy_bytes_per_second"), rate(link, "copy_both_ways_bytes_per_second"),
      rate(link, "store_bytes_per_second"), rate(link, "store_both_ways_bytes_per_second"),
      latency(link, "copy_seconds"), latency(link, "flag_seconds"), latency(link, "nccl_seconds"), kind);
}

}  // namespace

std::string links_text(const Json& links, int gpus, const std::string& why_no_gpu) {
  if (gpus == 0) return fmt::format("  none: {}\n", why_no_gpu);
  std::string text =
      gpus == 1 ? "  between GPUs: none; one GPU is here, or chosen, and a link needs two\n" : "";
  if (links.empty()) return text + "  not measured\n";
  text += fmt::format(form, "", "copy", "both ways", "stores", "both ways", "copy 8 B", "flag", "NCCL 8 B",
                      "kind, peer access");
  std::string reasons;
  for (const Json& link : links) {
    text += line_of(link);
    if (link.contains("reason"))
      reasons += fmt::format("  {} -> {}: {}\n", link["from"].get<std::string>(),
                             link["to"].get<std::string>(), link["reason"].get<std::string>());
  }
  for (const Json& link : links)
    if (link.contains("nccl"))
      return text + reasons +
             fmt::format("  NCCL {}, with NCCL_NVLS_ENABLE=0: NVLink multicast is not used\n",
                         link["nccl"].get<std::string>());
  return text + reasons;
}

}  // namespace cfdmark
