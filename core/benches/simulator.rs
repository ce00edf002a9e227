//! ns a chain step and ns a placement that clears nothing.
use columns_core::field::{Chain, Field};
use columns_core::isa::{run, Isa, Kernel, Path};
use std::time::Instant;

struct Rng(u64);
impl Rng {
    fn next(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

struct Best<const W: usize, const P: usize> {
    f: Field<W, P>,
    w: usize,
    h: u32,
    colours: u8,
}
impl<const W: usize, const P: usize> Kernel for Best<W, P> {
    type Output = (Chain, Field<W, P>);
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut best = (Chain::default(), self.f);
        for x in 0..self.w {
            let y = self.f.stack_height(x);
            if y + 3 > self.h {
                continue;
            }
            for c in 1..=self.colours {
                let mut g = self.f;
                g.put(x, y, c);
                let fired = g;
                let ch = g.resolve(isa, 1);
                if ch.points > best.0.points {
                    best = (ch, fired);
                }
            }
        }
        best
    }
}
struct Place<const W: usize, const P: usize> {
    f: Field<W, P>,
    x: usize,
    c: [u8; 3],
}
impl<const W: usize, const P: usize> Kernel for Place<W, P> {
    type Output = (Chain, Field<W, P>);
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut g = self.f;
        g.put_column(self.x, g.stack_height(self.x), self.c);
        let ch = g.resolve(isa, 1);
        (ch, g)
    }
}

fn fields<const W: usize, const P: usize>(
    w: usize,
    h: u32,
    colours: u8,
    n: usize,
) -> (Vec<Field<W, P>>, Vec<Field<W, P>>) {
    let mut rng = Rng(88172645463325252);
    let mut out = vec![];
    let mut quiet = vec![];
    while out.len() < n {
        let mut f = Field::<W, P>::EMPTY;
        for _ in 0..w * h as usize / 3 {
            let c = [0; 3].map(|_| 1 + rng.next(colours as u64) as u8);
            let mut best: Option<(u32, Field<W, P>, Field<W, P>, u32)> = None;
            for x in 0..w {
                for s in 0..3 {
                    if f.stack_height(x) + 3 > h - 1 {
                        continue;
                    }
                    let mut cc = c;
                    cc.rotate_left(s);
                    let (ch, g) = run(Path::Bmi2, Place { f, x, c: cc });
                    if ch.points > 0 {
                        continue;
                    }
                    let (p, fired) = run(
                        Path::Bmi2,
                        Best {
                            f: g,
                            w,
                            h,
                            colours,
                        },
                    );
                    if best.as_ref().map_or(true, |b| p.points >= b.0) {
                        best = Some((p.points, g, fired, p.steps));
                    }
                }
            }
            let Some((_, g, fired, steps)) = best else {
                break;
            };
            f = g;
            quiet.push(g);
            if steps >= 8 {
                out.push(fired);
            }
        }
    }
    (out, quiet)
}
struct Steps<'a, const W: usize, const P: usize>(&'a [Field<W, P>]);
impl<const W: usize, const P: usize> Kernel for Steps<'_, W, P> {
    type Output = (u32, u32);
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let (mut a, mut b) = (0, 0);
        for f in self.0 {
            let mut g = *f;
            let c = g.resolve(isa, 1);
            a += c.steps;
            b += c.points;
        }
        (a, b)
    }
}
struct Quiet<'a, const W: usize, const P: usize>(&'a [Field<W, P>], usize);
impl<const W: usize, const P: usize> Kernel for Quiet<'_, W, P> {
    type Output = u32;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut a = 0;
        let mut x = 0;
        for f in self.0 {
            let mut g = *f;
            x += 1;
            if x == self.1 {
                x = 0;
            }
            g.put_column(x, g.stack_height(x), [1, 2, 3]);
            let (n, m) = g.matches(isa);
            a += n + m.0[0] as u32;
        }
        a
    }
}
fn bench<const W: usize, const P: usize>(w: usize, h: u32, colours: u8) {
    let (fs, quiet) = fields::<W, P>(w, h, colours, 400);
    for path in [Path::Portable, Path::Bmi2] {
        let mut best = f64::MAX;
        let mut st = 0;
        for _ in 0..200 {
            let t = Instant::now();
            let (s, p) = run(path, Steps(&fs));
            std::hint::black_box(p);
            st = s;
            best = best.min(t.elapsed().as_nanos() as f64 / s as f64);
        }
        let mut bq = f64::MAX;
        for _ in 0..200 {
            let t = Instant::now();
            std::hint::black_box(run(path, Quiet(&quiet, w)));
            bq = bq.min(t.elapsed().as_nanos() as f64 / quiet.len() as f64);
        }
        println!("{w}x{h} c{colours} W{W} P{P} {path:?}: {best:.1} ns/step ({:.1} steps/chain) quiet {bq:.1}", st as f64 / fs.len() as f64);
    }
}
fn main() {
    bench::<2, 3>(6, 13, 5);
    bench::<3, 3>(9, 16, 5);
    bench::<4, 3>(12, 19, 5);
    bench::<4, 3>(9, 16, 5);
    bench::<4, 4>(12, 19, 5);
}
