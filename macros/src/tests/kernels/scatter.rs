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

// A sum beside a sum of one component: operations of two sizes must not meet.
#[kernel]
fn mixed(at: &Field<u32>, v: &mut Field<Vec2>, w: &mut Field<Vec2>) {
    for i in at.indices() {
        v[at[i] as usize].atomic_add(Vec2::new(1.0, 2.0));
        v[at[i] as usize].y.atomic_add(3.0);
        w[at[i] as usize].atomic_add(Vec2::new(1.0, 2.0));
    }
    for i in at.indices() {
        w[at[i] as usize].atomic_sub(Vec2::new(1.0, 2.0));
    }
}

// A sum beside additions, which several threads make from lanes, too: the sum has the same bits.

#[kernel]
fn counted(x: &Field<f32>, count: &mut Field<u32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
        count[i].atomic_add(1);
    }
    sum
}
