! Threads add to one total, by an atomic construct and in a critical section.
program sum
  implicit none
  integer :: i, total, other
  total = 0
  other = 0
  !$omp parallel do
  do i = 1, 10000
    !$omp atomic
    total = total + i
    !$omp critical
    other = other + 1
    !$omp end critical
  end do
  print '(i0, 1x, i0)', total, other
end program
