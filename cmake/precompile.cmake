# cfdmark_precompile(TARGET HEADER...): precompiles headers that most files of a target include. Not with a
# compiler launcher such as ccache: a precompiled header holds paths of its build, so trees would share nothing.
# Such builds also show a file that does not include what it uses.
function(cfdmark_precompile target)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "^(.+)$" "<\\1>" OUTPUT_VARIABLE headers)
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()
