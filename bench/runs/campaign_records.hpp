// The records of a campaign: which of them count.
#pragma once

#include <map>
#include <string>

#include "bench/case/case.hpp"
#include "bench/record/record.hpp"
#include "bench/runs/campaign_file.hpp"

namespace cfdmark {

// A records file of a campaign.
struct CampaignRecords {
  std::map<std::string, Record> newest;      // by case
  std::map<std::string, Json> environments;  // by id
};
// Reads a file; none gives no records. Skips records without their environment. Throws std::invalid_argument
// if it holds records of processors by a program that was built for another instruction set than `here`,
// since times of the two are not comparable.
CampaignRecords read_campaign_records(const std::string& path, const Json& here);

// Returns why a record does not count for its case, such as "its code changed"; empty if it counts. A record
// counts if its code (source_hash.hpp), compiler, flags and device are those of this program, and each of its
// processes has the samples that the part requires. `there` is its environment line, and `here` describes
// this program and machine.
std::string why_again(const Record&, const Json& there, const Json& here, const Case&, const CampaignPart&);

}  // namespace cfdmark
