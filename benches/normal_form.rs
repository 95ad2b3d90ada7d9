//! How long schemas take to normalise, and what their normal forms say of their instances.
//!
//! `cargo run --release --example normal_form -- FILE [ROUNDS]`, where each line of the file is a JSON object with a
//! `schema` and perhaps `id` and `tests: [{valid, data}]`.

#![allow(clippy::print_stdout, reason = "a program that reports")]

#[path = "../tests/rust/values/mod.rs"]
mod values;

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;
use stackmask::schema::{Normal, Options};
use stackmask::{Error, Limits};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file of schemas, one JSON object a line");
    let rounds: u32 = arguments.next().map_or(1, |rounds| rounds.parse().expect("a number"));
    let wanted = arguments.next();
    let text = std::fs::read_to_string(file).expect("a file");
    let mut times = Vec::new();
    let mut works = Vec::new();
    let mut goals = Vec::new();
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut done, mut unsatisfiable, mut right) = (0, 0, 0);
    let mut wrong = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let id = case["id"].as_str().unwrap_or_default().to_owned();
        if wanted.as_ref().is_some_and(|wanted| *wanted != id) {
            continue;
        }
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
