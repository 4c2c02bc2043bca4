// cfdmark devices: prints the devices of this machine.
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/measure/devices_text.hpp"

namespace cfdmark {

void add_devices(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "devices", "show processors, caches, GPUs, backends, measured bandwidth and versions");
  auto device = std::make_shared<std::optional<int>>();
  auto json = std::make_shared<bool>(false);
  auto without_roofs = std::make_shared<bool>(false);
  command->add_flag("--json", *json,
                    "print one JSON object: the environment of a run (results/README.md), with `backends`");
  command->add_flag("--no-roofs", *without_roofs, "skip measuring the bandwidth");
  add_device_choice(*command, *device);
  command->callback([json, without_roofs, device] { print_devices(*device, !*without_roofs, *json); });
}

}  // namespace cfdmark
