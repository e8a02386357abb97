//! Where a workload spends its time, on one machine or on two.

use crate::briefing::{Briefing, Extent};
use judge::numbers::{counted, dash, four_digits, percent, share};
use profile::{HotCode, HotFunction, KERNEL, PairedFunction, Profile, ProfilePair};
use terminal::table::{Entry, Heading, Table, Tone, shortened};

/// Functions with less are shown by `--all`.
const LEAST_SHARE: f64 = 0.005;
/// Fewer stacks than this need a word about how sure shares are.
const FEW_STACKS: u64 = 400;
/// The most columns of a name in a sentence.
const LONGEST_NAME: usize = 80;

/// Modules with less are not told in a sentence.
const LEAST_TOLD: f64 = 0.01;

/// How the time divides and the hottest function in sentences, then all functions.
pub fn profile_briefing(profile: &Profile, extent: Extent) -> Briefing {
    let mut answer = Briefing::default();
    answer.say(format!(
        "{} on {} spends {}.",
        profile.workload,
        counted(profile.threads, "thread"),
        divided(profile)
    ));
    // The kernel's functions are in its part already.
    let mut outside = profile.functions.iter().filter(|function| function.module != KERNEL);
    if let Some(hottest) = outside.next() {
        let about = if profile.unseen_kernel().is_some() { "About " } else { "" };
        answer.say(format!(
            "{about}{} is in {}{}.",
            part(profile.share(hottest)),
            named(&hottest.name, &hottest.module),
            with_code(hottest.code.as_ref()),
        ));
    }
    let mut table = Table::new([
        Heading::right("share"),
        Heading::left("function").shrinks(),
        Heading::left("module").shrinks(),
        Heading::left("hot code").rank(1),
    ]);
    if let Some(kernel) =
        profile.unseen_kernel().filter(|share| extent.all || *share >= LEAST_SHARE)
    {
        table.row([share(kernel), "(by the accounts)".to_owned(), KERNEL.to_owned(), dash()]);
    }
    let is_shown = |function: &&HotFunction| extent.all || profile.share(function) >= LEAST_SHARE;
    for function in profile.functions.iter().filter(is_shown) {
        let code = code_cell(function.code.as_ref());
        table.row([
            share(profile.share(function)),
            function.name.clone(),
            function.module.clone(),
            code,
        ]);
    }
    answer.table(profile.label.as_str(), table, "functions");
    answer.note(method(profile));
    match profile.unseen_kernel() {
        Some(kernel) if kernel >= LEAST_TOLD => answer.note(
            "The profiler sees no kernel functions. Their part comes from CPU accounting and is subtracted from all \
             functions alike: those that cause most kernel work have less than shown. perf shows the kernel.",
        ),
        None if profile.accounts.is_none() && profile.modules().iter().all(|(module, _)| *module != KERNEL) => {
            answer.note("The kernel's part is unknown: it is counted in the functions that cause it.");
        }
        _ => {}
    }
    if profile.samples < FEW_STACKS {
        // Margin of a share of one half, where it is widest.
        let margin = 1.96 * (0.25 / profile.samples as f64).sqrt();
        answer.note(format!(
            "Only {} stacks: shares are known to {}. Raise --time.",
            profile.samples,
            percent(margin)
        ));
    }
    answer
}

/// `79 % of its time in the kernel (5,222 page faults/op), 20 % in native, 1.0 % in libc.so.6`.
fn divided(profile: &Profile) -> String {
    let faults = profile.accounts.filter(|accounts| accounts.page_faults > 0 && accounts.ops > 0);
    let faults = faults.map(|accounts| accounts.page_faults as f64 / accounts.ops as f64);
    let mut all = profile.modules();
    all.retain(|(_, share)| *share >= LEAST_TOLD);
    let in_words = |(place, (module, share)): (usize, &(&str, f64))| {
        let time = if place == 0 { " of its time" } else { "" };
        let share = part(*share);
        match (*module, faults) {
            (KERNEL, Some(faults)) => {
                format!("{share}{time} in the kernel ({} page faults/op)", four_digits(faults))
            }
            (KERNEL, None) => format!("{share}{time} in the kernel"),
            (module, _) => format!("{share}{time} in {module}"),
        }
    };
    all.iter().enumerate().map(in_words).collect::<Vec<_>>().join(", ")
}

/// How stacks were taken, and why so.
fn method(profile: &Profile) -> String {
    let seconds = profile.sampled_ns as f64 / 1e9;
    let taken = format!("{} stacks in {seconds:.1} s of samples", profile.samples);
    match &profile.method.why[..] {
        "" => format!("{taken} by {}.", profile.method.profiler),
        why => format!("{taken} by the {} profiler ({why}).", profile.method.profiler),
    }
}

