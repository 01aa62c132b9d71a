! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What two ranks exchange, as a library in Fortran does it: given the memory of two Views, it sends the one and receives the
! other. begin_exchange and end_exchange do the same in two halves.
subroutine exchange(out, in, n, other) bind(c)
  use iso_c_binding
  implicit none
  include 'mpif.h'
  integer(c_int), intent(in) :: n, other
  real(c_double) :: out(n), in(n)
  integer :: request, error
  call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, request, error)
  call MPI_Send(out, n, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, error) ! sent_before_packed
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
end subroutine

subroutine begin_exchange(out, in, n, other, requests) bind(c)
  use iso_c_binding
  implicit none
  include 'mpif.h'
  integer(c_int), intent(in) :: n, other
  real(c_double) :: out(n), in(n)
  integer(c_int) :: requests(2)
  integer :: error
  call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(1), error) ! used_before_received
  call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(2), error)
end subroutine

subroutine end_exchange(requests) bind(c)
  use iso_c_binding
  implicit none
  include 'mpif.h'
  integer(c_int) :: requests(2)
  integer :: error
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
end subroutine

! What is nobody's memory: each rank adds up in place.
subroutine add_up(values, n) bind(c)
  use iso_c_binding
  implicit none
  include 'mpif.h'
  integer(c_int), intent(in) :: n
  real(c_double) :: values(n)
  integer :: error
  call MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
end subroutine
