//! How long it takes to make and to compile the grammar of each schema of a file, in both spellings.
//!
//! `cargo run --release --example schema_compile -- FILE [ROUNDS [ID]]`, see `shared/schemas.rs`. Of several rounds the
//! fastest counts.

#![allow(clippy::print_stdout, reason = "a program that reports")]

#[path = "shared/schemas.rs"]
mod schemas;
#[allow(dead_code, reason = "nothing is replayed")]
mod shared;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use stackmask::{CompiledGrammar, Error, Grammar, JsonSchemaOptions, Limits, Spelling, Vocabulary};

/// Microseconds of one schema: its normal form and grammar, and compiling it.
#[derive(Clone, Copy)]
struct Times {
    make: f64,
    compile: f64,
}

impl Times {
    fn sum(self) -> f64 {
        self.make + self.compile
    }
}

fn main() {
    let (cases, rounds) = schemas::arguments();
    let vocabulary = shared::vocabulary();
    for spelling in [Spelling::Canonical, Spelling::Any] {
        let mut all = Vec::new();
        let mut refused: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (id, case) in &cases {
            let schema = case["schema"].to_string();
            match (0..rounds).map(|_| measured(&schema, spelling, &vocabulary)).collect() {
                Ok(times) => all.push((best(times), id)),
                Err(error) => {
                    let error: Error = error;
                    let kind = error.to_string().chars().take(100).collect();
                    refused.entry(kind).or_default().push(id);
                }
            }
        }
        println!("{spelling:?}: {} compiled", all.len());
        for (kind, ids) in &refused {
            println!("  {} refused: {kind} (such as {})", ids.len(), ids[0]);
        }
        report("make", &all, |times| times.make);
        report("compile", &all, |times| times.compile);
        report("both", &all, Times::sum);
    }
}

fn measured(
    schema: &str,
    spelling: Spelling,
    vocabulary: &Arc<Vocabulary>,
) -> Result<Times, Error> {
    let limits = Limits::default();
    let options = JsonSchemaOptions { spelling, ..JsonSchemaOptions::default() };
    let start = Instant::now();
    let grammar = Grammar::from_json_schema(schema, &options, &limits)?;
    let make = start.elapsed().as_secs_f64() * 1e6;
    let compiled = CompiledGrammar::new(&grammar, vocabulary.clone(), &limits)?;
    let compile = start.elapsed().as_secs_f64() * 1e6 - make;
    drop(compiled);
    Ok(Times { make, compile })
}

fn best(times: Vec<Times>) -> Times {
    times.into_iter().min_by(|a, b| a.sum().total_cmp(&b.sum())).expect("at least one round")
}

fn report(what: &str, all: &[(Times, &String)], of: impl Fn(Times) -> f64) {
    let mut values: Vec<(f64, &str)> =
        all.iter().map(|&(times, id)| (of(times), id.as_str())).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(&(most, slowest)) = values.last() else { return };
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize].0;
    println!(
        "  {what}, µs: p50 {:.0}, p90 {:.0}, p99 {:.0}, p99.9 {:.0}, most {most:.0} ({slowest})",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
    );
    let slow: Vec<String> =
        values.iter().rev().skip(1).take(12).map(|(us, id)| format!("{us:.0} {id}")).collect();
    println!("    then {}", slow.join(", "));
}
