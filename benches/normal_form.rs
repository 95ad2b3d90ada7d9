//! How long schemas take to normalise, and what their normal forms say of their instances.
//!
//! `cargo run --release --example normal_form -- FILE [ROUNDS [ID]]`, see `shared/schemas.rs`; `tests` are `[{valid, data}]`.

#![allow(clippy::print_stdout, reason = "a program that reports")]

#[path = "shared/schemas.rs"]
mod schemas;
#[path = "../tests/rust/values/mod.rs"]
mod values;

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;
use stackmask::schema::{Normal, Options};
use stackmask::{Error, Limits};

fn main() {
    let (cases, rounds) = schemas::arguments();
    let mut times = Vec::new();
    let mut works = Vec::new();
    let mut goals = Vec::new();
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut done, mut unsatisfiable, mut right) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (id, case) in cases {
        let schema = case["schema"].to_string();
        let limits = Limits::default();
        let mut best = f64::MAX;
        let mut made = None;
        for _ in 0..rounds {
            let start = Instant::now();
            let normal = Normal::new(&schema, &Options::default(), &limits);
            best = best.min(start.elapsed().as_secs_f64() * 1e6);
            made = Some(normal);
        }
        times.push((best, id.clone()));
        let verdicts: Vec<Value> = case["tests"].as_array().cloned().unwrap_or_default();
        match made.expect("at least one round") {
            Ok(normal) => {
                done += 1;
                works.push((normal.work() as f64, id.clone()));
                goals.push((normal.goals() as f64, id.clone()));
                for test in verdicts {
                    let valid = test["valid"].as_bool().expect("a verdict");
                    if values::is_in(&normal, normal.root(), &test["data"]) == valid {
                        right += 1;
                    } else {
                        wrong.push(format!("{id} should be {valid}"));
                    }
                }
            }
            Err(Error::UnsatisfiableSchema { .. }) => {
                unsatisfiable += 1;
                if verdicts.iter().any(|test| test["valid"] == true) {
                    wrong.push(format!("{id} is not unsatisfiable"));
                }
            }
            Err(error) => {
                let text: String = error.to_string().chars().take(150).collect();
                let kind = format!("{error:?}").chars().take(20).collect();
                refused.entry(kind).or_default().push(format!("{id}: {text}"));
            }
        }
    }
    println!("{done} normalised, {unsatisfiable} unsatisfiable");
    for (kind, list) in &refused {
        println!("{kind}: {}", list.len());
        list.iter().take(12).for_each(|text| println!("  {text}"));
    }
    println!("{right} verdicts agree, {} do not", wrong.len());
    wrong.iter().take(30).for_each(|text| println!("  {text}"));
    report("microseconds", times);
    report("work", works);
    report("goals", goals);
}

fn report(what: &str, mut values: Vec<(f64, String)>) {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some((most, id)) = values.last() else { return };
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize].0;
    println!(
        "{what}: p50 {:.1}, p90 {:.1}, p99 {:.1}, p99.9 {:.1}, max {most:.1} ({id})",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999)
    );
    for (value, id) in values.iter().rev().take(8) {
        println!("  {value:.0} {id}");
    }
}
