# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run_ranks(NUMBER FLAGS PROGRAM [ARGUMENT...]) runs as many ranks of the checked PROGRAM by MPIEXEC, whose reports are in WORK;
# `status` and `said` are its own. Open MPI ends a job when its first rank ends with a status, unless told not to; then its own
# status says nothing. Jobs that begin and end at one time take from each other the folder that they share in /tmp: each has its own.
function(run_ranks number flags)
  file(REMOVE_RECURSE "${WORK}")
  file(MAKE_DIRECTORY "${WORK}")
  string(RANDOM LENGTH 12 job)
  set(job "/tmp/teamsan-${job}")  # short: there are sockets in it
  file(MAKE_DIRECTORY "${job}")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader
      OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_orte_abort_on_non_zero_status=0 OMPI_MCA_orte_tmpdir_base=${job}
      OMP_NUM_THREADS=1 "${MPIEXEC}" -n ${number} ${flags}
      "${TEAMSAN}" run --num-threads 1 --report "json=${WORK}/%r.json" --log-file "${WORK}/%r.txt" -- ${ARGN}
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  file(REMOVE_RECURSE "${job}")
  set(status "${status}" PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()
