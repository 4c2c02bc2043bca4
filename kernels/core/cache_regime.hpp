// Classifies a working set by its size relative to the last-level cache.
#pragma once

namespace cfdmark {

// Between half and twice the cache size a working set is neither in the cache nor in memory alone.
enum class CacheRegime { unknown, cache, transition, memory };
inline constexpr double fills_cache = 0.5, leaves_cache = 2;

// Returns the regime of a working set. `filled`: working set over last-level cache; 0 if either is unknown.
constexpr CacheRegime cache_regime(double filled) {
  return filled <= 0             ? CacheRegime::unknown
         : filled < fills_cache  ? CacheRegime::cache
         : filled > leaves_cache ? CacheRegime::memory
                                 : CacheRegime::transition;
}
// Returns the regime's name; an empty string for `unknown`.
constexpr const char* to_string(CacheRegime regime) {
  constexpr const char* names[] = {"", "cache", "transition", "memory"};
  return names[int(regime)];
}

}  // namespace cfdmark
