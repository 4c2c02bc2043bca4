# Defines the files of an installation; `uninstall` removes them.
include(GNUInstallDirs)

set(share ${CMAKE_INSTALL_DATADIR}/cfdmark)
# The program finds these files relative to itself, so that an installed tree can be moved.
file(RELATIVE_PATH data_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/cfdmark)
set_source_files_properties(device_facts/installed.cpp PROPERTIES
  COMPILE_DEFINITIONS CFDMARK_DATA_FROM_PROGRAM="${data_from_program}")

install(TARGETS cfdmark)
if(TARGET cfdmark_pagmo)
  install(TARGETS cfdmark_pagmo LIBRARY DESTINATION lib/cfdmark)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts DESTINATION ${share} FILES_MATCHING PATTERN "*.py"
        PATTERN "*.in" PATTERN "cfdmark/report/templates/*" PATTERN "__pycache__" EXCLUDE
        PATTERN "recipes" EXCLUDE PATTERN "setup" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sweeps ${PROJECT_SOURCE_DIR}/shapes DESTINATION ${share})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/results/published ${PROJECT_SOURCE_DIR}/results/schema
        DESTINATION ${share}/results)
install(FILES ${PROJECT_SOURCE_DIR}/solvers/problems/cavity_profiles.csv DESTINATION ${share}/solvers/problems)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/results/tuned DESTINATION ${share} PATTERN "spaces" EXCLUDE)

# The pages link to each other at these locations.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/results/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/results)
install(FILES ${PROJECT_SOURCE_DIR}/sweeps/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/sweeps)

# The program writes its own manual page and completion; a cross-compiled build cannot run it.
if(CMAKE_CROSSCOMPILING)
  message(STATUS "cfdmark: cross-compiled, therefore without manual page and completion")
else()
  set(written ${CMAKE_CURRENT_BINARY_DIR}/written)
  file(MAKE_DIRECTORY ${written})
  add_custom_command(TARGET cfdmark POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:cfdmark> -DFOLDER=${written}
            -P ${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake
    VERBATIM)
  install(FILES ${written}/cfdmark.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${written}/cfdmark DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
          -DPROGRAM=${CMAKE_INSTALL_BINDIR}/cfdmark
          -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
  VERBATIM)
