// Indices across rows: the axes of a loop in another order, rows in strips.

#[kernel]
fn columns(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [j, i] in ndrange([w, h]) {
        v[[i, j]] = 2.0 * u[[i, j]];
    }
}

#[kernel]
fn transposed(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    for [i, j, k] in u.indices() {
        v[[k, i, j]] = u[[i, j, k]];
    }
}

// No axis is better.
#[kernel]
fn symmetric(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    for [i, j] in v.indices() {
        v[[i, j]] = u[[i, j]] + u[[j, i]];
    }
}

// Numbers tell that rows would be short.
#[kernel]
fn short(u: &Field<f32, 2>, v: &mut Field<f32, 2>, n: usize) {
    for [k, i] in ndrange([3, n]) {
        v[[i, k]] = u[[i, k]];
    }
}

// What is printed, and what is found first, has an order.
#[kernel]
fn ordered(u: &Field<f32, 2>) -> f32 {
    let [h, w] = u.shape();
    let (mut best, mut row) = (0.0, 0);
    for [j, i] in ndrange([w, h]) {
        if u[[i, j]] > best {
            best = u[[i, j]];
            row = i;
        }
    }
    for [j, i] in ndrange([w, h]) {
        println!("{}", u[[i, j]]);
    }
    best + row as f32
}
