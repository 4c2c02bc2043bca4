// A checksum of 64 bits against damage to files, not against forgery.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cfdmark {

// Returns the checksum of bytes. It names meshes in cases and records, so it must never change. Any change
// within one word of 8 bytes changes it; other changes are missed with a probability of 2^-64.
std::uint64_t checksum(std::string_view bytes);

// Returns the checksum of a file in 16 hexadecimal digits. Throws MeshFileError (unreadable).
std::string checksum_of_file(const std::string& path);

}  // namespace cfdmark
