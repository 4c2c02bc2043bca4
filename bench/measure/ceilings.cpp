#include "bench/measure/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/record/config_json.hpp"

namespace cfdmark {
namespace {

// Copy and triad, all precisions and repetitions differ by less on one machine.
constexpr double least_of_the_best = 0.7;
// Cache hits on fields of eight times the cache size, together with the roof's own error, explain less.
constexpr double most_above = 1.25, caches_that_are_few = 8;

bool same_but_for(const Json& one, const Json& other, const std::vector<const char*>& but) {
  for (const char* key : {"backend", "device", "config", "precision", "kernel"})
    if (std::find(but.begin(), but.end(), std::string_view(key)) == but.end() && one.at(key) != other.at(key))
      return false;
  return true;
}

double bandwidth(const Json& entry) { return entry.at("bytes_per_second"); }

}  // namespace

void Ceilings::measure(const std::vector<RoofKey>& keys) {
  std::vector<RoofKey> unknown;
  for (const RoofKey& key : keys)
    if (find(key).is_null()) unknown.push_back(key);
  for (const RoofKey& key : unknown) add(measure_(key));
  const auto in_doubt = [&](const RoofKey& key) { return !is_unsound(key) && !contradiction(key).empty(); };
  for (const RoofKey& key : keys)
    if (in_doubt(key)) add(measure_(key));
  for (const RoofKey& key : keys)
    if (in_doubt(key)) give_up(key, contradiction(key));
}

bool Ceilings::measure_again(const std::vector<RoofKey>& keys) {
  const Json before = entries_;
  for (const RoofKey& key : keys)
    if (!find(key).is_null() && !is_unsound(key)) add(measure_(key));
  return entries_ != before;
}

bool Ceilings::doubt(const RoofKey& key, Record record) {
  if (why_above_roof(record).empty() || is_unsound(key)) return false;
  if (doubted_.insert(roof_name(key)).second) add(measure_(key));
  record.set_roof(find(key));
  if (const std::string why = why_above_roof(record); !why.empty()) give_up(key, why);
  return true;
}

void Ceilings::add(const Json& entries) {
  for (const Json& entry : entries) {
    const auto before = std::find_if(entries_.begin(), entries_.end(),
                                     [&](const Json& e) { return same_but_for(e, entry, {}); });
    if (before == entries_.end()) {
      entries_.push_back(entry);
      continue;
    }
    const double least = std::min(before->value("least", bandwidth(*before)), bandwidth(entry));
    if (bandwidth(entry) > bandwidth(*before)) *before = entry;
    (*before)["least"] = least;
  }
}

std::string Ceilings::contradiction(const RoofKey& key) const {
  const Json own = find(key);
  if (own.is_null()) return "";
  const Json entry = roof_entry(key, "", {});
  const Json* best = nullptr;
  for (const Json& e : entries_)
    if (same_but_for(e, entry, {"precision", "kernel"}) && (!best || bandwidth(e) > bandwidth(*best)))
      best = &e;
  if (bandwidth(own) >= least_of_the_best * bandwidth(*best)) return "";
  return fmt::format("{:.1f} GB/s, although {} in {} reached {:.1f} GB/s", bandwidth(own) / 1e9,
                     best->at("kernel").get<std::string>(), best->at("precision").get<std::string>(),
                     bandwidth(*best) / 1e9);
}

void Ceilings::give_up(const RoofKey& key, const std::string& why) {
  const Json like = roof_entry(key, "", {});
  for (Json& entry : entries_)
    if (same_but_for(entry, like, {"kernel"})) entry["unsound"] = why;
}

bool Ceilings::is_unsound(const RoofKey& key) const {
  const Json roof = find(key);
  return !roof.is_null() && roof.contains("unsound");
}

std::string why_above_roof(const Record& record) {
  if (record.roof.is_null() || !record.derived) return "";
  const CacheUse cache = record.result.cache.value_or(CacheUse());
  const double rate = record.derived->bytes_per_second.value_or(0), roof = bandwidth(record.roof);
  if (cache.last_level_bytes <= 0 || cache.working_set_bytes < caches_that_are_few * cache.last_level_bytes ||
      rate <= most_above * roof)
    return "";
  return fmt::format("{} reached {:.1f} GB/s, more than this roof of {:.1f} GB/s", record.label(), rate / 1e9,
                     roof / 1e9);
}

}  // namespace cfdmark
