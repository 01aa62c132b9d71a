# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# scripts/hardware-report without a GPU, and with one tool after the other missing: a page comes out each time, with the
# sentence that says what is missing. The tools here are stand-ins; what the script does with a GPU is not seen.
set(bin "${WORK}/bin")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${bin}")
foreach(program IN ITEMS bash sh env cat date mktemp dirname basename rm mkdir sed grep head cp ln nproc sleep awk wc tail)
  find_program(found_${program} ${program} REQUIRED)
  file(CREATE_LINK "${found_${program}}" "${bin}/${program}" SYMBOLIC)
endforeach()

# stand_in(NAME TEXT STATUS): a program that prints TEXT and ends with STATUS.
function(stand_in name text status)
  file(WRITE "${bin}/${name}" "#!/bin/sh\necho '${text}'\nexit ${status}\n")
  file(CHMOD "${bin}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# expect(REGEX ARGUMENT...): the page, and the status 0.
function(expect regex)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PATH=${bin}" bash "${SOURCE}/scripts/hardware-report"
      --build "${BUILD}" --output "${WORK}/page.md" ${ARGN}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "scripts/hardware-report ${ARGN} ended with ${status}: ${output}")
    return()
  endif()
  file(READ "${WORK}/page.md" page)
  if(NOT page MATCHES "${regex}")
    message(SEND_ERROR "the page does not match \"${regex}\":\n${page}\n${output}")
  endif()
endfunction()

set(none "Left out: nvidia-smi names no GPU here\\.\n")
set(tools "no nvcc, no ncu, no compute-sanitizer")
set(outcomes "")
set(parts "")
foreach(part IN ITEMS a b c d)
  string(APPEND outcomes "\\| \\(${part}\\) \\| Left out: nvidia-smi names no GPU here\\. \\|\n")
  string(APPEND parts "\n## \\(${part}\\)[^\n]*\n\n${none}")
endforeach()
expect("no GPU, model none; [0-9]+ CPU cores; ${tools}\\.\nWritten by [^\n]*\n\n[^\n]*\n[^\n]*\n${outcomes}${parts}\nMade in [0-9]+ s\\.\n$")
stand_in(nvidia-smi "NVIDIA H100 80GB HBM3, 580.1" 0)
expect("NVIDIA H100 80GB HBM3 \\(driver 580\\.1\\), model h100; .*Left out: nvcc is not in the PATH.*Left out: nvcc is not in the PATH")
expect("Left out: TeamSan is not built in /nonexistent: build it, or name the place with --build" --build /nonexistent)
stand_in(nvcc "" 1)
expect("\\(b\\)[^\n]*\n\nLeft out: ncu is not in the PATH")
stand_in(cmake "" 1)
expect("\\(a\\)[^\n]*\n\nLeft out: no Kokkos with CUDA was named: --kokkos PREFIX.*Left out: compute-sanitizer is not in the PATH")
stand_in(compute-sanitizer "" 1)
expect("\\(a\\)[^\n]*\n\nLeft out: the programs did not build with the Kokkos in /k\\.\n.*\\(c\\)[^\n]*\n\nLeft out: the programs did not build"
  --kokkos /k)
stand_in(ncu "" 1)
expect("Left out: python3 is not in the PATH")
stand_in(python3 "" 1)
expect("\\(b\\)[^\n]*\n\nLeft out: the counters of shared memory could not be read; .*the counters of global memory")
stand_in(nvidia-smi "Tesla T4" 0)
expect("Left out: TeamSan has no model of the Tesla T4: --device NAME holds another one against it")

foreach(mistake IN ITEMS "--rows;x" "--rows" "--what" "--keep;/dev/null/x")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PATH=${bin}" bash "${SOURCE}/scripts/hardware-report" ${mistake}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 3 OR output MATCHES "\n.*\n")
    message(SEND_ERROR "${mistake}: status ${status}, ${output}")
  endif()
endforeach()
