//! LZ-string's base64 form (pieroxy/lz-string, `decompressFromBase64`), in which f-puzzles packs its JSON
//! into a link.

/// The largest number of UTF-16 units in a link: a short text can unpack to any number.
const MOST_UNITS: usize = 1 << 20;

const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

/// The bits of characters of 6 bits, most significant first; numbers come least significant bit first.
struct Bits<'a> {
    codes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> Option<usize> {
        let mut number = 0;
        for i in 0..count {
            let code = self.codes.get(self.at / 6)?;
            number |= usize::from(code >> (5 - self.at % 6) & 1) << i;
            self.at += 1;
        }
        Some(number)
    }
}

/// The decompressed text; `None` if the input is invalid or the text too long.
pub(super) fn decompress(text: &str) -> Option<String> {
    let codes: Option<Vec<u8>> =
        text.bytes().map(|b| ALPHABET.bytes().position(|c| c == b).map(|at| at as u8 & 63)).collect();
    let codes = codes?;
    let mut bits = Bits { codes: &codes, at: 0 };
    let mut units: Vec<u16> = Vec::new();
    // every word of the dictionary is a part of the output: its start and its length
    let mut words: Vec<(usize, usize)> = vec![(0, 0); 3];
    let mut width = 2;
    let mut before: Option<(usize, usize)> = None;
    loop {
        let start = units.len();
        let code = bits.take(width)?;
        let word = match code {
            0 | 1 => {
                units.push(bits.take(if code == 0 { 8 } else { 16 })? as u16);
                words.push((start, 1));
                (start, 1)
            }
            2 => return String::from_utf16(&units).ok(),
            _ => {
                let (from, length) = match (words.get(code), before) {
                    (Some(word), _) => *word,
                    // the word under construction: the previous one and its own first unit
                    (None, Some((from, length))) if code == words.len() => (from, length + 1),
                    _ => return None,
                };
                for i in 0..length {
                    units.push(units[from + i]);
                }
                (start, length)
            }
        };
        if units.len() > MOST_UNITS {
            return None;
        }
        if let Some((from, length)) = before {
            words.push((from, length + 1));
        }
        before = Some(word);
        // the code of the next word must fit
        width = width.max(usize::BITS - words.len().leading_zeros());
    }
}
