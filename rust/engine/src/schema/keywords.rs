//! The keywords of all drafts: one row each. Reading, checking and the documentation go by this table.

use super::options::Draft::{self, Draft4, Draft6, Draft7, Draft201909, Draft202012};

/// What a keyword does to the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It is enforced exactly, or the schema is refused.
    Enforced,
    /// It says where other schemas are or how they are read.
    Structural,
    /// By the specification it has no effect on which values are valid.
    Annotation,
    /// It has no effect, and a warning says so.
    Warned,
}

/// What a keyword's value has to look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    Any,
    Text,
    Flag,
    Count,
    Number,
    Positive,
    /// A number, or a flag in draft 4.
    Exclusive,
    List,
    /// A list of distinct texts.
    Texts,
    TextsByKey,
    Types,
    Values,
    Regex,
    Schema,
    /// A schema, or a flag in draft 4.
    SchemaOrFlag,
    Schemas,
    SchemaOrSchemas,
    SchemaByKey,
    SchemaByRegex,
    Dependencies,
    FlagByKey,
}

/// A keyword.
#[derive(Clone, Copy, Debug)]
pub struct Keyword {
    /// Its name.
    pub name: &'static str,
    /// The first draft that has it.
    pub since: Draft,
    /// The last draft that has it.
    pub until: Draft,
    /// What it does.
    pub effect: Effect,
    /// How it is enforced, in one line.
    pub note: &'static str,
    pub(crate) form: Form,
}

impl Keyword {
    /// Whether a draft has it.
    pub fn is_in(&self, draft: Draft) -> bool {
        self.since <= draft && draft <= self.until
    }
}

macro_rules! keywords {
    ($($word:ident $name:literal $since:ident $until:ident $effect:ident $form:ident $note:literal;)*) => {
        /// A keyword of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Word { $($word),* }

        /// Every keyword that is known, in the order in which the documentation lists them.
        pub const KEYWORDS: &[Keyword] = &[$(Keyword {
            name: $name, since: $since, until: $until, effect: Effect::$effect, form: Form::$form, note: $note,
        }),*];

        impl Word {
            /// The keyword of that name, of whatever draft.
            pub(crate) fn find(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$word),)*
                    _ => None,
                }
            }
        }
    };
}

impl Word {
    /// Its row of the table.
    pub(crate) fn row(self) -> &'static Keyword {
        &KEYWORDS[self as usize]
    }
}

