#include "bench/tuned/tuned_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "bench/device_facts/build_info.hpp"
#include "bench/device_facts/installed.hpp"
#include "bench/record/output_file.hpp"
#include "bench/record/record_check.hpp"
#include "bench/tuned/tuned_range.hpp"

namespace cfdmark::tuning {
namespace {

namespace fs = std::filesystem;

constexpr const char* type_of_file = "cfdmark tuned";
constexpr int schema = 2;

// A table is replaced within a second, so a lock held longer belongs to something else.
constexpr double seconds_to_wait = 60;

// Holds a lock on a file next to the table, so that readers never find an empty table. Links and pipes that
// another user may have put into a shared folder are not opened.
class Lock {
 public:
  explicit Lock(const fs::path& table)
      : path_((table.parent_path() / ("." + table.filename().string() + ".lock")).string()),
        fd_(open_locked(path_, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, seconds_to_wait)) {
    struct stat info {};
    if (fstat(fd_, &info) == 0 && S_ISREG(info.st_mode)) return;
    close(fd_);
    throw WriteError(fmt::format("cannot lock {}: not a regular file; remove it", path_));
  }
  ~Lock() { close(fd_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::string path_;
  int fd_;
};

// Throws std::runtime_error with the error.
TunedTable read_table(const fs::path& path, std::vector<std::string>& warnings) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::strerror(errno));
  Json json = Json::parse(file, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error("invalid JSON, perhaps an incomplete write");
  if (!json.is_object() || json.value("type", Json()) != type_of_file)
    throw std::runtime_error(fmt::format("`type` is not \"{}\"", type_of_file));
  if (json.value("schema", Json()) != schema)
    throw std::runtime_error(fmt::format("unsupported schema; expected {}", schema));
  static const JsonForm form(tuned_table_schema, "table"), entry_form(tuned_table_schema, "entry");
  json = checked(form, std::move(json));
  const Json& device = json["device"];
  TunedTable table{{device["name"], device["architecture"], "", ""}, {}};
  int number = 0;
  for (Json& raw : json["entries"]) try {
      ++number;
      table.entries.push_back(checked(entry_form, std::move(raw)));
    } catch (const BadLine& problem) {
      warnings.push_back(fmt::format("{}: entry {} skipped: {}", path.string(), number, problem.what()));
    }
  return table;
}

// Returns the settings that an entry answers, besides its sizes.
Json workload(const Json& entry) {
  Json q = Json::array();
  for (const char* key : {"kind", "name", "backend", "precision", "scope", "workload", "objective"})
    q.push_back(entry.value(key, Json()));
  return q;
}

// Returns true if new entries cover all sizes of an old one; see update_tuned_table.
bool is_replaced(const Json& old, const std::vector<Json>& entries, bool has_expired) {
  const std::vector<Grid> asked = asked_sizes_of(old), sizes = sizes_of(old);
  const auto is_in = [](const std::vector<Grid>& grids, const Grid& size) {
    return std::find(grids.begin(), grids.end(), size) != grids.end();
  };
  const auto says = [&](const Json& entry, const Grid& size) {
    if (workload(entry) != workload(old)) return false;
    if (has_expired) return covers(entry, size);
    if (is_in(asked, size)) return is_in(asked_sizes_of(entry), size);
    return measured_around(entry, size) ||
           (range_of(entry).ratio() < range_of(old).ratio() && covers(entry, size));
  };
  return std::all_of(sizes.begin(), sizes.end(), [&](const Grid& size) {
    return std::any_of(entries.begin(), entries.end(), [&](const Json& e) { return says(e, size); });
  });
}

// Returns the path of the table of a name, and creates its folder.
fs::path table_path(const std::string& folder, const TuningDevice& device, const std::string& name) {
  const fs::path of_device = fs::path(folder) / device.file_stem();
  std::error_code error;
  fs::create_directories(of_device, error);
  if (error)
    throw WriteError(fmt::format("cannot create folder {}: {}", of_device.string(), error.message()));
  return of_device / (name + ".json");
}

std::vector<Json> entries_to_keep(const fs::path& path) {
  if (!fs::exists(path)) return {};
  try {
    std::vector<std::string> problems;
    std::vector<Json> entries = read_table(path, problems).entries;
    if (!problems.empty()) throw std::runtime_error(problems.front());
    return entries;
  } catch (const std::exception& e) {
    throw WriteError(
        fmt::format("{}: not overwritten: {}; move the file, or choose another folder with --tuned",
                    path.string(), e.what()));
  }
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Returns the tables that come with the program: next to it if installed, else in its sources.
std::string program_folder() {
  std::error_code ignored;
  const fs::path installed = installed_data_folder();
  if (fs::is_directory(installed, ignored)) return (installed / "tuned").string();
  return (fs::path(build_info().source_folder) / "results/tuned").string();
}

// Returns the user's own folder; empty without a home.
std::string own_folder() {
  const std::string data = variable("XDG_DATA_HOME"), home = variable("HOME");
  if (!data.empty()) return data + "/cfdmark/tuned";
  return home.empty() ? "" : home + "/.local/share/cfdmark/tuned";
}

// Rounds measured values to six digits, which is beyond the resolution of the clocks. Configs and settings
// stay exact.
void round_measured(Json& json) {
  if (json.is_number_float()) json = std::stod(fmt::format("{:.6g}", json.get<double>()));
  if (json.is_array())
    for (Json& part : json) round_measured(part);
  if (json.is_object())
    for (auto& [key, part] : json.items())
      if (key != "config" && key != "workload") round_measured(part);
}

// Returns the file text, one line per entry.
std::string file_text(const TuningDevice& device, std::vector<Json> entries) {
  std::string lines;
  for (Json& entry : entries) {
    round_measured(entry);
    lines += (lines.empty() ? "\n" : ",\n") + entry.dump();
  }
  const Json name = device.name, architecture = device.architecture;
  return fmt::format(R"({{"type":"{}","schema":{},"device":{{"name":{},"architecture":{}}},"entries":[{}]}})"
                     "\n",
                     type_of_file, schema, name.dump(), architecture.dump(), lines + "\n");
}

std::vector<fs::path> sorted_paths_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored)) paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Returns every *.json of the folder's subfolders.
std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::path& of_device : sorted_paths_in(folder))
    for (const fs::path& path : sorted_paths_in(of_device))  // empty for a file
      if (path.extension() == ".json") files.push_back(path);
  return files;
}

