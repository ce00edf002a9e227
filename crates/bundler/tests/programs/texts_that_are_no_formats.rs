fn main() {
    let nodes = 1;
    let keys = vec!["{nodes}", "{{nodes}}"];
    println!("{} {} {nodes} {}", keys[0], keys[0] == "{nodes}", keys[1]);
    assert!(keys[0] != "{other}", "{nodes}");
    assert_eq!(keys[0], "{nodes}", "{nodes} is not {}", "{nodes}");
    println!("{}", matches!(keys[0], "{nodes}"));
}
