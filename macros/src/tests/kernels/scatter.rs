// Loops that add: to private copies in turns, to private copies, atomically beside plain reads.

#[kernel]
fn histogram(keys: &Field<i32>, bins: &mut Field<i32>) {
    for i in keys.indices() {
        bins[keys[i] as usize].atomic_add(1);
    }
}

#[kernel]
fn sorted(keys: &Field<u32>, counts: &mut Field<u32>, order: &mut Field<u32>) {
    for i in keys.indices() {
        let slot = counts[keys[i] as usize].atomic_add(1);
        order[slot as usize].atomic_store(i as u32);
    }
}
