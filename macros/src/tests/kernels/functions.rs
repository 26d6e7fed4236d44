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
