! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! exchange.f90 by the module mpi_f08.
subroutine exchange(out, in, n, other) bind(c)
  use iso_c_binding
  use mpi_f08
  implicit none
  integer(c_int), intent(in) :: n, other
  real(c_double) :: out(n), in(n)
  type(MPI_Request) :: request
  call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD, request)
  call MPI_Send(out, n, MPI_DOUBLE_PRECISION, other, 1, MPI_COMM_WORLD) ! sent_before_packed
  call MPI_Wait(request, MPI_STATUS_IGNORE)
end subroutine

subroutine begin_exchange(out, in, n, other, requests) bind(c)
  use iso_c_binding
  use mpi_f08
  implicit none
  integer(c_int), intent(in) :: n, other
  real(c_double) :: out(n), in(n)
  type(MPI_Request) :: requests(2)
  call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(1)) ! used_before_received
  call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(2))
end subroutine

subroutine end_exchange(requests) bind(c)
  use iso_c_binding
  use mpi_f08
  implicit none
  type(MPI_Request) :: requests(2)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
end subroutine

! What is nobody's memory: each rank adds up in place.
subroutine add_up(values, n) bind(c)
  use iso_c_binding
  use mpi_f08
  implicit none
  integer(c_int), intent(in) :: n
  real(c_double) :: values(n)
  call MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
end subroutine
