#include "bench/commands/setting_options.hpp"

#include <fmt/format.h>

#include "bench/case/settings_help.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/text/words.hpp"

namespace cfdmark {

void add_setting_options(CLI::App& command, GivenSettings& given, const std::vector<Setting>& settings,
                         std::initializer_list<RowKind> kinds) {
  const auto defaults = defaults_of(catalog(), kinds);
  for (const Setting& s : settings)
    command
        .add_option(option_name(s.name), given.by_name[s.name],
                    fmt::format("{}: {} (default: {})", s.takes_text(), s.help, one_of(defaults.at(s.name))))
        ->type_name("VALUE")
        ->group(settings_group);
  given.owners = [](const std::string& setting, const std::string& name) {
    return owners_text(catalog(), setting, name);
  };
}

void add_set_option(CLI::App& command, GivenSettings& given) {
  command.add_option("--set", given.pairs, "any setting, such as block_x=64; may be repeated")
      ->type_name("NAME=VALUE");
}

}  // namespace cfdmark
