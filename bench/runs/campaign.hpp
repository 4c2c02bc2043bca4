// A campaign: measures a device in as many sittings as it takes. A case is re-measured only if its code,
// build or device has changed (campaign_records.hpp).
#pragma once

#include <optional>
#include <string>

namespace cfdmark {

struct CampaignRequest {
  std::string list = "sweeps/campaign.yaml";  // what is measured, in order
  std::string folder;                         // of the records; empty: out/campaign/DEVICE
  std::string filter;                         // pattern for names of cases; empty: all
  std::optional<double> budget;               // seconds of this sitting; none: no limit
  double timeout = 600;                       // limit of one preparation, verification or sample, in seconds
  std::string add;                            // folder whose records are added; then nothing is measured
  bool dry_run = false;                       // only prints the remaining cases
  bool retry = false;                         // also cases whose record has no time
  bool measure_roofs = true;
  bool page = true;  // writes README.md of the folder
};

// Runs a sitting. Returns the exit status, that of `run`. Throws std::invalid_argument for records that do
// not belong to this campaign, WriteError if a record cannot be written.
int campaign(const CampaignRequest&);

}  // namespace cfdmark
