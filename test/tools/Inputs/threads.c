// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads that meet in the C library: in mutexes, conditions, read-write locks,
// semaphores, barriers, streams and the heap; and in atomics of this file.
// Every total must be exact. threads.cc adds to it.

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { threads = 8, rounds = 5000, total = threads * rounds };

// Null, or what else each thread is to do in each of its rounds.
void (*more_to_do)(int number, int round);
// Null, or whether that came out right.
int (*is_more_exact)(int threads, int rounds);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t control = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static long by_mutex, by_rwlock, by_spin, by_semaphore, by_recursive, turns,
    serial, once;
static long by_add, by_exchange;
static FILE *stream;

static void say_once(void) { once++; }

static void meet(int number) {
  int serial_here = pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&mutex);
  serial += serial_here == PTHREAD_BARRIER_SERIAL_THREAD;
  while (turns % threads != number)
    pthread_cond_wait(&condition, &mutex);
  turns++;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
}

static void *work(void *argument) {
  int number = (int)(long)argument;
  for (int i = 0; i < rounds; i++) {
    pthread_once(&control, say_once);
    pthread_mutex_lock(&mutex);
    by_mutex++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    by_recursive++;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_rwlock_rdlock(&rwlock);
    long seen = by_rwlock;
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
    by_rwlock++;
    if (by_rwlock <= seen)
      abort();
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_lock(&spin);
    by_spin++;
    pthread_spin_unlock(&spin);
    sem_wait(&semaphore);
    by_semaphore++;
    sem_post(&semaphore);
    __atomic_fetch_add(&by_add, 1, __ATOMIC_SEQ_CST);
    long old = __atomic_load_n(&by_exchange, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&by_exchange, &old, old + 1, 0,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      ;
    fputc('x', stream);
    void *memory = malloc(i);
    memory = realloc(memory, 2 * i + 1);
    free(memory);
    if (more_to_do)
      more_to_do(number, i);
    if (i % 100 == 0)
      meet(number);
  }
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, threads);
  sem_init(&semaphore, 0, 1);
  stream = tmpfile();
  pthread_t all[threads];
  for (long i = 0; i < threads; i++)
    pthread_create(&all[i], NULL, work, (void *)i);
  for (int i = 0; i < threads; i++)
    pthread_join(all[i], NULL);
  int exact = by_mutex == total && by_rwlock == total && by_spin == total &&
              by_semaphore == total && by_recursive == total &&
              by_add == total && by_exchange == total &&
              ftell(stream) == total && turns == total / 100 &&
              serial == rounds / 100 && once == 1 &&
              (!is_more_exact || is_more_exact(threads, rounds));
  puts(exact ? "exact" : "not exact");
  return !exact;
}
