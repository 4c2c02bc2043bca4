// cfdmark devices: prints the devices of this machine.
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/measure/devices_text.hpp"

namespace cfdmark {

void add_devices(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "devices", "show processors, caches, GPUs, backends, measured bandwidth, links and versions");
  auto request = std::make_shared<DevicesRequest>();
  command->add_flag("--json", request->as_json,
                    "print one JSON object: the environment of a run (results/README.md), with `backends`");
  command->add_flag_callback(
      "--no-roofs", [request] { request->with_roofs = false; }, "skip measuring the bandwidth");
  command->add_flag_callback(
      "--no-links", [request] { request->with_links = false; },
      "skip measuring links between GPUs and to the host, at most 2 s for each pair");
  add_device_choice(*command, request->cuda_device);
  command->callback([request] { print_devices(*request); });
}

}  // namespace cfdmark
