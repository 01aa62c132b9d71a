# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links PROGRAM by each of NAMES (separated by commas), in FOLDER of this one: one process, and not one a name.
string(REPLACE "," ";" names "${NAMES}")
foreach(name IN LISTS names)
  file(CREATE_LINK "${PROGRAM}" "${CMAKE_CURRENT_BINARY_DIR}/${FOLDER}/${name}")
endforeach()
