//! Signs as SVG.
//!
//! In: a [`Sign`] and its place. Out: elements with a class; the style sheet defines the colours. Knows nothing of
//! drawings.

use super::signs::Sign;

/// The space for a sign or a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
    /// The radius of a circle.
    pub radius: usize,
    /// How far lines go beyond the sides: up, right, down, left.
    pub reach: [usize; 4],
}

impl Place {
    /// The same place without a rim.
    pub fn within(self, rim: usize) -> Place {
        let Place { x, y, width, height, .. } = self;
        Place { x: x + rim, y: y + rim, width: width - 2 * rim, height: height - 2 * rim, ..self }
    }

    pub fn middle(&self) -> (usize, usize) {
        (self.x + self.width / 2, self.y + self.height / 2)
    }
}

/// A shaded cell.
pub(super) fn shade(class: &str, place: Place) -> String {
    let Place { x, y, width, height, .. } = place;
    format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n")
}

/// The elements of a sign; `class` is empty or begins with a blank.
pub(super) fn shape(sign: Sign, class: &str, place: Place) -> String {
    let Place { x, y, width: w, height: h, radius, reach } = place;
    let (cx, cy) = place.middle();
    let circle = |kind: &str, radius: usize| {
        format!("<circle class=\"{kind}{class}\" cx=\"{cx}\" cy=\"{cy}\" r=\"{radius}\"/>\n")
    };
    let ink = |path: String| format!("<path class=\"ink{class}\" d=\"{path}\"/>\n");
    let polygon = |points: String| format!("<polygon class=\"solid{class}\" points=\"{points}\"/>\n");
    match sign {
        Sign::Nothing => String::new(),
        Sign::Shade => shade(&format!("shade{class}"), place),
        Sign::Open => format!("<circle class=\"point\" cx=\"{cx}\" cy=\"{cy}\" r=\"2\"/>\n"),
        Sign::Ring => circle("ring", radius),
        Sign::Disc => circle("disc", radius),
        Sign::Round => circle("solid", radius),
        Sign::Block => format!(
            "<rect class=\"solid{class}\" x=\"{}\" y=\"{}\" width=\"22\" height=\"22\"/>\n",
            cx - 11,
            cy - 11
        ),
        Sign::Star => {
            // A five-pointed star, outer radius 14, inner 5.6, the first point up.
            const STAR: [(i32, i32); 10] = [
                (0, -140),
                (33, -45),
                (133, -43),
                (53, 17),
                (82, 113),
                (0, 56),
                (-82, 113),
                (-53, 17),
                (-133, -43),
                (-33, -45),
            ];
            let point = |(dx, dy)| {
                format!("{:.1},{:.1}", cx as f64 + f64::from(dx) / 10.0, cy as f64 + f64::from(dy) / 10.0)
            };
            polygon(STAR.map(point).join(" "))
        }
        // A sign that is found all over the board is drawn thin.
        Sign::Wave => {
            let class = if class.is_empty() { "slash" } else { "ink thin given" };
            format!("<path class=\"{class}\" d=\"M{} {cy}q4 -6 8 0t8 0\"/>\n", cx - 8)
        }
        Sign::Slant { falling } => {
            let (from, to) = if falling { (y, y + h) } else { (y + h, y) };
            ink(format!("M{x} {from}L{} {to}", x + w))
        }
        Sign::Split => format!("<path class=\"slash\" d=\"M{x} {y}L{} {}\"/>\n", x + w, y + h),
        Sign::Corner { lower, right } => {
            let (row, column) = (y + h * usize::from(lower), x + w * usize::from(right));
            let (other_row, other_column) = (y + h * usize::from(!lower), x + w * usize::from(!right));
            polygon(format!("{column},{row} {other_column},{row} {column},{other_row}"))
        }
        Sign::Arms(arms) => {
            let [up, right, down, left] = reach;
            let ends = [(cx, y - up), (x + w + right, cy), (cx, y + h + down), (x - left, cy)];
            let drawn = arms.iter().zip(ends).filter(|(arm, _)| **arm > 0);
            ink(drawn.map(|(_, (ex, ey))| format!("M{cx} {cy}L{ex} {ey}")).collect())
        }
        Sign::Double { upright } => {
            let [up, right, down, left] = reach;
            ink(if upright {
                let (y, h) = (y - up, h + up + down);
                format!("M{} {y}v{h}M{} {y}v{h}", cx - 4, cx + 4)
            } else {
                let (x, w) = (x - left, w + left + right);
                format!("M{x} {}h{w}M{x} {}h{w}", cy - 4, cy + 4)
            })
        }
        Sign::Arrow(down, right) => {
            let (cx, cy) = (cx as i32, cy as i32);
            // The tip, and the ends of the opposite side.
            let tip = (cx + 11 * right, cy + 11 * down);
            let back = (cx - 8 * right, cy - 8 * down);
            let (ax, ay) = (back.0 + 11 * down, back.1 + 11 * right);
            let (bx, by) = (back.0 - 11 * down, back.1 - 11 * right);
            polygon(format!("{},{} {ax},{ay} {bx},{by}", tip.0, tip.1))
        }
        // Above the number if it is horizontal, to the right of it if vertical.
        Sign::Pointer(down, 0) => {
            let (x, from) = ((x + w - 8) as i32, cy as i32 - 11 * down);
            let tip = from + 22 * down;
            let head = tip - 5 * down;
            thin(class, &format!("M{x} {from}V{tip}M{} {head}L{x} {tip}L{} {head}", x - 4, x + 4))
        }
        Sign::Pointer(_, right) => {
            let (from, y) = (cx as i32 - 11 * right, (y + 8) as i32);
            let tip = from + 22 * right;
            let head = tip - 5 * right;
            thin(class, &format!("M{from} {y}H{tip}M{head} {}L{tip} {y}L{head} {}", y - 4, y + 4))
        }
    }
}

/// A less-than sign between neighbours: the tip is at the smaller one.
pub(super) fn less(down: i32, right: i32, (cx, cy): (usize, usize)) -> String {
    let (cx, cy) = (cx as i32, cy as i32);
    let tip = (cx + 4 * right, cy + 4 * down);
    let back = (cx - 4 * right, cy - 4 * down);
    let (a, b) = ((back.0 + 7 * down, back.1 + 7 * right), (back.0 - 7 * down, back.1 - 7 * right));
    thin(" given", &format!("M{} {}L{} {}L{} {}", a.0, a.1, tip.0, tip.1, b.0, b.1))
}

fn thin(class: &str, path: &str) -> String {
    format!("<path class=\"ink thin{class}\" d=\"{path}\"/>\n")
}
