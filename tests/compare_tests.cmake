# Tests of the comparison: its statistics, and the program with simulated builds (tests/bench/compare).
add_executable(cfdmark_pretended_build bench/compare/pretended_build.cpp ${PROJECT_SOURCE_DIR}/bench/worker/channel.cpp)
target_include_directories(cfdmark_pretended_build PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(cfdmark_pretended_build PRIVATE nlohmann_json::nlohmann_json)

add_executable(cfdmark_altered_build bench/compare/altered_build.cpp)
target_link_libraries(cfdmark_altered_build PRIVATE cfdmark_bench)
target_include_directories(cfdmark_altered_build PRIVATE ${CMAKE_CURRENT_BINARY_DIR})

add_executable(cfdmark_compare_tests
  bench/compare/files_test.cpp
  bench/compare/instruction_count_test.cpp
  bench/compare/others_test.cpp
  bench/compare/builds_test.cpp
  bench/compare/statistics_test.cpp)
target_link_libraries(cfdmark_compare_tests PRIVATE cfdmark_bench Catch2::Catch2WithMain)
cfdmark_precompile(cfdmark_compare_tests ${precompiled_for_tests})
target_include_directories(cfdmark_compare_tests PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
add_dependencies(cfdmark_compare_tests cfdmark cfdmark_pretended_build cfdmark_altered_build)
discover_tests(cfdmark_compare_tests)
