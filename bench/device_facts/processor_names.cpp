#include "bench/device_facts/processor_names.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace cfdmark {
namespace {

struct Implementer {
  long number;
  const char* name;
};

constexpr Implementer implementers[] = {
    {0x41, "ARM"},    {0x42, "Broadcom"},  {0x43, "Cavium"},   {0x46, "Fujitsu"}, {0x48, "HiSilicon"},
    {0x4e, "NVIDIA"}, {0x50, "APM"},       {0x51, "Qualcomm"}, {0x53, "Samsung"}, {0x56, "Marvell"},
    {0x61, "Apple"},  {0x6d, "Microsoft"}, {0x70, "Phytium"},  {0xc0, "Ampere"}};

struct Part {
  long implementer, number;
  const char* name;
};

constexpr Part parts[] = {
    {0x41, 0xd03, "Cortex-A53"},   {0x41, 0xd04, "Cortex-A35"},   {0x41, 0xd05, "Cortex-A55"},
    {0x41, 0xd07, "Cortex-A57"},   {0x41, 0xd08, "Cortex-A72"},   {0x41, 0xd09, "Cortex-A73"},
    {0x41, 0xd0a, "Cortex-A75"},   {0x41, 0xd0b, "Cortex-A76"},   {0x41, 0xd0c, "Neoverse-N1"},
    {0x41, 0xd0d, "Cortex-A77"},   {0x41, 0xd0e, "Cortex-A76AE"}, {0x41, 0xd40, "Neoverse-V1"},
    {0x41, 0xd41, "Cortex-A78"},   {0x41, 0xd42, "Cortex-A78AE"}, {0x41, 0xd44, "Cortex-X1"},
    {0x41, 0xd46, "Cortex-A510"},  {0x41, 0xd47, "Cortex-A710"},  {0x41, 0xd48, "Cortex-X2"},
    {0x41, 0xd49, "Neoverse-N2"},  {0x41, 0xd4a, "Neoverse-E1"},  {0x41, 0xd4b, "Cortex-A78C"},
    {0x41, 0xd4d, "Cortex-A715"},  {0x41, 0xd4e, "Cortex-X3"},    {0x41, 0xd4f, "Neoverse-V2"},
    {0x41, 0xd80, "Cortex-A520"},  {0x41, 0xd81, "Cortex-A720"},  {0x41, 0xd82, "Cortex-X4"},
    {0x41, 0xd84, "Neoverse-V3"},  {0x41, 0xd85, "Cortex-X925"},  {0x41, 0xd87, "Cortex-A725"},
    {0x41, 0xd8e, "Neoverse-N3"},  {0x42, 0x516, "ThunderX2"},    {0x43, 0x0a1, "ThunderX"},
    {0x43, 0x0af, "ThunderX2"},    {0x46, 0x001, "A64FX"},        {0x46, 0x003, "MONAKA"},
    {0x48, 0xd01, "TaiShan-v110"}, {0x48, 0xd02, "TaiShan-v120"}, {0x4e, 0x004, "Carmel"},
    {0x50, 0x000, "X-Gene"},       {0x51, 0x001, "Oryon"},        {0x51, 0xc00, "Falkor"},
    {0x61, 0x022, "M1 Icestorm"},  {0x61, 0x023, "M1 Firestorm"}, {0x61, 0x032, "M2 Blizzard"},
    {0x61, 0x033, "M2 Avalanche"}, {0x6d, 0xd49, "Cobalt 100"},   {0x70, 0x663, "FTC663"},
    {0x70, 0x662, "FTC662"},       {0xc0, 0xac3, "Ampere-1"},     {0xc0, 0xac4, "Ampere-1a"}};

}  // namespace

std::string arm_processor_name(const std::string& implementer, const std::string& part) {
  if (implementer.empty()) return "";
  const long maker = std::strtol(implementer.c_str(), nullptr, 0),
             number = std::strtol(part.c_str(), nullptr, 0);
  std::string name = fmt::format("implementer {}", implementer);
  for (const Implementer& known : implementers)
    if (known.number == maker) name = known.name;
  for (const Part& known : parts)
    if (known.implementer == maker && known.number == number) return fmt::format("{} {}", name, known.name);
  return fmt::format("{} part {}", name, part.empty() ? "unknown" : part);
}

}  // namespace cfdmark
