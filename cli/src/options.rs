//! Values of options that several commands have.

/// Reads an amount of work: milliseconds from 0.001 to a billion.
///
/// # Errors
/// Says what was expected.
pub fn work(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(work) if (0.001..=1e9).contains(&work) => Ok(work),
        _ => Err("expected milliseconds from 0.001 to 1000000000".into()),
    }
}
