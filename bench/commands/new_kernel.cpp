// cfdmark new-kernel: writes the folder of a new kernel.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/record/output_file.hpp"
#include "bench/worker/data_files.hpp"

namespace cfdmark {
namespace {

// Returns, for example, "NinePoint" for "nine_point".
std::string type_of(const std::string& name) {
  std::string type;
  bool begins = true;
  for (const char c : name) {
    if (c != '_') type += begins ? char(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return type;
}

void check_name(const std::string& name) {
  if (!std::regex_match(name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*")))
    throw std::invalid_argument(fmt::format(
        "invalid kernel name '{}'; expected lower-case letters, digits and _, such as nine_point", name));
  for (const Row& row : catalog())
    if (row.name == name)
      throw std::invalid_argument(fmt::format("a kernel or solver '{}' exists already", name));
}

// Writes NAME.ENDING from scripts/new_kernel/kernel.ENDING.in.
void write_file(const std::filesystem::path& folder, const std::string& name, const std::string& ending) {
  std::ifstream in(data_path("scripts/new_kernel/kernel." + ending + ".in"));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text = std::regex_replace(text, std::regex("@name@"), name);
  text = std::regex_replace(text, std::regex("@type@"), type_of(name));
  replace_file((folder / (name + "." + ending)).string(), text);
}

int write_kernel(const std::string& name, const std::string& where) {
  check_name(name);
  const auto folder = std::filesystem::path(where) / name;
  if (std::filesystem::exists(folder))
    throw std::invalid_argument(fmt::format("{} exists already and is not changed", folder.string()));
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw WriteError(fmt::format("cannot create {}: {}", folder.string(), failed.message()));
  try {
    for (const char* ending : {"hpp", "cpp"}) write_file(folder, name, ending);
  } catch (const WriteError&) {  // half a kernel would block the next attempt
    std::filesystem::remove_all(folder, failed);
    throw;
  }
  const std::string path = std::filesystem::absolute(folder).lexically_normal().string();
  fmt::print(
      "{0}/{1}.hpp   the fields and the cell\n{0}/{1}.cpp   its name, its operations\n\n"
      "Next, in the folder of cfdmark's sources:\n"
      "  cmake --preset release -DCFDMARK_KERNELS={0}\n"
      "  cmake --build --preset release\n"
      "  build/release/cfdmark inspect {1}        resources of its CUDA methods; needs no GPU\n"
      "  build/release/cfdmark tune {1}           measures and verifies its methods\n"
      "See README.md, \"Your own kernel\".\n",
      path, name);
  return exit_ok;
}

}  // namespace

void add_new_kernel(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "new-kernel", "write the folder of a new kernel, which builds and verifies as it is");
  auto name = std::make_shared<std::string>(), where = std::make_shared<std::string>(".");
  command->add_option("NAME", *name, "name of the kernel: lower-case letters, digits and _")->required();
  add_value(*command, "--in", "FOLDER", *where, "parent of the new folder");
  command->footer("example:\n  cfdmark new-kernel nine_point --in ~/kernels");
  command->callback([name, where, &status] { status = write_kernel(*name, *where); });
}

}  // namespace cfdmark
