//! The state that both searches share: which options are still possible, as sparse sets ("dancing cells").
//!
//! In: a problem. Out: removal of options from the sets of their items, and its undoing.
//!
//! Each item has the set of its options' nodes in one flat array, of which the first `len` are possible; a removed node
//! trades places with the last possible one. So the lengths alone are the state, and a copy of them undoes everything
//! since. The nodes of an option lie side by side, between spacers. What else must be known of an item is flags on its
//! length, so that one comparison tells everything: a length without flags is that of a primary item that is still to be
//! covered. An item that is covered, or whose colour is settled, has its set left as it was.

use super::problem::{Colour, Kind, PLAIN, Problem};
use super::{Item, Options};

/// Covered, or its colour is settled: no removal touches its set.
pub(super) const DONE: u32 = 1 << 30;
/// In the option that is being chosen: removals need not be checked.
pub(super) const CURRENT: u32 = 1 << 29;
/// A secondary item: it may be left uncovered.
const SECONDARY: u32 = 1 << 28;
/// The bits of a length that count.
pub(super) const LEN: u32 = SECONDARY - 1;

const SPACER: u32 = u32::MAX;

/// An item in an option.
#[derive(Clone, Copy, Debug)]
struct Node {
    item: u32,
    /// Where it is in the item's set; of a spacer: the first node of the option before it.
    place: u32,
}

/// An item's set of options, and how often it is still to be covered.
#[derive(Debug)]
pub(super) struct Dance {
    nodes: Vec<Node>,
    /// By node.
    colours: Vec<Colour>,
    /// Of each option the first node; one more at the end.
    starts: Vec<u32>,
    /// Of each item the place where its set begins.
    begins: Vec<u32>,
    /// All sets, one behind the other.
    sets: Vec<u32>,
    /// Of each item the length of its set, with flags.
    pub lens: Vec<u32>,
    /// Primary items come first, and of them those that are preferred.
    pub primaries: usize,
    pub preferred: usize,
    /// By primary item: how often it may be covered yet.
    pub highs: Vec<u32>,
    /// By primary item: how much less often suffices.
    pub slacks: Vec<u32>,
    /// By option: its number in the problem.
    numbers: Vec<u32>,
    /// Items that have just as many options as they need.
    pub forced: Vec<u32>,
    /// Options looked at, as a measure of work.
    pub work: u64,
}

impl Dance {
    pub fn new(problem: &Problem, options: &Options) -> Dance {
        let mut random = Random(options.seed);
        let mut items: Vec<Item> = (0..problem.items() as u32).collect();
        let mut numbers: Vec<u32> = (0..problem.options() as u32).collect();
        if options.seed != 0 {
            random.shuffle(&mut items);
            random.shuffle(&mut numbers);
        }
        let class = |item: Item| match problem.kind(item) {
            Kind::Primary { .. } if options.sharp && problem.name(item).starts_with(b"#") => 0,
            Kind::Primary { .. } => 1,
            Kind::Secondary => 2,
        };
        items.sort_by_key(|item| class(*item));
        let count = |below: u8| items.iter().filter(|item| class(**item) < below).count();
        let (preferred, primaries) = (count(1), count(2));
        let mut ids = vec![0; items.len()];
        let (mut highs, mut slacks) = (Vec::new(), Vec::new());
        for (id, item) in items.iter().enumerate() {
            ids[*item as usize] = id as u32;
            if let Kind::Primary { lo, hi } = problem.kind(*item) {
                highs.push(hi);
                slacks.push(hi - lo);
            }
        }
        let mut lens = vec![0u32; items.len()];
        let size = problem.entries() + problem.options() + 1;
        let mut nodes = Vec::with_capacity(size);
        let mut colours = Vec::with_capacity(size);
        let mut starts = Vec::with_capacity(problem.options() + 1);
        nodes.push(Node { item: SPACER, place: 0 });
        colours.push(PLAIN);
        for number in &numbers {
            let start = nodes.len() as u32;
            starts.push(start);
            for entry in problem.entries_of(*number as usize) {
                let id = ids[entry.item as usize];
                nodes.push(Node { item: id, place: lens[id as usize] });
                colours.push(entry.colour);
                lens[id as usize] += 1;
            }
            nodes.push(Node { item: SPACER, place: start });
            colours.push(PLAIN);
        }
        starts.push(nodes.len() as u32);
        let mut begins = Vec::with_capacity(items.len());
        let mut end = 0;
        for len in &lens {
            begins.push(end);
            end += len;
        }
        let mut sets = vec![0; end as usize];
        for (at, node) in nodes.iter_mut().enumerate().filter(|(_, node)| node.item != SPACER) {
            node.place += begins[node.item as usize];
            sets[node.place as usize] = at as u32;
        }
        // Bounds above the number of options say nothing, and would run into the flags.
        for ((len, high), slack) in lens.iter().zip(&mut highs).zip(&mut slacks) {
            let low = (*high - *slack).min(len + 1);
            *high = (*high).min(low.max(*len).max(1));
            *slack = *high - low;
        }
        lens[primaries..].iter_mut().for_each(|len| *len |= SECONDARY);
        Dance {
            nodes,
            colours,
            starts,
            begins,
            sets,
            lens,
            primaries,
            preferred,
            highs,
            slacks,
            numbers,
            forced: Vec::new(),
            work: 0,
        }
    }

