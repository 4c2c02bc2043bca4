#include "bench/tune/layouts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/source_hash.hpp"
#include "bench/record/config_json.hpp"
#include "bench/sweep/duration.hpp"
#include "bench/tune/tuned_lookup.hpp"

namespace cfdmark {
namespace {

bool is_current(const Json& entry) {
  if (entry.at("source_hash") == "") return false;
  const auto& rows = catalog();
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
    return entry.at("kind") == to_string(row.kind) && entry.at("name") == row.name &&
           entry.at("backend") == to_string(row.backend) &&
           entry.at("precision") == to_string(row.precision) && entry["winner"].at("method") == row.method &&
           entry.at("source_hash") == source_hash(row);
  });
}

// "1.25 [1.20, 1.31]"; empty if it is not known.
std::string gain_text(const Json& entry) {
  const Json gain = entry.value("gain", Json::object());
  if (!gain.contains("value")) return "";
  std::string text = fmt::format("{:.3f}", gain["value"].get<double>());
  if (gain.contains("low"))
    text += fmt::format(" [{:.3f}, {:.3f}]", gain["low"].get<double>(), gain["high"].get<double>());
  return text;
}

std::string number_text(const Json& object, const char* key) {
  return object.contains(key) ? object[key].dump() : "";
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string padded_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], row[n].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t n = 0; n < row.size(); ++n) line += fmt::format("{:<{}}  ", row[n], widths[n]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string Layout::grid() const { return grid_text(grid_of(entry)); }

std::string Layout::config() const { return config_from_json(entry.at("winner").at("config")).text(); }

std::vector<Layout> layouts_of(const TunedTables& tables, const std::string& text) {
  std::vector<Layout> found;
  for (const TunedTable& table : tables.tables)
    for (const Json& entry : table.entries) {
      Layout layout{table.device.name, table.device.architecture, entry, is_current(entry)};
      const std::string name = fmt::format("{} {}/{}/{}", layout.device, layout.text("name"),
                                           layout.text("backend"), layout.text("precision"));
      if (name.find(text) != std::string::npos) found.push_back(std::move(layout));
    }
  return found;
}

std::string layouts_table(const std::vector<Layout>& layouts) {
  std::string text, device;
  std::vector<std::vector<std::string>> rows;
  const std::vector<std::string> heads = {
      "", "row", "grid", "method", "layout", "time", "gain over the default", "as good"};
  const auto flush = [&] {
    if (rows.size() > 1) text += padded_table(rows);
    rows = {heads};
  };
  for (const Layout& l : layouts) {
    if (l.device != device) {
      flush();
      text += fmt::format("{}{} ({})\n", text.empty() ? "" : "\n", l.device, l.architecture);
      device = l.device;
    }
    const Json& winner = l.entry.at("winner");
    rows.push_back({l.current ? "" : "*",
                    fmt::format("{}/{}/{}", l.text("name"), l.text("backend"), l.text("precision")), l.grid(),
                    winner.at("method"), l.config(),
                    winner.contains("median") ? seconds_text(winner["median"]) : "", gain_text(l.entry),
                    std::to_string(l.entry.value("ties", Json::array()).size())});
  }
  flush();
  if (std::any_of(layouts.begin(), layouts.end(), [](const Layout& l) { return !l.current; }))
    text += "* tuned with another source: not used until it is tuned again\n";
  return text;
}

std::string layouts_csv(const std::vector<Layout>& layouts) {
  std::string text =
      "device,architecture,kind,name,backend,precision,scope,grid,problem,tolerance,method,config,median,ci_"
      "low,ci_high,"
      "samples,default_method,default_median,gain,gain_low,gain_high,ties,rule,current,source_hash,time\n";
  for (const Layout& l : layouts) {
    const Json &winner = l.entry.at("winner"), fallback = l.entry.value("default", Json::object()),
               gain = l.entry.value("gain", Json::object()),
               question = l.entry.value("question", Json::object());
    const std::string fields[] = {l.device,
                                  l.architecture,
                                  l.text("kind"),
                                  l.text("name"),
                                  l.text("backend"),
                                  l.text("precision"),
                                  l.text("scope"),
                                  l.grid(),
                                  question.value("problem", ""),
                                  number_text(question, "tolerance"),
                                  winner.at("method"),
                                  l.config(),
                                  number_text(winner, "median"),
                                  number_text(winner, "ci_low"),
                                  number_text(winner, "ci_high"),
                                  number_text(winner, "samples"),
                                  fallback.value("method", ""),
                                  number_text(fallback, "median"),
                                  number_text(gain, "value"),
                                  number_text(gain, "low"),
                                  number_text(gain, "high"),
                                  std::to_string(l.entry.value("ties", Json::array()).size()),
                                  l.text("rule"),
                                  l.current ? "yes" : "no",
                                  l.text("source_hash"),
                                  l.text("time")};
    std::string line;
    for (const std::string& field : fields) line += csv_field(field) + ",";
    line.back() = '\n';
    text += line;
  }
  return text;
}

std::string layouts_json(const std::vector<Layout>& layouts) {
  Json list = Json::array();
  for (const Layout& l : layouts) {
    Json json = {{"device", l.device}, {"architecture", l.architecture}, {"current", l.current}};
    json.update(l.entry);
    list.push_back(std::move(json));
  }
  return list.dump(1) + "\n";
}

}  // namespace cfdmark
