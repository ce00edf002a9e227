//! A macro that implements traits of the standard library, and receives the names of their members.
use std::ops::{Deref, Index, Neg};
struct Table(Vec<u32>);
struct Small(i32);
macro_rules! member {
    ($of:path, $for:ty, $output:ident = $type:ty, $name:ident, ($($argument:tt)*) -> $result:ty $body:block) => {
        impl $of for $for { type $output = $type; fn $name($($argument)*) -> $result $body }
    };
}
member!(Index<usize>, Table, Output = u32, index, (&self, at: usize) -> &u32 { &self.0[at] });
member!(Neg, Small, Output = Small, neg, (self) -> Small { Small(-self.0) });
member!(Deref, Small, Target = i32, deref, (&self) -> &i32 { &self.0 });
fn main() {
    let table = Table(vec![4, 5]);
    println!("{} {}", table[1], *-Small(7));
}
