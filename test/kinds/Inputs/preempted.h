// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program whose steps are taken by four threads and a signal handler; run it
// pinned to one CPU. Include it and define step, and check for the results.
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { threads = 4, rounds = 1000000 };

// One step of the thread ID; the handler's is `threads`.
void step(int id);
// What should have come of all steps.
void check(long steps);

static void expect(const char *what, int64_t value, int64_t expected) {
  printf("%s: %s\n", what, value == expected ? "exact" : "wrong");
}

enum { often = 20 };
static volatile long handled;
static long done[threads];

static void on_timer(int number) {
  (void)number;
  handled = handled + 1;
  step(threads);
}

static void *work(void *id) {
  // And for as long as the timer has not come often: on a busy machine.
  for (long i = 0; i < rounds || handled <= often; i++) {
    step((int)(intptr_t)id);
    done[(intptr_t)id]++;
  }
  return NULL;
}

int main(void) {
  struct sigaction action = {};
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  struct itimerval every = {{0, 100}, {0, 100}}, never = {};
  setitimer(ITIMER_REAL, &every, NULL);

  pthread_t pool[threads];
  for (intptr_t id = 0; id < threads; id++)
    pthread_create(&pool[id], NULL, work, (void *)id);
  for (int id = 0; id < threads; id++)
    pthread_join(pool[id], NULL);

  setitimer(ITIMER_REAL, &never, NULL);
  printf("interrupted: %s\n", handled > often ? "often" : "hardly");
  long steps = handled;
  for (int id = 0; id < threads; id++)
    steps += done[id];
  check(steps);
}

#ifdef __cplusplus
}
#endif
