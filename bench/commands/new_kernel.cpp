// cfdmark new-kernel: writes a kernel's folder to begin with.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

#include "bench/catalog/catalog.hpp"
#include "bench/commands/commands.hpp"
#include "bench/record/records.hpp"

namespace cfdmark {
namespace {

// {0}: nine_point, {1}: NinePoint
constexpr const char* header =
    R"(// One line that says what {0} computes. CUDA's compiler reads this file too: no standard header here.
#pragma once

#include "kernels/core/cell.hpp"

namespace cfdmark {{

struct {1} {{
  double s = 0.25;  // parameters: as many as you like, with what they are where nothing is said

  // In, InOut, Out: fields at the cell. Around: with its neighbours. kernels/core/cell.hpp has all roles.
  template <class F>
  struct Fields {{
    typename F::Around u;
    typename F::In b;
    typename F::Out out;
  }};
  static constexpr Fields<Names> names{{"u", "b", "out"}};

  // One cell. C is float or double; u(di, dj) is the value so many cells away, u(di, dj, dk) in 3-D.
  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {{
    using C = typename F::Number;
    const C sides = (at.u(-1, 0) + at.u(1, 0)) + (at.u(0, -1) + at.u(0, 1));
    at.out = multiply_add(C(s), sides, at.b);
  }}

  static CellDescription<{1}> description();
}};

}}  // namespace cfdmark
)";

constexpr const char* source = R"(#include "{0}/{0}.hpp"

#include "kernels/backends/cell_kernel.hpp"

namespace cfdmark {{

CellDescription<{1}> {1}::description() {{
  return {{.name = "{0}",
          .flops = [](int /*dims*/, bool /*constant_operator*/) {{ return 5.0; }},  // a cell
          .in_3d = false}};
}}

}}  // namespace cfdmark
)";

// "NinePoint" of "nine_point"
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
    throw std::invalid_argument(
        fmt::format("'{}' is no name for a kernel: small letters, digits and _, such as nine_point", name));
  for (const Row& row : catalog())
    if (row.name == name)
      throw std::invalid_argument(fmt::format("there is a kernel or solver {} already", name));
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw WriteError(fmt::format("cannot write {}", path.string()));
}

int write_kernel(const std::string& name, const std::string& where) {
  check_name(name);
  const auto folder = std::filesystem::path(where) / name;
  if (std::filesystem::exists(folder))
    throw std::invalid_argument(fmt::format("{} is there already: it stays as it is", folder.string()));
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw WriteError(fmt::format("cannot make {}: {}", folder.string(), failed.message()));
  write_file(folder / (name + ".hpp"), fmt::format(fmt::runtime(header), name, type_of(name)));
  write_file(folder / (name + ".cpp"), fmt::format(fmt::runtime(source), name, type_of(name)));
  const std::string path = std::filesystem::absolute(folder).lexically_normal().string();
  fmt::print(
      "{0}/{1}.hpp   the fields and the cell\n{0}/{1}.cpp   its name, its operations\n\n"
      "Next, in the folder of cfdmark's sources:\n"
      "  cmake --preset release -DCFDMARK_KERNELS={0}\n"
      "  cmake --build --preset release\n"
      "  build/release/cfdmark inspect {1}        what its CUDA methods need; no GPU is asked for\n"
      "  build/release/cfdmark tune {1}           measures and verifies its methods\n"
      "README.md, \"Your own kernel\", says more.\n",
      path, name);
  return exit_ok;
}

}  // namespace

void add_new_kernel(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "new-kernel", "writes a folder for a kernel of your own, which builds and verifies as it is");
  auto name = std::make_shared<std::string>(), where = std::make_shared<std::string>(".");
  command->add_option("NAME", *name, "what it is called: small letters, digits and _")->required();
  command->add_option("--in", *where, "where its folder is made")->type_name("FOLDER")->capture_default_str();
  command->footer("example:\n  cfdmark new-kernel nine_point --in ~/kernels");
  command->callback([name, where, &status] { status = write_kernel(*name, *where); });
}

}  // namespace cfdmark
