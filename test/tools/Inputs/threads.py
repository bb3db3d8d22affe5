# SPDX-License-Identifier: GPL-3.0-or-later
#
# Threads, queues and child processes of an interpreter; exits with 1 if a total is
# wrong.

import queue
import subprocess
import sys
import threading

THREADS, ROUNDS = 8, 2000
total, lock, sums = 0, threading.Lock(), queue.Queue()


def work():
    global total
    for i in range(ROUNDS):
        with lock:
            total += 1
        sums.put(i)


threads = [threading.Thread(target=work) for _ in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
child = subprocess.run(["sh", "-c", "seq 1000 | wc -l"], stdout=subprocess.PIPE)
queued = sum(sums.get() for _ in range(THREADS * ROUNDS))
sys.exit(
    total != THREADS * ROUNDS
    or queued != THREADS * ROUNDS * (ROUNDS - 1) // 2
    or int(child.stdout) != 1000
)