void add(std::vector<TunedTable>& tables, TunedTable table) {
  for (TunedTable& known : tables)
    if (known.device.name == table.device.name && known.device.architecture == table.device.architecture) {
      known.entries.insert(known.entries.end(), table.entries.begin(), table.entries.end());
      return;
    }
  tables.push_back(std::move(table));
}

}  // namespace

std::string tuned_folder() {
  if (const std::string chosen = variable("CFDMARK_TUNED"); !chosen.empty()) return chosen;
  const std::string own = own_folder();
  return own.empty() ? "out/tuned" : own;
}

TunedTables read_tuned_tables(const std::string& folder) {
  TunedTables found;
  for (const fs::path& path : files_of(folder)) try {
      TunedTable table = read_table(path, found.warnings);
      if (!table.entries.empty()) add(found.tables, std::move(table));
    } catch (const std::exception& e) {
      found.warnings.push_back(fmt::format("{}: tuned table skipped: {}", path.string(), e.what()));
    }
  return found;
}

TunedTables read_usual_tuned_tables() {
  if (const std::string chosen = variable("CFDMARK_TUNED"); !chosen.empty()) return read_tuned_tables(chosen);
  TunedTables found = own_folder().empty() ? TunedTables() : read_tuned_tables(own_folder());
  TunedTables shared = read_tuned_tables(program_folder());
  found.tables.insert(found.tables.end(), shared.tables.begin(), shared.tables.end());
  found.warnings.insert(found.warnings.end(), shared.warnings.begin(), shared.warnings.end());
  return found;
}

void check_tuned_table(const std::string& folder, const TuningDevice& device, const std::string& name) {
  const fs::path path = table_path(folder, device, name);
  const Lock lock(path);
  entries_to_keep(path);
}

std::string update_tuned_table(const std::string& folder, const TuningDevice& device,
                               const std::vector<Json>& entries,
                               const std::function<bool(const Json&)>& is_expired) {
  const std::string name = entries.at(0).at("name");
  const fs::path path = table_path(folder, device, name);
  const Lock lock(path);
  std::vector<Json> all = entries_to_keep(path);
  std::erase_if(all,
                [&](const Json& old) { return is_replaced(old, entries, is_expired && is_expired(old)); });
  all.insert(all.end(), entries.begin(), entries.end());
  replace_file(path.string(), file_text(device, std::move(all)), Links::replace);
  return path.string();
}

}  // namespace cfdmark::tuning
