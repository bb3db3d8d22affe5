// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads of Rust's library, for a program in C: the mutex, the channel and the
// reference counts are the library's own, the atomic is compiled here.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{mpsc, Arc, Mutex};
use std::thread;

/// True if every total is exact.
#[no_mangle]
pub extern "C" fn rust_is_exact(threads: u64, rounds: u64) -> bool {
    let hits = Arc::new(AtomicU64::new(0));
    let sum = Arc::new(Mutex::new(0));
    let (sender, receiver) = mpsc::channel();
    let all: Vec<_> = (0..threads)
        .map(|_| {
            let (hits, sum, sender) = (hits.clone(), sum.clone(), sender.clone());
            thread::spawn(move || {
                for round in 0..rounds {
                    hits.fetch_add(1, Ordering::SeqCst);
                    *sum.clone().lock().unwrap() += 1;
                    sender.send(round).unwrap();
                }
            })
        })
        .collect();
    drop(sender);
    let sent: u64 = receiver.iter().sum();
    for one in all {
        one.join().unwrap();
    }
    let total = threads * rounds;
    let locked: u64 = *sum.lock().unwrap();
    hits.load(Ordering::SeqCst) == total
        && locked == total
        && sent == total * (rounds - 1) / 2
        && Arc::strong_count(&hits) == 1
        && Arc::strong_count(&sum) == 1
}
