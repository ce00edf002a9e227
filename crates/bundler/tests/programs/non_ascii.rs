//! Names and texts with letters of other alphabets.

#[derive(Debug, Default)]
struct Größe {
    höhe: u32,
    ширина: u32,
}

mod 数学 {
    pub fn 面積(größe: &super::Größe) -> u32 {
        größe.höhe * größe.ширина
    }
}

fn main() {
    let größe = Größe { höhe: 3, ширина: 4 };
    let текст = "Fläche: ";
    println!("{текст}{} → {größe:?} {}", 数学::面積(&größe), 'é' as u32);
}
