//! mines: the board as seen after the first click.
//!
//! The description contains all mines, masked, so that a reader does not see them: two halves of the bitmap,
//! each xored with a stream of SHA-1 digests of the other. A player goes on from the opened area; the puzzle
//! is the information in that area, and it may have several solutions.

use super::board::{Board, Grid, Item};
use super::reader::{Read, Reader};

pub(super) fn read(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let start = reader.clone();
    let column = reader.number()?;
    reader.expect(',')?;
    let row = reader.number()?;
    reader.expect(',')?;
    if row >= rows || column >= columns {
        return Err(reader.since(&start, "the first square lies outside"));
    }
    let masked = reader.peek() == Some('m');
    if !masked && reader.peek() != Some('u') {
        return Err(reader.here("`m` or `u` was expected"));
    }
    reader.next();
    let cells = rows * columns;
    let mut bytes = vec![0; cells.div_ceil(8)];
    for nibble in 0..cells.div_ceil(4) {
        let digit = reader.digit(16)? as u8;
        bytes[nibble / 2] |= if nibble % 2 == 0 { digit << 4 } else { digit };
    }
    if masked {
        unmask(&mut bytes, cells);
    }
    let mines: Vec<bool> = (0..cells).map(|at| bytes[at / 8] & (0x80 >> (at % 8)) != 0).collect();
    if mines[row * columns + column] {
        return Err(reader.since(&start, "the first square is a mine"));
    }
    board.set("mines", Item::number(mines.iter().filter(|mine| **mine).count()));
    let grid = opened(&mines, (rows, columns), row * columns + column);
    board.set("clue", Item::Words(grid));
    Ok(())
}

/// The mines are not in the data, so the board cannot be exported.
pub(super) fn write(_: &Board) -> Result<String, String> {
    Err("a game ID of mines holds where they are, which the data do not tell".into())
}

/// The cells around one.
fn around((rows, columns): (usize, usize), at: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (at / columns, at % columns);
    let lines = row.saturating_sub(1)..(row + 2).min(rows);
    let cells = lines.flat_map(move |r| {
        (column.saturating_sub(1)..(column + 2).min(columns)).map(move |c| r * columns + c)
    });
    cells.filter(move |cell| *cell != at)
}

/// The area that the first click opens: the cell, and repeatedly all neighbours of cells without adjacent
/// mines.
fn opened(mines: &[bool], size: (usize, usize), first: usize) -> Grid {
    let mut grid = Grid::new(size.0, size.1);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        if !grid.entries[at].is_empty() {
            continue;
        }
        let count = around(size, at).filter(|cell| mines[*cell]).count();
        grid.entries[at] = count.to_string();
        if count == 0 {
            open.extend(around(size, at));
        }
    }
    grid
}

/// The first half masks the second, then the second the first; bits after the last cell are 0.
fn unmask(bytes: &mut [u8], cells: usize) {
    let (first, second) = bytes.split_at_mut(bytes.len() / 2);
    xor(first, second);
    if !cells.is_multiple_of(8)
        && let Some(last) = second.last_mut()
    {
        *last &= (0xff00_u16 >> (cells % 8)) as u8;
    }
    xor(second, first);
}

fn xor(seed: &[u8], target: &mut [u8]) {
    for (counter, chunk) in target.chunks_mut(20).enumerate() {
        let digest = sha1(&[seed, counter.to_string().as_bytes()].concat());
        chunk.iter_mut().zip(digest).for_each(|(byte, mask)| *byte ^= mask);
    }
}

/// FIPS 180-4, section 6.1.
fn sha1(message: &[u8]) -> [u8; 20] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64) + if padded.len() % 64 > 56 { 64 } else { 0 }, 0);
    let end = padded.len() - 8;
    padded[end..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
    let mut state: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    for block in padded.chunks_exact(64) {
        let mut words = [0u32; 80];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        for t in 16..80 {
            words[t] = (words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (t, word) in words.iter().enumerate() {
            let (f, k) = match t / 20 {
                0 => (b & c | !b & d, 0x5a827999),
                1 => (b ^ c ^ d, 0x6ed9eba1),
                2 => (b & c | b & d | c & d, 0x8f1bbcdc),
                _ => (b ^ c ^ d, 0xca62c1d6),
            };
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(*word);
            (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
        }
        for (old, new) in state.iter_mut().zip([a, b, c, d, e]) {
            *old = old.wrapping_add(new);
        }
    }
    let mut digest = [0; 20];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

#[cfg(test)]
mod tests {
    /// The examples of FIPS 180, and a length for which the padding takes its own block.
    #[test]
    fn digests() {
        let hex = |text: &str| super::sha1(text.as_bytes()).map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(long), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    }
}
