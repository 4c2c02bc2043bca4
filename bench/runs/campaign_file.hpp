// The list of what a campaign measures (sweeps/campaign.yaml): sweeps and tunes, the most important first.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct CampaignPart {
  std::string sweep;        // path of the sweep
  std::string name;         // of its records file, without extension: "quick", "reproduce/normore-table-6.3"
  std::string filter;       // pattern for names of its cases; empty: all
  double case_seconds = 1;  // sampling time of a case, all processes together
  int processes = 2;        // number of successive processes that measure a case
  int samples = 6;          // least number of samples of a case in each process

  // Options of `cfdmark tune`, for a part that tunes; it has no sweep.
  std::vector<std::string> tune;
  double share = 0.25;  // of the remaining budget of a sitting, the most that tuning takes
};

// Returns the parts in order: one for each sweep that an entry names, and one for each tune. Throws
// SweepError with file, line and column.
std::vector<CampaignPart> read_campaign(const std::string& path);

}  // namespace cfdmark
