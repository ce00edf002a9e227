use columns_bot::learned::networks::*;

#[test]
fn the_networks_in_use_can_be_read_and_are_chosen_by_the_colours() {
    assert_eq!(sources_fit(), [true; 2]);
    let networks = built_in().unwrap();
    let two = networks.two_colours.unwrap();
    assert!(
        std::ptr::eq(networks.for_colours(1), two) && std::ptr::eq(networks.for_colours(2), two)
    );
    assert!(std::ptr::eq(networks.for_colours(3), networks.any));
    assert_ne!(two, networks.any);
    let one = Networks::new(two);
    assert!(std::ptr::eq(one.for_colours(2), one.for_colours(7)));
}
