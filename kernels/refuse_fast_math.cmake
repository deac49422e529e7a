# Results are compared bit for bit between machines: the compiler must not contract a*b+c, reorder sums or assume that
# there are no NaNs. Also a script by itself: cmake -DCMAKE_CXX_FLAGS=... -P refuse_fast_math.cmake
set(all_flags "${CMAKE_CXX_FLAGS}")
foreach(configuration DEBUG RELEASE RELWITHDEBINFO MINSIZEREL)
  string(APPEND all_flags " ${CMAKE_CXX_FLAGS_${configuration}}")
endforeach()
if(all_flags MATCHES "-Ofast|-f(fast-math|unsafe-math-optimizations|associative-math|reciprocal-math|finite-math-only|no-signed-zeros)")
  message(FATAL_ERROR "toposim promises the same bits everywhere and cannot be built with fast-math; remove ${CMAKE_MATCH_0} from the compiler's flags")
endif()
