// Loops that add: to private copies in turns, to private copies, atomically beside plain reads.

#[kernel]
fn histogram(keys: &Field<i32>, bins: &mut Field<i32>) {
    for i in keys.indices() {
        bins.atomic_add(keys[i] as usize, 1);
    }
}

#[kernel]
fn sorted(keys: &Field<u32>, counts: &mut Field<u32>, order: &mut Field<u32>) {
    for i in keys.indices() {
        let slot = counts.atomic_add(keys[i] as usize, 1);
        order.atomic_store(slot as usize, i as u32);
    }
}