/// The difference in a sentence, then functions side by side.
pub fn profiles_briefing(pair: &ProfilePair, extent: Extent) -> Briefing {
    let mut answer = Briefing::default();
    if let [one, other] = &pair.workloads[..] {
        answer.warn(format!("These are profiles of two workloads: {one} and {other}."));
    }
    let names = side_names(pair);
    answer.say(difference(pair, &names));
    if let Some(function) = pair.most_telling() {
        answer.say(other_code(function, &names));
    }
    let [one, other] = &names;
    let mut table = Table::new([
        Heading::left("function").shrinks(),
        Heading::left("module").rank(2),
        Heading::right(one),
        Heading::left("hot code").rank(1),
        Heading::right(other),
        Heading::left("hot code").rank(1),
    ]);
    let is_shown =
        |function: &&PairedFunction| extent.all || function.largest_share() >= LEAST_SHARE;
    for function in pair.functions.iter().filter(is_shown) {
        let tone = if function.is_of_other_code() { Tone::Strong } else { Tone::Plain };
        let [(share_one, code_one), (share_other, code_other)] = [0, 1].map(|side| {
            let is_here = function.shares[side].is_some();
            let code =
                if is_here { code_cell(function.codes[side].as_ref()) } else { String::new() };
            (function.shares[side].map_or_else(dash, share), code)
        });
        let cells = [
            function.name.clone(),
            function.module.clone(),
            share_one,
            code_one,
            share_other,
            code_other,
        ];
        table.row(cells.map(|text| Entry::of(text, tone)));
    }
    answer.table("", table, "functions");
    for (name, side) in names.iter().zip(&pair.sides) {
        let cpu = side.cpu_model.as_deref().unwrap_or("CPU unknown");
        let (architecture, label) = (&side.architecture, &side.label);
        let threads = counted(side.threads, "thread");
        answer.note(format!(
            "{name} is {label} ({cpu}, {architecture}), {threads}, {} stacks by {}.",
            side.samples, side.profiler
        ));
    }
    for (library, version) in &pair.sides[0].libraries {
        let other = pair.sides[1].libraries.get(library);
        if let Some(other) = other.filter(|other| *other != version) {
            answer.note(format!("{library} is {version} on {one}, but {other} on {}.", names[1]));
        }
    }
    answer
}

/// Short names for the heads of columns: the label if it is short, otherwise its first words.
fn side_names(pair: &ProfilePair) -> [String; 2] {
    const LONGEST: usize = 16;
    let first = |label: &'_ str| label.split(',').next().unwrap_or(label).trim().to_owned();
    let [one, other] = [0, 1].map(|side| first(&pair.sides[side].label));
    if one == other {
        return ["first".to_owned(), "second".to_owned()];
    }
    let short = shortened(&[&one, &other], LONGEST, "…");
    [short[0].clone(), short[1].clone()]
}

fn difference(pair: &ProfilePair, [one, other]: &[String; 2]) -> String {
    let workload = pair.workloads.join(" and ");
    let (Some(hot), Some(other_hot)) = (pair.hottest(0), pair.hottest(1)) else {
        return format!("{workload}: one of the profiles holds no function.");
    };
    let [share_one, share_other] =
        [hot.shares[0], other_hot.shares[1]].map(|share| part(share.unwrap_or_default()));
    if hot == other_hot {
        return format!(
            "{workload} spends most of its time in {} on both: {share_one} on {one}, {share_other} on {other}.",
            named(&hot.name, &hot.module)
        );
    }
    let code = |function: &PairedFunction, side: usize| {
        let name = named(&function.name, &function.module);
        name + &with_code(function.codes[side].as_ref())
    };
    format!(
        "{workload} spends {share_one} on {one} in {}; {share_other} on {other} in {}.",
        code(hot, 0),
        code(other_hot, 1)
    )
}

fn other_code(function: &PairedFunction, [one, other]: &[String; 2]) -> String {
    let words = |side: usize| function.codes[side].as_ref().map_or_else(dash, HotCode::words);
    format!(
        "{} is other code: {} on {one}, {} on {other}.",
        named(&function.name, &function.module),
        words(0),
        words(1)
    )
}

/// `97 %`, and small ones more exactly.
fn part(share: f64) -> String {
    if share >= 0.1 { format!("{:.0} %", share * 100.0) } else { format!("{:.1} %", share * 100.0) }
}

fn named(name: &str, module: &str) -> String {
    format!("{} ({module})", shortened(&[name], LONGEST_NAME, "…")[0])
}

fn with_code(code: Option<&HotCode>) -> String {
    code.map_or_else(String::new, |code| format!(", {}", code.phrase()))
}

fn code_cell(code: Option<&HotCode>) -> String {
    code.map_or_else(dash, HotCode::words)
}
