//! Transformations of coordinates (ISO 32000-2, 8.3).

#![allow(clippy::many_single_char_names)] // the names of the standard

use super::object::Object;

/// The matrix `[a b c d e f]`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Matrix(pub(super) [f32; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) const fn translation(x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// Returns the matrix that the last six operands form.
    pub(super) fn of(operands: &[Object]) -> Option<Self> {
        let [.., a, b, c, d, e, f] = operands else {
            return None;
        };
        let number = Object::number;
        Some(Self([
            number(a)?,
            number(b)?,
            number(c)?,
            number(d)?,
            number(e)?,
            number(f)?,
        ]))
    }

    /// Returns the matrix that applies this matrix and then `next`.
    pub(super) fn then(self, next: Self) -> Self {
        let Self([a, b, c, d, e, f]) = self;
        let Self([p, q, r, s, t, u]) = next;
        Self([
            a * p + b * r,
            a * q + b * s,
            c * p + d * r,
            c * q + d * s,
            e * p + f * r + t,
            e * q + f * s + u,
        ])
    }

    /// Returns the position to which the matrix maps the origin.
    pub(super) const fn origin(self) -> (f32, f32) {
        let Self([.., x, y]) = self;
        (x, y)
    }

    /// Returns the distances from a point to the mapped origin, along the axes of the matrix and in
    /// its units.
    pub(super) fn distance(self, (x, y): (f32, f32)) -> (f32, f32) {
        let Self([a, b, c, d, e, f]) = self;
        let (x, y) = (e - x, f - y);
        let area = a * d - b * c;
        ((x * d - y * c) / area, (y * a - x * b) / area)
    }
}
