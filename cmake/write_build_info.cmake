# Run at every build by cfdmark_write_build_info: fills build_info.cpp.in with facts.cmake and what git says now.
include(${folder}/facts.cmake)
string(REGEX REPLACE " -W[^ ]*" "" flags " ${flags}")  # warnings change no code
string(REGEX REPLACE " +" " " flags "${flags}")
string(STRIP "${flags}" flags)

function(git result_variable output_variable)
  execute_process(COMMAND git -C ${source_folder} ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${result_variable} "${result}" PARENT_SCOPE)
  set(${output_variable} "${output}" PARENT_SCOPE)
endfunction()

set(dirty false)
git(failed commit rev-parse HEAD)
if(failed)
  set(commit "")
else()
  git(failed changes status --porcelain --untracked-files=no)
  if(failed OR changes)
    set(dirty true)
  endif()
endif()
configure_file(${template} ${folder}/build_info.cpp @ONLY)
