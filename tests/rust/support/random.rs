//! Random numbers from a seed that a failing run can be repeated with.

use std::any::Any;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{SystemTime, UNIX_EPOCH};

/// SplitMix64: small, and the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of 100 cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The number in the environment variable `name`, if it is set.
pub(crate) fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

/// `STACKMASK_SEED`, or a new seed.
pub(crate) fn seed() -> u64 {
    number("STACKMASK_SEED").unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
        now.as_nanos() as u64 % 1_000_000_007
    })
}

/// Writes a line that the test harness does not swallow when the test passes.
pub(crate) fn report(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("standard error can be written to");
}

/// Compares `STACKMASK_GRAMMARS` random cases, or `least`: `draw` makes one, `compare` counts the bits that agree or says
/// where the first difference was. Past a limit may be one in `refusals` of the cases. Of the failures, the case with the
/// shortest description is shown: it is the one worth reading.
pub(crate) fn compare_many<T>(
    name: &str,
    least: u64,
    refusals: u64,
    draw: impl Fn(&mut Random) -> T,
    compare: impl Fn(&T, &mut Random) -> Result<u64, String>,
    describe: impl Fn(&T) -> String,
) {
    let seed = seed();
    let count = number("STACKMASK_GRAMMARS").unwrap_or(least);
    let mut bits = 0;
    let mut shortest: Option<String> = None;
    let (mut failures, mut refused) = (0, 0);
    for i in 0..count {
        let mut random = Random::new(seed.wrapping_add(i.wrapping_mul(0x1_0000_0001)));
        let case = draw(&mut random);
        // A panic of the engine is a failure of this case, and the case should be shown too.
        let outcome = catch_unwind(AssertUnwindSafe(|| compare(&case, &mut random)))
            .unwrap_or_else(|panic| Err(format!("panicked: {}", message(&*panic))));
        match outcome {
            Ok(more) => bits += more,
            // A limit is an honest answer, as long as it is a rare one.
            Err(what) if what.contains("exceeds the limit") => refused += 1,
            Err(what) => {
                failures += 1;
                let text = format!("grammar {i}: {what}\n{}", describe(&case));
                if shortest.as_ref().is_none_or(|known| text.len() < known.len()) {
                    shortest = Some(text);
                }
            }
        }
    }
    report(&format!(
        "{name}: {bits} bits of {count} grammars compared, {refused} past a limit, STACKMASK_SEED={seed}"
    ));
    assert!(refused <= 1 + count / refusals, "{refused} of {count} grammars reached a limit");
    let wanted = number("STACKMASK_BITS").unwrap_or(0);
    assert!(bits >= wanted, "{bits} bits are fewer than {wanted}");
    if let Some(text) = shortest {
        panic!(
            "{failures} of {count} grammars failed, STACKMASK_SEED={seed}; the shortest: {text}"
        );
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("")
}
