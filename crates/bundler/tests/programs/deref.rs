use std::ops::{Deref, DerefMut};
#[derive(PartialEq)]
struct Outer {
    x: u8,
    inner: Inner,
}
#[derive(PartialEq)]
struct Inner {
    x: u8,
    len: u8,
}
mod hidden {
    pub struct Private {
        x: u8,
        pub visible: super::Inner2,
    }
    impl Private {
        pub fn new() -> Self {
            Self {
                x: 1,
                visible: super::Inner2 { x: 2 },
            }
        }
        pub fn own(&self) -> u8 {
            self.x
        }
    }
    impl std::ops::Deref for Private {
        type Target = super::Inner2;
        fn deref(&self) -> &super::Inner2 {
            &self.visible
        }
    }
}
pub struct Inner2 {
    pub x: u8,
}
impl Deref for Outer {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.inner
    }
}
impl DerefMut for Outer {
    fn deref_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}
fn main() {
    let mut o = Outer {
        x: 1,
        inner: Inner { x: 2, len: 3 },
    };
    o.len += 1;
    println!(
        "{} {} {} {}",
        o.x,
        o.inner.x,
        o.len,
        o.eq(&Outer {
            x: 9,
            inner: Inner { x: 2, len: 4 }
        })
    );
    let p = hidden::Private::new();
    println!("{} {}", p.x, p.own());
}
