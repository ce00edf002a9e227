//! The game that a new page shows: a game of the bot, in the middle of its longest chain.

/// The address of the example: its seed, generator options, plan and moment. The field is small enough for
/// every screen. The plan comes from a search of 400,000 states.
pub(crate) const EXAMPLE_ADDRESS: &str = "seed=13&profile=constant&width=8&height=15&columns=120&colours=5&\
    plan=348b6h7ac6ckfljmcfkel7fje95mhj0446af38cb8g6kgnicgmcfc0kk3mn0\
    083b69dh388bdfbjn3ckg0feli9fd1h7hbdc93heb5741a3j8717ij5c0n03&at=60.32";
