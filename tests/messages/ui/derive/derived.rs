use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
#[element(PartialOrd, Eq)]
struct Ordered(i32);

#[derive(Element, Clone, Copy)]
#[element]
struct Nothing(i32);

#[derive(Element, Clone, Copy)]
#[element(derive = PartialEq)]
struct Named(i32);

fn main() {}
