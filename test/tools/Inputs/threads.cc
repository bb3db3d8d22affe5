// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads that meet in the C and C++ libraries: in mutexes, conditions,
// read-write locks, semaphores, barriers, streams, the heap, and the reference
// counts of locales and exceptions. Every total must be exact.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <locale>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <semaphore.h>

constexpr int threads = 8, rounds = 5000;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static long by_mutex, by_rwlock, by_spin, by_semaphore, by_recursive, turns,
    serial, once;
static FILE *stream;

static void say_once() { once++; }

static void work(int number) {
  static pthread_once_t control = PTHREAD_ONCE_INIT;
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
    fputc('x', stream);
    void *memory = malloc(i);
    memory = realloc(memory, 2 * i + 1);
    free(memory);
    std::locale one, other = one;
    std::ostringstream text;
    text << i << ' ' << number;
    if (text.str() != std::to_string(i) + ' ' + std::to_string(number))
      abort();
    if (i % 100 == 0) {
      std::exception_ptr caught;
      try {
        (void)std::filesystem::file_size("/no/such/file");
      } catch (...) {
        caught = std::current_exception();
      }
      std::exception_ptr copy = caught;
      int serial_here = pthread_barrier_wait(&barrier);
      pthread_mutex_lock(&mutex);
      serial += serial_here == PTHREAD_BARRIER_SERIAL_THREAD;
      while (turns % threads != number)
        pthread_cond_wait(&condition, &mutex);
      turns++;
      pthread_cond_broadcast(&condition);
      pthread_mutex_unlock(&mutex);
    }
  }
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, nullptr, threads);
  sem_init(&semaphore, 0, 1);
  stream = tmpfile();
  std::vector<std::thread> all;
  for (int i = 0; i < threads; i++)
    all.emplace_back(work, i);
  for (std::thread &thread : all)
    thread.join();
  constexpr long total = long{threads} * rounds;
  bool exact = by_mutex == total && by_rwlock == total && by_spin == total &&
               by_semaphore == total && by_recursive == total &&
               ftell(stream) == total && turns == total / 100 &&
               serial == rounds / 100 && once == 1;
  puts(exact ? "exact" : "not exact");
  return !exact;
}
