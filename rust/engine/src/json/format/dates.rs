//! Dates, times and durations: RFC 3339.

use crate::json::parts::{class, concat, either, numbers, optional, plus, text, times};
use crate::pattern::Pattern;

/// `full-date` of RFC 3339 section 5.6, with the days of each month by section 5.7 and leap years by appendix C.
pub(super) fn date() -> Pattern {
    let digit = || class("09");
    let day = |most| numbers(1, most, 2);
    let months = |list: &[&str]| {
        Pattern::Strings(list.iter().map(|m| format!("-{m}-").into_bytes()).collect())
    };
    let any_year = either([
        concat([months(&["01", "03", "05", "07", "08", "10", "12"]), day(31)]),
        concat([months(&["04", "06", "09", "11"]), day(30)]),
        concat([months(&["02"]), day(28)]),
    ]);
    // Two digits that say a multiple of four, and not zero.
    let fours = |from: u32| {
        Pattern::Strings((from..25).map(|n| format!("{:02}", 4 * n).into_bytes()).collect())
    };
    let leap_year = either([concat([digit(), digit(), fours(1)]), concat([fours(0), text("00")])]);
    either([concat([times(digit(), 4), any_year]), concat([leap_year, text("-02-29")])])
}

/// `full-time` of RFC 3339 section 5.6. A second 60 is one that UTC has (section 5.7): the last of a day there.
pub(super) fn time() -> Pattern {
    let minute = || numbers(0, 59, 2);
    let hour = || numbers(0, 23, 2);
    let offset = either([class("ZZzz"), concat([class("++--"), hour(), text(":"), minute()])]);
    let usual = concat([hour(), text(":"), minute(), text(":"), minute(), fraction(), offset]);
    either([usual, leap_second()])
}

/// `date-time` of RFC 3339 section 5.6.
pub(super) fn date_time() -> Pattern {
    concat([date(), class("TTtt"), time()])
}

fn fraction() -> Pattern {
    optional(concat([text("."), plus(class("09"))]))
}

/// The times of a second 60, by hours and quarters of hours that local time is ahead of UTC.
fn leap_second() -> Pattern {
    let hours = (0..24).map(|hour| {
        let minutes = [14, 29, 44, 59].map(|minute| {
            // Local time is this many minutes after 23:59 UTC of the same or the day before.
            let ahead = (hour * 60 + minute + 1) % 1440;
            let behind = (1440 - ahead) % 1440;
            let written = |sign, m: u32| text(&format!("{sign}{:02}:{:02}", m / 60, m % 60));
            let mut offsets = vec![written('+', ahead), written('-', behind)];
            if ahead == 0 {
                offsets.push(class("ZZzz"));
            }
            concat([text(&format!("{minute:02}:60")), fraction(), Pattern::Alt(offsets)])
        });
        concat([text(&format!("{hour:02}:")), either(minutes)])
    });
    Pattern::Alt(hours.collect())
}

/// `duration` of RFC 3339 appendix A.
pub(super) fn duration() -> Pattern {
    let part = |unit: &str| concat([plus(class("09")), text(unit)]);
    // Smaller units may follow, but none may be left out in between.
    let chain = |units: [&str; 3]| {
        let [large, middle, small] = units.map(part);
        let middle_on = concat([middle, optional(small.clone())]);
        either([small, middle_on.clone(), concat([large, optional(middle_on)])])
    };
    let time = concat([text("T"), chain(["H", "M", "S"])]);
    let date = concat([chain(["Y", "M", "D"]), optional(time.clone())]);
    concat([text("P"), either([date, time, part("W")])])
}
