// Functions and methods.

#[func]
fn clamped<T: Float>(x: T, most: &mut T) -> T {
    assert!(x >= T::ZERO, "{x} is negative");
    if x > *most {
        *most = x;
        return x / (x + T::ONE);
    }
    x.sin().powf(*most)
}

#[func]
impl Body {
    fn energy(&self, g: f32) -> f32 {
        0.5 * self.mass * self.vel.dot(self.vel) + self.mass * g * self.pos.y
    }

    fn bounce(&mut self, ground: f32) -> bool {
        let below = self.pos.y < ground;
        if below {
            self.vel.y = -self.vel.y;
        }
        below
    }
}

#[kernel]
fn fall(bodies: &mut Field<Body>, energy: &mut Field<f32>, dt: f32) {
    for i in bodies.indices() {
        let mut body = bodies[i];
        body.pos += body.vel * dt;
        if body.bounce(0.0) {
            body.vel *= 0.9;
        }
        energy[i] = body.energy(9.81);
        bodies[i] = body;
    }
}

#[func]
fn slope(u: &Field<f32, 2>, i: usize, place: [usize; 2]) -> f32 {
    let before = i - 1;
    u[[i + 1, place[0]]] - u[[before, 0]] + u[place] * at(u, i, 2)
}

#[func]
fn at(u: &Field<f32, 2>, i: usize, k: usize) -> f32 {
    u[[i, k % 7]] + u[[3, k]]
}

#[kernel]
fn slopes(u: &Field<f32, 2>, out: &mut Field<f32, 2>, k: f32) {
    for [i, j] in out.indices() {
        out[[i, j]] = slope(u, j, [i, j]) * k;
    }
}
