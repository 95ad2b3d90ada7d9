//! The JSON texts of all strings, as one automaton for the process.

use std::sync::{Arc, LazyLock};

use crate::error::Error;
use crate::json::Spelling;
use crate::pattern::{
    ByteState, Edge, Lazy, Pattern, SharedState, Stepper, Words, automaton_number, ranges,
};

/// Before the opening quotation mark; state 0 is not used.
pub(super) const START: u32 = 1;
/// Between characters.
pub(super) const TEXT: u32 = 2;
pub(super) const END: u32 = 3;
/// Behind a backslash.
const SLASH: u32 = 4;

/// The states; number 0 is none.
fn any(spelling: Spelling) -> Vec<ByteState> {
    let state = |edges: &[(u8, u8, u32)]| ByteState { accepting: false, edges: edges.into() };
    let hex = |to| state(&[(b'0', b'9', to), (b'A', b'F', to), (b'a', b'f', to)]);
    // Continuation bytes of UTF-8: one, two or three more, and what may follow the leads that are special.
    let (one, two, three, e0, ed, f0, f4) = (5, 6, 7, 8, 9, 10, 11);
    let mut states = vec![
        ByteState::default(),
        state(&[(b'"', b'"', TEXT)]),
        state(&[
            (b' ', b'!', TEXT),
            (b'"', b'"', END),
            (b'#', b'[', TEXT),
            (b'\\', b'\\', SLASH),
            (b']', 0x7f, TEXT),
            (0xc2, 0xdf, one),
            (0xe0, 0xe0, e0),
            (0xe1, 0xec, two),
            (0xed, 0xed, ed),
            (0xee, 0xef, two),
            (0xf0, 0xf0, f0),
            (0xf1, 0xf3, three),
            (0xf4, 0xf4, f4),
        ]),
        ByteState { accepting: true, edges: Vec::new() },
        ByteState::default(),
        state(&[(0x80, 0xbf, TEXT)]),
        state(&[(0x80, 0xbf, one)]),
        state(&[(0x80, 0xbf, two)]),
        state(&[(0xa0, 0xbf, one)]),
        state(&[(0x80, 0x9f, one)]),
        state(&[(0x90, 0xbf, two)]),
        state(&[(0x80, 0x8f, two)]),
    ];
    let u = states.len() as u32;
    let mut short: Vec<(u8, u8, u32)> =
        b"\"\\bfnrt".iter().map(|&byte| (byte, byte, TEXT)).collect();
    short.push((b'u', b'u', u));
    match spelling {
        Spelling::Canonical => {
            // Only control characters: \u00, then 0 or 1, then any digit.
            states.extend([
                state(&[(b'0', b'0', u + 1)]),
                state(&[(b'0', b'0', u + 2)]),
                state(&[(b'0', b'1', u + 3)]),
                hex(TEXT),
            ]);
        }
        Spelling::Any => {
            short.push((b'/', b'/', TEXT));
            // Four digits; those of a high surrogate are followed by a low one.
            let (three, two, one, d) = (u + 1, u + 2, u + 3, u + 4);
            states.extend([
                state(&[
                    (b'0', b'9', three),
                    (b'A', b'C', three),
                    (b'D', b'D', d),
                    (b'E', b'F', three),
                    (b'a', b'c', three),
                    (b'd', b'd', d),
                    (b'e', b'f', three),
                ]),
                hex(two),
                hex(one),
                hex(TEXT),
                state(&[
                    (b'0', b'7', two),
                    (b'8', b'9', u + 5),
                    (b'A', b'B', u + 5),
                    (b'a', b'b', u + 5),
                ]),
                hex(u + 6),
                hex(u + 7),
                state(&[(b'\\', b'\\', u + 8)]),
                state(&[(b'u', b'u', u + 9)]),
                state(&[(b'D', b'D', u + 10), (b'd', b'd', u + 10)]),
                state(&[(b'C', b'F', two), (b'c', b'f', two)]),
            ]);
        }
    }
    short.sort_unstable();
    states[SLASH as usize].edges = short;
    states
}

/// The automaton of any string, with the fewest bytes from each state to the end.
#[derive(Debug)]
pub(super) struct Any {
    pub(super) states: Vec<ByteState>,
    pub(super) rests: Vec<u32>,
    bytes: Vec<(u8, u8)>,
    number: u32,
}

/// The texts of all strings.
pub(super) fn any_string(spelling: Spelling) -> Pattern {
    Pattern::Lazy(Lazy::of(Any::of(spelling).clone()))
}

impl Any {
    pub(super) fn of(spelling: Spelling) -> &'static Arc<Self> {
        static CANONICAL: LazyLock<Arc<Any>> =
            LazyLock::new(|| Arc::new(Any::new(Spelling::Canonical)));
        static ANY: LazyLock<Arc<Any>> = LazyLock::new(|| Arc::new(Any::new(Spelling::Any)));
        match spelling {
            Spelling::Canonical => &CANONICAL,
            Spelling::Any => &ANY,
        }
    }

    fn new(spelling: Spelling) -> Self {
        let states = any(spelling);
        let mut rests = vec![u32::MAX; states.len()];
        rests[END as usize] = 0;
        let mut used = [false; 256];
        for _ in 0..states.len() {
            for (at, state) in states.iter().enumerate() {
                for &(lo, hi, to) in &state.edges {
                    rests[at] = rests[at].min(rests[to as usize].saturating_add(1));
                    used[usize::from(lo)..=usize::from(hi)].fill(true);
                }
            }
        }
        Self { states, rests, bytes: ranges(&used), number: automaton_number() }
    }

    /// Where a byte leads, which can follow.
    pub(super) fn step(&self, from: u32, byte: u8) -> u32 {
        let mut edges = self.states[from as usize].edges.iter();
        edges.find(|(lo, hi, _)| (*lo..=*hi).contains(&byte)).map_or(TEXT, |edge| edge.2)
    }
}

impl Stepper for Any {
    fn start(&self) -> Words {
        [START].into()
    }

    fn accepts(&self, state: &[u32]) -> bool {
        *state == [END]
    }

    fn rest(&self, state: &[u32]) -> u32 {
        self.rests[state[0] as usize]
    }

    fn edges(&self, state: &[u32]) -> Result<Vec<Edge>, Error> {
        let edges = self.states[state[0] as usize].edges.iter();
        Ok(edges.map(|&(lo, hi, to)| (lo, hi, [to].into())).collect())
    }

    fn bytes(&self) -> &[(u8, u8)] {
        &self.bytes
    }

    fn shared(&self, state: &[u32]) -> Option<SharedState<'_>> {
        Some(SharedState {
            automaton: self,
            number: self.number,
            state: state[0],
            except: [None; 2],
        })
    }
}
