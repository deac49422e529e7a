# CUDA where it is found and works: nvcc on PATH or in its usual place, the static runtime where nvcc itself looks.
#
# topokernels_find_cuda() sets in the caller's scope
#   CUDA_WHY_NOT     empty when the kernels can be built; else one plain line that says what is missing
#   CUDA_GENERATE    -gencode options, CUDA_NAMES their names, CUDA_RUNTIME libcudart_static,
#                    CUDA_HEADERS the folder of cuda_runtime.h
# topokernels_cuda_object(OUT) adds the rule that builds OUT from backend/cuda.cu, with ptxas.txt beside it.
#
# By rules of our own: CMake's CUDA language knows neither CUDA 13 (in 3.25) nor how to do without a working device.

function(topokernels_find_cuda)
  set(CUDA_WHY_NOT "" PARENT_SCOPE)
  find_program(TOPOSIM_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(NOT TOPOSIM_NVCC)
    set(CUDA_WHY_NOT "no nvcc" PARENT_SCOPE)
    return()
  endif()

  # nvcc looks for its headers beside itself: a link to it does not find them.
  file(REAL_PATH ${TOPOSIM_NVCC} TOPOSIM_NVCC)
  set(TOPOSIM_NVCC ${TOPOSIM_NVCC} PARENT_SCOPE)

  # A toolkit may be there in part: what counts is that a program can be compiled and linked. Asked once per nvcc.
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/cuda_probe)
  if(NOT TOPOSIM_NVCC_PROBED STREQUAL TOPOSIM_NVCC)
    file(WRITE ${probe}/probe.cu "__global__ void nothing() {}\nint main() { nothing<<<1, 1>>>(); }\n")
    execute_process(COMMAND ${TOPOSIM_NVCC} -cudart static probe.cu -o probe WORKING_DIRECTORY ${probe}
      RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      string(REGEX MATCH "[^\n]*([Ee]rror|cannot|not found)[^\n]*" reason "${said}")
      set(CUDA_WHY_NOT "${TOPOSIM_NVCC} cannot build a program (${reason})" PARENT_SCOPE)
      return()
    endif()
    set(TOPOSIM_NVCC_PROBED ${TOPOSIM_NVCC} CACHE INTERNAL "the nvcc that was seen to work")
  endif()

  execute_process(COMMAND ${TOPOSIM_NVCC} --dryrun probe.cu WORKING_DIRECTORY ${probe}
    OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX MATCHALL "-L[^\" \n]+" folders "${said}")
  list(TRANSFORM folders REPLACE "^-L" "")
  cmake_path(GET TOPOSIM_NVCC PARENT_PATH bin)
  find_library(TOPOSIM_CUDART cudart_static HINTS ${folders} ${bin}/../lib64 ${bin}/../lib)
  if(NOT TOPOSIM_CUDART)
    set(CUDA_WHY_NOT "${TOPOSIM_NVCC} is there, but no libcudart_static.a beside it" PARENT_SCOPE)
    return()
  endif()

  string(REGEX MATCHALL "-I[^\" \n]+" folders "${said}")
  list(TRANSFORM folders REPLACE "^-I" "")
  find_path(TOPOSIM_CUDA_HEADERS cuda_runtime.h HINTS ${folders} ${bin}/../include)
  if(NOT TOPOSIM_CUDA_HEADERS)
    set(CUDA_WHY_NOT "${TOPOSIM_NVCC} is there, but no cuda_runtime.h beside it" PARENT_SCOPE)
    return()
  endif()

  execute_process(COMMAND ${TOPOSIM_NVCC} --list-gpu-code OUTPUT_VARIABLE known)
  foreach(architecture 80 90 100)
    if(known MATCHES "sm_${architecture}")
      list(APPEND generate -gencode arch=compute_${architecture},code=sm_${architecture})
      list(APPEND names sm_${architecture})
      set(newest ${architecture})
    endif()
  endforeach()
  if(NOT names)
    set(CUDA_WHY_NOT "${TOPOSIM_NVCC} knows none of sm_80, sm_90, sm_100" PARENT_SCOPE)
    return()
  endif()
  list(APPEND generate -gencode arch=compute_${newest},code=compute_${newest})
  list(JOIN names " " names)
  set(CUDA_GENERATE ${generate} PARENT_SCOPE)
  set(CUDA_NAMES ${names} PARENT_SCOPE)
  set(CUDA_RUNTIME ${TOPOSIM_CUDART} PARENT_SCOPE)
  set(CUDA_HEADERS ${TOPOSIM_CUDA_HEADERS} PARENT_SCOPE)
endfunction()

# ptxas reports registers and spills; the report is kept for the test that reads it.
function(topokernels_cuda_object out)
  add_custom_command(OUTPUT ${out} BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/ptxas.txt VERBATIM
    COMMAND ${CMAKE_COMMAND} -E env sh -c "\"$@\" > ptxas.txt 2>&1 || { cat ptxas.txt; exit 1; }" nvcc
      ${TOPOSIM_NVCC} -std=c++20 -O3 -fmad=false --expt-relaxed-constexpr ${CUDA_GENERATE} -Xptxas=-v --threads 2
      -Xcompiler=-fPIC,-fvisibility=hidden,-ffp-contract=off -I${CMAKE_BINARY_DIR}/include/kernels
      -MD -MF cuda.d -MT ${out} -c ${CMAKE_CURRENT_SOURCE_DIR}/backend/cuda.cu -o ${out}
    DEPENDS backend/cuda.cu DEPFILE cuda.d WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    COMMENT "Building CUDA kernels for ${CUDA_NAMES}")
endfunction()
