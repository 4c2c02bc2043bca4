// The files of a campaign's records: one record for each case of a device.
#pragma once

#include <cstddef>
#include <string>

namespace cfdmark {

// The functions below lock each file while they change it, keep the environments that its records name, and
// remove a file without records. They throw WriteError.

// Keeps the newest record of each case in a file.
void keep_newest_records(const std::string& path);

// Removes from the files of a folder the records for which another of them has a newer one with a time.
// Returns the number of records removed.
std::size_t remove_superseded_records(const std::string& folder);

struct AddedRecords {
  std::size_t found = 0;       // in the folder that they come from
  std::size_t incomplete = 0;  // of these, not added: there is a time from more processes
};

// Adds the records of the files in a folder and its `reproduce` to the files of the same names in another,
// and keeps the newest of each case, unless there is a time of the same code and instruction set from more
// processes. From these files it removes records of processors by programs for another instruction set than
// the added ones have.
AddedRecords add_records(const std::string& from, const std::string& to);

}  // namespace cfdmark
