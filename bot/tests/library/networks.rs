use columns_bot::learned::networks::*;

#[test]
fn the_networks_in_use_can_be_read_and_are_chosen_by_the_colours() {
    assert_eq!(built_in_networks_fit(), [true; 2]);
    let networks = built_in_networks().unwrap();
    let two = networks.two_colours.unwrap();
    assert!(
        std::ptr::eq(networks.for_colour_count(1), two)
            && std::ptr::eq(networks.for_colour_count(2), two)
    );
    assert!(std::ptr::eq(
        networks.for_colour_count(3),
        networks.any_colours
    ));
    assert_ne!(two, networks.any_colours);
    let one = Networks::new(two);
    assert!(std::ptr::eq(
        one.for_colour_count(2),
        one.for_colour_count(7)
    ));
}
