// The text of record_schema.json.
#pragma once

namespace cfdmark {

extern const char* const record_schema;

}  // namespace cfdmark
