// The text of record_schema.json, embedded by the build.
#pragma once

namespace cfdmark {

extern const char* const record_schema;

}  // namespace cfdmark
