//! A schema as a source of rules.

use std::sync::Arc;

use super::maker::SchemaMaker;
use super::spacing::Layout;
use crate::grammar::{Maker, Source};
use crate::json::Spelling;
use crate::limits::Limits;
use crate::schema::Normal;

/// A schema in its normal form, with the way in which its values are spelled.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) normal: Normal,
    pub(super) spelling: Spelling,
    pub(super) layout: Layout,
    pub(super) limits: Limits,
}

impl Lowered {
    /// Whether keys come in schema order.
    pub(super) fn ordered(&self) -> bool {
        self.spelling == Spelling::Canonical
    }
}

/// Where the rules of a schema come from.
#[derive(Debug)]
pub(super) struct SchemaSource {
    pub(super) schema: Arc<Lowered>,
    /// Of everything that the language depends on.
    pub(super) fingerprint: u128,
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
}
