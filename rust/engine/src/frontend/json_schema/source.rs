//! A schema as a source of rules.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::maker::SchemaMaker;
use super::others::{only, others};
use super::spacing::{Layout, Spacing};
use super::{JsonSchemaOptions, audit, saved};
use crate::error::{Diagnostic, Error};
use crate::frontend::Whitespace;
use crate::grammar::{Maker, SavedSource, Source};
use crate::json::{Decimal, NumberSet, Spelling};
use crate::limits::Limits;
use crate::pattern::{Look, Pattern};
use crate::schema::Normal;

/// A schema in its normal form, with the way in which its values are spelled.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) normal: Normal,
    pub(super) spelling: Spelling,
    pub(super) layout: Arc<Layout>,
    pub(super) limits: Limits,
    /// What was made of sets, for all makers.
    numbers: Mutex<FxHashMap<NumberSet, Arc<Pattern>>>,
    names: Mutex<FxHashMap<Names, Pattern>>,
}

/// Strings, and whether they are all there are, or all that are left out.
type Names = (bool, Vec<Box<str>>);

impl Lowered {
    pub(super) fn new(
        normal: Normal,
        spelling: Spelling,
        layout: Arc<Layout>,
        limits: &Limits,
    ) -> Self {
        Self {
            normal,
            spelling,
            layout,
            limits: limits.clone(),
            numbers: Mutex::default(),
            names: Mutex::default(),
        }
    }

    /// The texts of the numbers of a set.
    pub(super) fn number(&self, set: &NumberSet) -> Result<Arc<Pattern>, Error> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = numbers.get(set) {
            return Ok(known.clone());
        }
        let made =
            Arc::new(if self.normal.integers_by_text() && (set.integer || set.not_integer) {
                self.number_by_text(set)?
            } else {
                set.pattern(self.spelling)?
            });
        numbers.insert(set.clone(), made.clone());
        Ok(made)
    }

    /// Whether these numbers are so usual, and their texts so simple, that all schemas share their states.
    pub(super) fn is_common(&self, set: &NumberSet) -> bool {
        let simple = !set.integer || self.spelling == Spelling::Canonical;
        set.is_whole_type() && simple && !self.normal.integers_by_text()
    }

    /// The texts of these strings, or of all but these.
    pub(super) fn names<'a>(
        &self,
        listed: bool,
        strings: impl Iterator<Item = &'a str>,
    ) -> Pattern {
        let key = (listed, strings.map(Box::from).collect::<Vec<Box<str>>>());
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.get(&key) {
            return known.clone();
        }
        let strings = key.1.iter().map(|string| &**string);
        let made =
            if listed { only(self.spelling, strings) } else { others(self.spelling, strings) };
        names.insert(key, made.clone());
        made
    }

    /// The texts of the numbers of a set of draft 4, where an integer is one by its text.
    fn number_by_text(&self, set: &NumberSet) -> Result<Pattern, Error> {
        let with_zero = |made| Pattern::Alt(vec![made, Pattern::Bytes(b"-0".to_vec())]);
        if set.integer {
            let made = set.pattern(Spelling::Canonical)?;
            let zero = self.spelling == Spelling::Any && set.contains(&Decimal::zero());
            return Ok(if zero { with_zero(made) } else { made });
        }
        let integers = with_zero(NumberSet::integers().pattern(Spelling::Canonical)?);
        let all = NumberSet { not_integer: false, ..set.clone() }.pattern(self.spelling)?;
        Ok(Pattern::Concat(vec![Look::rest(integers, true).into(), all]))
    }

    /// Whether keys come in schema order.
    pub(super) fn ordered(&self) -> bool {
        self.spelling == Spelling::Canonical
    }
}

/// Where the rules of a schema come from.
#[derive(Debug)]
pub(super) struct SchemaSource {
    schema: Arc<Lowered>,
    /// Of everything that the language depends on.
    fingerprint: u128,
    /// What it was made from, to be saved.
    pub(super) text: String,
    pub(super) options: JsonSchemaOptions,
    /// Whether its rules alone would let an object have a key twice, or an array equal items that must differ.
    pub(super) repeats: bool,
}

impl SchemaSource {
    /// Reads a schema. Also returns the remarks on it.
    pub(super) fn new(
        text: &str,
        options: &JsonSchemaOptions,
        limits: &Limits,
    ) -> Result<(Self, Vec<Diagnostic>), Error> {
        let normal = Normal::new(text, &options.reading, limits)?;
        let spacing = options.spacing.clone().unwrap_or(Spacing::Gap(match options.spelling {
            Spelling::Canonical => Whitespace::Bounded,
            Spelling::Any => Whitespace::Any,
        }));
        let layout = Layout::of(&spacing, limits)?;
        let mut notes = normal.warnings().to_vec();
        let lowered = Lowered::new(normal, options.spelling, layout, limits);
        let audit = audit::audit(&lowered, options.reading.unsupported)?;
        notes.extend(audit.remarks);
        let source = Self {
            schema: Arc::new(lowered),
            fingerprint: fingerprint(text, options, limits),
            text: text.to_owned(),
            options: options.clone(),
            // Listed keys that come in one order come once.
            repeats: audit.open || options.spelling == Spelling::Any,
        };
        Ok((source, notes))
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.schema.limits
    }
}

/// A hash of everything that the language depends on.
fn fingerprint(schema: &str, options: &JsonSchemaOptions, limits: &Limits) -> u128 {
    let mut digest = Digest(blake3::Hasher::new());
    (schema, options, limits).hash(&mut digest);
    let mut bytes = [0; 16];
    digest.0.finalize_xof().fill(&mut bytes);
    u128::from_le_bytes(bytes)
}

/// Takes what is hashed into a hash that nobody can make collide.
struct Digest(blake3::Hasher);

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Its first bytes.
    fn finish(&self) -> u64 {
        let mut bytes = [0; 8];
        self.0.finalize_xof().fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}

impl Source for SchemaSource {
    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn open(&self) -> Box<dyn Maker> {
        Box::new(SchemaMaker::new(self.schema.clone()))
    }

    /// Keys and strings can hold almost anything, so that all that a JSON text can hold is taken as used.
    fn used_bytes(&self) -> [bool; 256] {
        let mut used = [false; 256];
        used[0x20..=0xf4].fill(true);
        // These stand in no UTF-8 text.
        used[0xc0] = false;
        used[0xc1] = false;
        used
    }

    fn saved(&self) -> Option<SavedSource> {
        Some(saved::save(self))
    }
}
