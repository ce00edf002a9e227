//! What the library does, seen from outside.

mod admission;
mod child_value;
mod explain;
mod networks;
mod search;
mod submission;
mod watch;
mod weights;
mod weights_file;