    pub fn options(&self) -> usize {
        self.numbers.len()
    }

    /// The node of a primary item in an option.
    pub fn primary_node(&self, option: usize) -> u32 {
        let nodes = self.starts[option]..self.starts[option + 1] - 1;
        nodes
            .into_iter()
            .find(|node| self.is_primary(self.item_of(*node)))
            .expect("an option has a primary item")
    }

    /// The option of a node by its number in the problem, and the node's place in it.
    pub fn option_of(&self, node: u32) -> (u32, u32) {
        let option = self.starts.partition_point(|start| *start <= node) - 1;
        (self.numbers[option], node - self.starts[option])
    }

    pub fn begin(&self, item: u32) -> u32 {
        self.begins[item as usize]
    }

    pub fn node_at(&self, place: u32) -> u32 {
        self.sets[place as usize]
    }

    pub fn item_of(&self, node: u32) -> u32 {
        self.nodes[node as usize].item
    }

    pub fn colour_of(&self, node: u32) -> Colour {
        self.colours[node as usize]
    }

    pub fn is_done(&self, item: u32) -> bool {
        self.lens[item as usize] & DONE != 0
    }

    pub fn is_primary(&self, item: u32) -> bool {
        (item as usize) < self.primaries
    }

    /// Is this node's option still possible? Its item must not be done.
    pub fn is_possible(&self, node: u32) -> bool {
        let Node { item, place } = self.nodes[node as usize];
        place < self.begin(item) + (self.lens[item as usize] & LEN)
    }

    /// How often an item must be covered yet.
    pub fn low(&self, item: u32) -> u32 {
        self.highs[item as usize].saturating_sub(self.slacks[item as usize])
    }

    /// The node behind this one in its option, and so on in a circle.
    #[inline(always)]
    pub fn next(&self, node: u32) -> u32 {
        let next = self.nodes[node as usize + 1];
        if next.item == SPACER { next.place } else { node + 1 }
    }

    /// Takes a node out of its item's set, whatever that means for the item.
    #[inline(always)]
    pub fn take_out(&mut self, node: u32) {
        let Node { item, place } = self.nodes[node as usize];
        self.lens[item as usize] -= 1;
        self.swap_out(node, item, place, self.lens[item as usize] & LEN);
    }

    #[inline(always)]
    fn swap_out(&mut self, node: u32, item: u32, place: u32, left: u32) {
        let last = self.begins[item as usize] + left;
        let moved = self.sets[last as usize];
        self.sets[last as usize] = node;
        self.sets[place as usize] = moved;
        self.nodes[node as usize].place = last;
        self.nodes[moved as usize].place = place;
    }

    /// Takes every option that is incompatible with covering an item so out of all other sets. The item must be done.
    ///
    /// With `CHECK`, false if that leaves some primary item with too few options (then only the lengths of before help);
    /// one that has just enough becomes forced. With `MULTI`, what an item needs is looked up, else it is one option.
    #[inline(always)]
    pub fn hide<const CHECK: bool, const MULTI: bool>(&mut self, item: u32, colour: Colour) -> bool {
        let begin = self.begins[item as usize];
        let end = begin + (self.lens[item as usize] & LEN);
        self.work += u64::from(end - begin);
        for place in begin..end {
            let node = self.sets[place as usize];
            let compatible = colour != PLAIN && self.colours[node as usize] == colour;
            if !compatible && !self.remove::<CHECK, MULTI>(node) {
                return false;
            }
        }
        true
    }

    /// Takes a node's option out of the sets of its other items.
    #[inline(always)]
    pub fn remove<const CHECK: bool, const MULTI: bool>(&mut self, node: u32) -> bool {
        let mut at = node;
        loop {
            at += 1;
            let Node { item, place } = self.nodes[at as usize];
            if item == SPACER {
                at = place - 1;
                continue;
            }
            if at == node {
                return true;
            }
            let len = self.lens[item as usize];
            if len & DONE != 0 {
                continue;
            }
            let left = len - 1;
            if CHECK {
                let least = if MULTI && len & SECONDARY == 0 { self.low(item) } else { 1 };
                if left <= least {
                    if left < least {
                        self.forced.clear();
                        return false;
                    }
                    if least > 0 {
                        self.forced.push(item);
                    }
                }
            }
            self.lens[item as usize] = left;
            self.swap_out(at, item, place, left & LEN);
        }
    }
}

/// Small and repeatable (Steele, Lea and Flood's SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * n as u128) >> 64) as usize
    }

    fn shuffle(&mut self, items: &mut [u32]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}
