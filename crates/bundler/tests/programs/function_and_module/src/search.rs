pub fn search(text: &str, word: &str) -> Option<usize> {
    text.find(word)
}
