// SPDX-License-Identifier: MIT
//
// See threads.h. One queue, one lock, first come first served.
//
// A switch is a change of stacks in the middle of an interrupt (vectors.S).
// The lock is taken when the next thread is chosen and given back when the CPU
// has left the old one's stack: until then nobody may run the old one, or use
// its stack for another.

#include "threads.h"
#include "cpus.h"
#include "locks.h"
#include "machine.h"
#include "segments.h"
#include "serial.h"

namespace {

constexpr unsigned stack_size = 16384;
struct alignas(16) Stack {
  char bytes[stack_size];
};

Spinlock lock; // of everything here
Thread threads[max_threads];
Stack stacks[max_threads];
Thread first_thread, idle[max_cpus];
Stack first_idle_stack;

Thread *waiting, **behind_last = &waiting;
unsigned alive; // without the first one and the idle ones
unsigned preempted[max_cpus];

// Of code that is not an interrupt handler.
class Locked {
public:
  Locked() {
    interrupts_off();
    lock.lock();
  }
  ~Locked() {
    lock.unlock();
    interrupts_on();
  }
};

void enqueue(Thread *thread) {
  thread->next = nullptr;
  *behind_last = thread;
  behind_last = &thread->next;
}

Thread *dequeue(const Cpu &cpu) {
  if (cpu.parking)
    return nullptr;
  for (Thread **link = &waiting; *link; link = &(*link)->next) {
    Thread *thread = *link;
    if (thread->on_first_cpu && cpu.index != 0)
      continue;
    *link = thread->next;
    if (!*link)
      behind_last = link;
    return thread;
  }
  return nullptr;
}

// Lets a thread begin at entry, as if that had been called by nobody.
void prepare(Thread &thread, Stack &stack, void (*entry)(), uintptr_t flags) {
  auto end = reinterpret_cast<uintptr_t *>(&stack + 1);
  *--end = 0; // the return address
  auto frame = reinterpret_cast<Frame *>(end) - 1;
  *frame = {};
  frame->ip = reinterpret_cast<uintptr_t>(entry);
  frame->cs = CODE;
  frame->flags = flags;
#ifdef __x86_64__
  frame->sp = reinterpret_cast<uintptr_t>(end);
  frame->ss = DATA;
#endif
  thread.frame = frame;
  thread.state = Thread::ready;
}

void run_idle() {
  for (;;)
    wait_for_interrupt();
}

void run_thread() {
  interrupts_off();
  Thread *self = this_cpu().current;
  interrupts_on();
  self->body(self->argument);
  self->state = Thread::ended;
  yield();
  panic("a thread that has ended runs");
}

} // namespace

void threads_init() {
  first_thread.state = Thread::ready;
  first_thread.on_first_cpu = true;
  this_cpu().current = &first_thread;
  prepare(idle[0], first_idle_stack, run_idle, interrupt_flag);
}

void threads_init_cpu(unsigned cpu) {
  idle[cpu].state = Thread::ready;
  this_cpu().current = &idle[cpu];
}

Thread *start_thread(void (*body)(unsigned), unsigned argument,
                     uintptr_t flags) {
  Locked guard;
  for (unsigned i = 0; i < max_threads; i++) {
    if (threads[i].state != Thread::unused)
      continue;
    threads[i] = {};
    threads[i].body = body;
    threads[i].argument = argument;
    prepare(threads[i], stacks[i], run_thread, flags);
    enqueue(&threads[i]);
    alive++;
    return &threads[i];
  }
  panic("too many threads");
}

void join_threads() {
  for (;;) {
    {
      Locked guard;
      if (!alive)
        return;
    }
    yield();
  }
}

void yield() { asm volatile("int %0" : : "i"(yield_vector) : "memory"); }

// Leaves the current thread in a state, for the next one.
static Frame *leave(Frame *frame, Thread::State state) {
  Cpu &cpu = this_cpu();
  lock.lock();
  Thread *left = cpu.current;
  left->frame = frame;
  left->state = state;
  if (state == Thread::ended) {
    left->state = Thread::unused;
    alive--;
  } else if (state == Thread::ready && left != &idle[cpu.index]) {
    enqueue(left);
  }
  Thread *next = dequeue(cpu);
  cpu.current = next ? next : &idle[cpu.index];
  cpu.switching = true;
  return cpu.current->frame;
}

Frame *switch_threads(Frame *frame) {
  return leave(frame, this_cpu().current->state);
}

Frame *hold_thread(Frame *frame) { return leave(frame, Thread::held); }

// On the new stack, at the end of every interrupt.
extern "C" void threads_switched() {
  Cpu &cpu = this_cpu();
  if (!cpu.switching)
    return;
  cpu.switching = false;
  lock.unlock();
}

Frame *preempt(Frame *frame) {
  Cpu &cpu = this_cpu();
  Thread *left = cpu.current;
  Frame *next = switch_threads(frame);
  if (cpu.current != left && left != &idle[cpu.index])
    preempted[cpu.index]++;
  return next;
}

void release_thread(Thread *thread) {
  Locked guard;
  thread->state = Thread::ready;
  enqueue(thread);
}

bool is_held(const Thread *thread) {
  Locked guard;
  return thread->state == Thread::held;
}

unsigned preemptions() {
  Locked guard;
  unsigned sum = 0;
  for (unsigned count : preempted)
    sum += count;
  return sum;
}

unsigned preemptions_on(unsigned cpu) {
  Locked guard;
  return preempted[cpu];
}
