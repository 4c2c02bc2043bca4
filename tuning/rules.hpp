// Reasons for the choice of a winner, as tuned tables and answers state them.
#pragma once

namespace cfdmark::tuning::rules {

inline constexpr const char *only_fastest = "no other config is as fast", *fastest = "the fastest",
                            *fewest_registers = "the fewest registers among the fastest",
                            *most_robust = "the most robust of the fastest on the other grids",
                            *first = "the first of the fastest in the order of the space",
                            *none_faster = "no config is significantly faster than the default",
                            *least_worst_regret = "the least worst regret over the sizes of the range",
                            *default_near_best = "the default is within tolerance of the best",
                            *loses_next_to_range =
                                "faster configs gain less here than they lose at the next size",
                            *least_mean_regret = "the least mean regret over all sizes",
                            *no_better_mean = "no config has a lower mean regret than the defaults";

}  // namespace cfdmark::tuning::rules