keywords! {
    Type "type" Draft4 Draft202012 Enforced Types "any list of types; an integer is a number without fraction, 1.0 included";
    Enum "enum" Draft4 Draft202012 Enforced Values "values are compared as JSON values: 1 equals 1.0, and the order of keys does not count";
    Const "const" Draft6 Draft202012 Enforced Any "as an enum of one value";
    MultipleOf "multipleOf" Draft4 Draft202012 Enforced Positive "exact for any decimal";
    Minimum "minimum" Draft4 Draft202012 Enforced Number "exact for any decimal";
    Maximum "maximum" Draft4 Draft202012 Enforced Number "exact for any decimal";
    ExclusiveMinimum "exclusiveMinimum" Draft4 Draft202012 Enforced Exclusive "a number; in draft 4 a flag beside minimum";
    ExclusiveMaximum "exclusiveMaximum" Draft4 Draft202012 Enforced Exclusive "a number; in draft 4 a flag beside maximum";
    MinLength "minLength" Draft4 Draft202012 Enforced Count "counts code points";
    MaxLength "maxLength" Draft4 Draft202012 Enforced Count "counts code points";
    Pattern "pattern" Draft4 Draft202012 Enforced Regex "ECMA-262 on the decoded string, not anchored";
    Format "format" Draft4 Draft202012 Enforced Text "asserted where the format is known, unless formats are annotations";
    Properties "properties" Draft4 Draft202012 Enforced SchemaByKey "keys count by their decoded text, however they are spelled";
    PatternProperties "patternProperties" Draft4 Draft202012 Enforced SchemaByRegex "all other keys are divided into classes by products of the patterns";
    AdditionalProperties "additionalProperties" Draft4 Draft202012 Enforced SchemaOrFlag "values of the keys that neither properties nor patternProperties of the same schema mention";
    PropertyNames "propertyNames" Draft6 Draft202012 Enforced Schema "a condition on every key";
    Required "required" Draft4 Draft202012 Enforced Texts "the keys need not be in properties";
    MinProperties "minProperties" Draft4 Draft202012 Enforced Count "counts all keys";
    MaxProperties "maxProperties" Draft4 Draft202012 Enforced Count "counts all keys";
    DependentRequired "dependentRequired" Draft201909 Draft202012 Enforced TextsByKey "a choice between the key's absence and the presence of the others";
    DependentSchemas "dependentSchemas" Draft201909 Draft202012 Enforced SchemaByKey "a choice between the key's absence and the schema";
    Dependencies "dependencies" Draft4 Draft7 Enforced Dependencies "as dependentRequired or dependentSchemas; without effect since 2019-09";
    UnevaluatedProperties "unevaluatedProperties" Draft201909 Draft202012 Enforced Schema "each set of alternatives that may succeed beside it is told apart";
    PrefixItems "prefixItems" Draft202012 Draft202012 Enforced Schemas "one schema for each of the first items";
    Items "items" Draft4 Draft202012 Enforced SchemaOrSchemas "all items, or those after prefixItems; before 2020-12 a list is one schema for each of the first items";
    AdditionalItems "additionalItems" Draft4 Draft201909 Enforced SchemaOrFlag "items after those of a list in items";
    Contains "contains" Draft6 Draft202012 Enforced Schema "counts the items that satisfy it";
    MinContains "minContains" Draft201909 Draft202012 Enforced Count "beside contains";
    MaxContains "maxContains" Draft201909 Draft202012 Enforced Count "beside contains";
    MinItems "minItems" Draft4 Draft202012 Enforced Count "counts items";
    MaxItems "maxItems" Draft4 Draft202012 Enforced Count "counts items";
    UniqueItems "uniqueItems" Draft4 Draft202012 Enforced Flag "items are compared as JSON values";
    UnevaluatedItems "unevaluatedItems" Draft201909 Draft202012 Enforced Schema "each set of alternatives that may succeed beside it is told apart";
    AllOf "allOf" Draft4 Draft202012 Enforced Schemas "a conjunction of values, not of texts";
    AnyOf "anyOf" Draft4 Draft202012 Enforced Schemas "at least one";
    OneOf "oneOf" Draft4 Draft202012 Enforced Schemas "exactly one: overlaps are taken away";
    Not "not" Draft4 Draft202012 Enforced Schema "the complement";
    If "if" Draft7 Draft202012 Enforced Schema "two implications, with then and else";
    Then "then" Draft7 Draft202012 Enforced Schema "beside if";
    Else "else" Draft7 Draft202012 Enforced Schema "beside if";
    Ref "$ref" Draft4 Draft202012 Structural Text "within the schema or to a schema of the registry; up to draft 7 its siblings have no effect";
    DynamicRef "$dynamicRef" Draft202012 Draft202012 Structural Text "resolved by dynamic scope";
    DynamicAnchor "$dynamicAnchor" Draft202012 Draft202012 Structural Text "names a schema for $dynamicRef and $ref";
    RecursiveRef "$recursiveRef" Draft201909 Draft201909 Structural Text "resolved by dynamic scope";
    RecursiveAnchor "$recursiveAnchor" Draft201909 Draft201909 Structural Flag "marks a schema for $recursiveRef";
    Id "$id" Draft6 Draft202012 Structural Text "the base of references";
    Id4 "id" Draft4 Draft4 Structural Text "the base of references";
    Anchor "$anchor" Draft201909 Draft202012 Structural Text "names a schema for $ref";
    Schema "$schema" Draft4 Draft202012 Structural Text "decides the draft";
    Vocabulary "$vocabulary" Draft201909 Draft202012 Structural FlagByKey "of a metaschema in the registry: without the validation vocabulary its keywords have no effect";
    Defs "$defs" Draft201909 Draft202012 Structural SchemaByKey "holds schemas";
    Definitions "definitions" Draft4 Draft202012 Structural SchemaByKey "holds schemas";
    Nullable "nullable" Draft4 Draft202012 Enforced Any "of OpenAPI, with a warning: beside type it admits null";
    Comment "$comment" Draft7 Draft202012 Annotation Text "";
    Title "title" Draft4 Draft202012 Annotation Text "";
    Description "description" Draft4 Draft202012 Annotation Text "";
    Default "default" Draft4 Draft202012 Annotation Any "";
    Examples "examples" Draft6 Draft202012 Annotation List "";
    Deprecated "deprecated" Draft201909 Draft202012 Annotation Flag "";
    ReadOnly "readOnly" Draft7 Draft202012 Annotation Flag "";
    WriteOnly "writeOnly" Draft201909 Draft202012 Annotation Flag "";
    ContentEncoding "contentEncoding" Draft7 Draft202012 Warned Text "an annotation";
    ContentMediaType "contentMediaType" Draft7 Draft202012 Warned Text "an annotation";
    ContentSchema "contentSchema" Draft201909 Draft202012 Warned Schema "an annotation";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_name() {
        for row in KEYWORDS {
            let word = Word::find(row.name).expect("a keyword");
            assert_eq!(word.row().name, row.name);
            assert!(row.since <= row.until);
            assert!(row.effect == Effect::Annotation || !row.note.is_empty(), "{}", row.name);
        }
        assert_eq!(Word::find("minimun"), None);
    }
}
