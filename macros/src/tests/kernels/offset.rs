// Fields whose positions count from an origin.

#[kernel]
fn advance(u: &OffsetField<f32, 2>, out: &mut OffsetField<f32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
    }
}
