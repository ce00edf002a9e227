//! The options that the content of a file depends on. Work on a file continues only with the same
//! options.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The options that a file was made with, and their values. In JSON it is an object of strings.
///
/// ```
/// use columns_tuner::learn::identity::Identity;
///
/// let file = Identity::default().with_options("--profile few").with("--every", 4);
/// let now = Identity::default().with_options("--profile few").with("--every", 5);
/// assert_eq!(
///     file.differs(&now).unwrap(),
///     "--every: expected 4 as the file was made with, found 5"
/// );
/// assert_eq!(file.differs(&file), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Identity(BTreeMap<String, String>);

/// What options were called in earlier versions, and what they are called now.
const RENAMED: [(&str, &str); 1] = [("--width-of-beam", "--beam-width")];

impl From<BTreeMap<String, String>> for Identity {
    fn from(mut options: BTreeMap<String, String>) -> Self {
        for (before, now) in RENAMED {
            if let Some(value) = options.remove(before) {
                options.insert(now.into(), value);
            }
        }
        Self(options)
    }
}

impl From<Identity> for BTreeMap<String, String> {
    fn from(identity: Identity) -> Self {
        identity.0
    }
}

impl Identity {
    /// The same with one more option. Of an option that is given twice, the last value counts.
    #[must_use]
    pub fn with(mut self, option: &str, value: impl fmt::Display) -> Self {
        self.0.insert(option.into(), value.to_string());
        self
    }

    /// The same with the options of a line such as `--profile few --columns 40`, in which every
    /// option has one value, as a [`Spec`](columns_generator::Spec) shows itself.
    #[must_use]
    pub fn with_options(self, line: &str) -> Self {
        let words: Vec<&str> = line.split_whitespace().collect();
        words
            .chunks_exact(2)
            .fold(self, |identity, pair| identity.with(pair[0], pair[1]))
    }

    /// The first option that is not the same in `now`, with both values, as a line for the user;
    /// `none` stands for an option that is not there. Nothing if all are the same.
    pub fn differs(&self, now: &Self) -> Option<String> {
        let options = self.0.keys().chain(now.0.keys());
        let option = options
            .filter(|&option| self.0.get(option) != now.0.get(option))
            .min()?;
        let [expected, found] = [self, now].map(|identity| {
            let value = identity.0.get(option);
            value.map_or("none", String::as_str)
        });
        Some(format!(
            "{option}: expected {expected} as the file was made with, found {found}"
        ))
    }
}

/// The options as a command line has them, sorted by name.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self
            .0
            .iter()
            .map(|(option, value)| [option, " ", value].concat());
        f.write_str(&options.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named_with_both_values() {
        let file = Identity::default()
            .with_options("--profile few --columns 40")
            .with("--beam-width", 400);
        let differs = |now: Identity| file.differs(&now);
        assert_eq!(differs(file.clone()), None);
        for (now, expected) in [
            (
                file.clone().with("--beam-width", 500),
                "--beam-width: expected 400 as the file was made with, found 500",
            ),
            (
                file.clone()
                    .with("--rollouts", "12,30")
                    .with("behaviour", 1),
                "--rollouts: expected none as the file was made with, found 12,30",
            ),
            (
                Identity::default().with_options("--profile few"),
                "--beam-width: expected 400 as the file was made with, found none",
            ),
        ] {
            assert_eq!(differs(now).unwrap(), expected);
        }
    }

    #[test]
    fn an_identity_reads_as_it_is_written() {
        let identity = Identity::default().with("--every", 4).with("--cut", "6");
        let text = serde_json::to_string(&identity).unwrap();
        assert_eq!(text, r#"{"--cut":"6","--every":"4"}"#);
        assert_eq!(serde_json::from_str::<Identity>(&text).unwrap(), identity);
        assert_eq!(identity.to_string(), "--cut 6 --every 4");
        let before: Identity = serde_json::from_str(r#"{"--width-of-beam":"400"}"#).unwrap();
        assert_eq!(before, Identity::default().with("--beam-width", 400));
    }
}
