use std::sync::{
    atomic::{AtomicUsize, Ordering},
    mpsc, Arc, Mutex,
};
use std::thread;
static TOTAL: AtomicUsize = AtomicUsize::new(0);
fn main() {
    let (send, receive) = mpsc::channel();
    let all = Arc::new(Mutex::new(Vec::new()));
    let handles: Vec<_> = (0..3)
        .map(|i| {
            let (send, all) = (send.clone(), Arc::clone(&all));
            thread::spawn(move || {
                TOTAL.fetch_add(i, Ordering::SeqCst);
                all.lock().unwrap().push(i);
                send.send(i).unwrap();
            })
        })
        .collect();
    drop(send);
    for handle in handles {
        handle.join().unwrap();
    }
    let mut got: Vec<usize> = receive.iter().collect();
    got.sort();
    println!(
        "{got:?} {} {}",
        TOTAL.load(Ordering::SeqCst),
        all.lock().unwrap().len()
    );
}
