//! The rules about numbers of present vertices: in components (*size*, *room*, *packing*) and in all (*count*).

use super::super::Want;
use super::{Contradiction, Known, Parts, Step};
use std::collections::BTreeMap;

impl Known<'_, '_> {
    pub(super) fn allows(&self, vertex: usize, size: usize) -> bool {
        self.sizes[vertex].as_ref().is_none_or(|sizes| sizes.get(size) == Some(&true))
    }

    pub(super) fn sizes(&mut self) -> Step {
        let (sure, possible) = (self.sure(), self.possible());
        for members in &sure.members {
            let lists = members.iter().filter_map(|member| self.sizes[*member].as_ref());
            let Some(most) = lists.map(Vec::len).min() else { continue };
            let first = members[0];
            // an absent vertex has size 0
            let room = match self.there[first] {
                Some(false) => 0,
                _ => possible.members[possible.of[first]].len(),
            };
            let least = if self.there[first] == Some(true) { members.len() } else { 0 };
            let allowed = |size: &usize| members.iter().all(|member| self.allows(*member, *size));
            let left: Vec<usize> = (least..most.min(room + 1)).filter(allowed).collect();
            match left[..] {
                [] => return Err(Contradiction),
                [0] => self.set_there(first, false)?,
                [size, ..] if size > 0 => self.set_there(first, true)?,
                _ => {}
            }
            let mut sizes = vec![false; left.last().map_or(0, |last| last + 1)];
            left.iter().for_each(|size| sizes[*size] = true);
            for member in members {
                self.changed |= self.sizes[*member].as_ref() != Some(&sizes);
                self.sizes[*member] = Some(sizes.clone());
            }
            if let [size] = left[..]
                && size > members.len()
            {
                let reached = self.room(members, size, &sure, |vertex| self.allows(vertex, size));
                if reached.into_iter().filter(|reached| *reached).count() < size {
                    return Err(Contradiction);
                }
            }
        }
        for (at, (a, b, _)) in self.checker.graph.edges.iter().enumerate() {
            if self.joins[at].is_some() || sure.of[*a] == sure.of[*b] {
                continue;
            }
            let together = sure.members[sure.of[*a]].len() + sure.members[sure.of[*b]].len();
            let lists = [a, b].into_iter().filter_map(|end| self.sizes[*end].as_ref());
            if let Some(most) = lists.map(Vec::len).min()
                && !(together..most).any(|size| self.allows(*a, size) && self.allows(*b, size))
            {
                self.set_joins(at, false)?;
            }
        }
        self.packing(&possible)
    }

    pub(super) fn count(&mut self, least: usize, most: usize) -> Step {
        let number = |what: Option<bool>| self.there.iter().filter(|there| **there == what).count();
        let (sure, open) = (number(Some(true)), number(None));
        if sure > most || sure + open < least {
            return Err(Contradiction);
        }
        if sure == most || sure + open == least {
            for vertex in 0..self.there.len() {
                if self.there[vertex].is_none() {
                    self.set_there(vertex, sure < most)?;
                }
            }
        }
        if !self.checker.graph.wants.contains(&Want::Connected) {
            return Ok(());
        }
        let parts = self.sure();
        for members in &parts.members {
            if self.there[members[0]] != Some(true) {
                continue;
            }
            let reached = self.room(members, most, &parts, |_| true);
            for vertex in (0..reached.len()).filter(|vertex| !reached[*vertex]) {
                self.set_there(vertex, false)?;
            }
        }
        Ok(())
    }

    /// What a component of `size` vertices at most that holds these may reach, per vertex.
    fn room(
        &self,
        members: &[usize],
        size: usize,
        sure: &Parts,
        may_be: impl Fn(usize) -> bool,
    ) -> Vec<bool> {
        let allowed = |vertex: usize| self.there[vertex] != Some(false) && may_be(vertex);
        let mut reached = vec![false; self.there.len()];
        members.iter().for_each(|member| reached[*member] = true);
        let mut layer = members.to_vec();
        // vertices that lie between those and the next layer
        let mut between = 0;
        while !layer.is_empty() {
            let mut next = Vec::new();
            for at in &layer {
                for (edge, other) in &self.checker.beside[*at] {
                    if self.joins[*edge] == Some(false) || reached[*other] || !allowed(*other) {
                        continue;
                    }
                    // whatever of its part is not found yet comes with it
                    let part = &sure.members[sure.of[*other]];
                    let is_begun = part.iter().any(|member| reached[*member]);
                    let more = if is_begun { 1 } else { part.len() };
                    if members.len() + between + more <= size {
                        reached[*other] = true;
                        next.push(*other);
                    }
                }
            }
            layer = next;
            between += 1;
        }
        reached
    }

    fn packing(&self, possible: &Parts) -> Step {
        for members in &possible.members {
            let mut in_size: BTreeMap<usize, usize> = BTreeMap::new();
            for member in members {
                let mut left =
                    self.sizes[*member].iter().flatten().enumerate().filter(|(_, allowed)| **allowed);
                if let (Some((size, _)), None) = (left.next(), left.next()) {
                    *in_size.entry(size).or_default() += 1;
                }
            }
            in_size.remove(&0);
            let wanted: usize = in_size.iter().map(|(size, count)| count.next_multiple_of(*size)).sum();
            if wanted > members.len() {
                return Err(Contradiction);
            }
        }
        Ok(())
    }
}
