// Where a working set lies beside the last-level cache.
#pragma once

namespace cfdmark {

// Within a factor of two of the cache it is neither in it nor beyond it.
enum class CacheRegime { unknown, cache, transition, memory };
inline constexpr double fills_cache = 0.5, leaves_cache = 2;

// `filled`: the working set over the last-level cache; 0 where either is not known.
constexpr CacheRegime cache_regime(double filled) {
  return filled <= 0             ? CacheRegime::unknown
         : filled < fills_cache  ? CacheRegime::cache
         : filled > leaves_cache ? CacheRegime::memory
                                 : CacheRegime::transition;
}
// Empty where it is not known.
constexpr const char* to_string(CacheRegime regime) {
  constexpr const char* names[] = {"", "cache", "transition", "memory"};
  return names[int(regime)];
}

}  // namespace cfdmark
