//! What the library does, seen from outside.

mod explain;
mod network;
mod prospects;
mod search;
mod submission;
mod watch;
mod weights;
mod weights_file;
