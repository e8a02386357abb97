//! The page's pictures and words without a browser: the same program in an engine of its own. It sees nothing but the
//! page's data, and may take this much memory and time and no more.

use super::Page;
use anyhow::{Context as _, anyhow, bail};
use rquickjs::prelude::Rest;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Exception, Function, Object, Runtime};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};
use verdict::numbers;

/// Built from `report/src/headless/` by `npm run build`.
const PROGRAM: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../report/dist/headless.js"));
/// Limits for one answer of the program. A report of a thousand machines takes a hundredth.
pub(super) const ALLOWANCE: Allowance =
    Allowance { memory_bytes: 2 << 30, time: Duration::from_secs(600) };
const STACK_BYTES: usize = 16 << 20;
/// The engine measures its own stack only, and not what its C functions take in between.
const THREAD_STACK_BYTES: usize = 2 * STACK_BYTES;
const LONGEST_NAME: usize = 80;
/// The name of the share card among the pictures of a page.
pub const SHARE_CARD: &str = "share-card";

/// Limits of memory and time for a call of the program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    memory_bytes: usize,
    time: Duration,
}

/// A picture of a report.
#[derive(Debug, Deserialize)]
pub struct Chart {
    /// A base for file names: small letters, digits and hyphens.
    pub name: String,
    /// The picture.
    pub svg: String,
    /// How many pixels of a PNG file a pixel is.
    pub scale: f32,
}

/// Title and text of a page's preview on other sites.
#[derive(Debug, Deserialize)]
pub(super) struct Description {
    pub title: String,
    pub text: String,
}

/// The headline and the figures behind it, of a page's JSON.
pub(super) fn describe(json: &str) -> anyhow::Result<Description> {
    let written = call("describe", &[json], ALLOWANCE);
    serde_json::from_str(&written.context("no description can be written")?)
        .context("no description can be written")
}

/// All pictures of a page as it is before a reader chooses anything.
///
/// # Errors
/// When the program fails, or takes more memory than it may.
pub fn charts(page: &Page) -> anyhow::Result<Vec<Chart>> {
    let json = serde_json::to_string(page)?;
    let drawn = call("drawCharts", &[&json], ALLOWANCE).context("no charts can be drawn")?;
    let charts: Vec<Chart> = serde_json::from_str(&drawn).context("no charts can be drawn")?;
    check_names(&charts)?;
    Ok(charts)
}

/// The page as Markdown, with links to its pictures in the order of [`charts`] if they are files.
///
/// # Errors
/// When the program fails, or takes more memory than it may.
pub fn markdown(page: &Page, links: &[String]) -> anyhow::Result<String> {
    let (json, links) = (serde_json::to_string(page)?, serde_json::to_string(links)?);
    call("writeMarkdown", &[&json, &links], ALLOWANCE).context("no Markdown can be written")
}

/// Names become names of files: whatever the program says, no name leads elsewhere, and none is there twice.
pub(super) fn check_names(charts: &[Chart]) -> anyhow::Result<()> {
    let mut known = BTreeSet::new();
    for Chart { name, .. } in charts {
        if !is_harmless(name) || !known.insert(name) {
            bail!("{name:?} can't be the name of a chart");
        }
    }
    Ok(())
}

pub(super) fn is_harmless(name: &str) -> bool {
    let is_plain = name.bytes().all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    is_plain && !name.is_empty() && name.len() <= LONGEST_NAME
}

/// Calls a function of the program and returns its answer, on a thread of its own with a large enough stack.
pub(super) fn call(
    function: &str,
    arguments: &[&str],
    allowance: Allowance,
) -> anyhow::Result<String> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(THREAD_STACK_BYTES);
        let call = thread.spawn_scoped(scope, || call_here(function, arguments, allowance));
        let call = call.context("no thread can be started")?;
        call.join().unwrap_or_else(|_| bail!("the engine failed"))
    })
}

fn call_here(function: &str, arguments: &[&str], allowance: Allowance) -> anyhow::Result<String> {
    let runtime = Runtime::new()?;
    let Allowance { memory_bytes, time } = allowance;
    runtime.set_memory_limit(memory_bytes);
    let end = Instant::now() + time;
    runtime.set_interrupt_handler(Some(Box::new(move || Instant::now() >= end)));
    runtime.set_max_stack_size(STACK_BYTES);
    Context::full(&runtime)?.with(|context| {
        let mut is_loaded = false;
        let judged = appoint_judge(&context);
        let answer = judged.and_then(|()| context.eval::<(), _>(PROGRAM)).and_then(|()| {
            is_loaded = true;
            let function: Function = context.globals().get(function)?;
            function.call::<_, String>((Rest(arguments.to_vec()),))
        });
        answer.catch(&context).map_err(|error| {
            // After a timeout the thrown error can't be caught, and says nothing that a reader could use.
            if Instant::now() >= end {
                return anyhow!(
                    "it took more than {} s. Choose fewer runs or workloads",
                    time.as_secs()
                );
            }
            // The program itself is whole: where it can't be read there was no memory, and its parser says something else.
            if !is_loaded {
                return anyhow!(out_of_memory(memory_bytes));
            }
            anyhow!("{}", said(&error, memory_bytes))
        })
    })
}

/// Gives the program its judge, which in a browser is WebAssembly.
fn appoint_judge(context: &Ctx) -> rquickjs::Result<()> {
    let judge = Object::new(context.clone())?;
    judge.set("ask", Function::new(context.clone(), answer_question))?;
    judge.set("fourDigits", Function::new(context.clone(), numbers::four_digits))?;
    judge.set("margin", Function::new(context.clone(), numbers::percent))?;
    context.globals().set("judge", judge)
}

fn answer_question(context: Ctx, question: String) -> rquickjs::Result<String> {
    let wrong = |error| Exception::throw_message(&context, &format!("no question: {error}"));
    verdict::answer_page(&question).map_err(wrong)
}

/// The error's message, without the program's stack.
fn said(error: &CaughtError, memory_bytes: usize) -> String {
    match error {
        CaughtError::Exception(exception) => match exception.message() {
            // Nor may there be memory for its words.
            Some(message) if [OUT_OF_MEMORY, NO_MESSAGE, ""].contains(&message.as_str()) => {
                out_of_memory(memory_bytes)
            }
            Some(message) => message,
            None => "it doesn't say why".to_owned(),
        },
        // There was no memory left to say so.
        CaughtError::Value(value) if value.is_null() => out_of_memory(memory_bytes),
        other => other.to_string(),
    }
}

/// The engine's message.
const OUT_OF_MEMORY: &str = "out of memory";
/// The engine's message when memory does not suffice for the real one.
const NO_MESSAGE: &str = "Invalid error message";

fn out_of_memory(memory_bytes: usize) -> String {
    let mib = memory_bytes >> 20;
    format!("it needs more than {mib} MiB of memory. Choose fewer runs or workloads")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(function: &str, argument: &str, memory_bytes: usize) -> String {
        let allowance = Allowance { memory_bytes, ..ALLOWANCE };
        call(function, &[argument], allowance).expect_err("it fails").to_string()
    }

    fn chart(name: &str) -> Chart {
        Chart { name: name.to_owned(), svg: String::new(), scale: 2.0 }
    }

    #[test]
    fn what_the_program_throws_is_a_message() {
        let message = message("drawCharts", "{", ALLOWANCE.memory_bytes);
        assert!(message.contains("JSON") || message.contains("expect"), "{message}");
    }

    #[test]
    fn memory_that_runs_out_is_a_message() {
        let argument = format!("[{}0]", "{},".repeat(1_000_000));
        for mib in [1, 2, 4, 8, 12, 16, 24, 32, 48] {
            let message = message("drawCharts", &argument, mib << 20);
            let expected = format!("it needs more than {mib} MiB of memory");
            assert!(message.starts_with(&expected), "{mib} MiB: {message}");
        }
    }

    #[test]
    fn a_program_that_goes_on_and_on_is_stopped_with_a_message() {
        let allowance = Allowance { time: Duration::ZERO, ..ALLOWANCE };
        // A function that is there without us, and that looks for a way through this text for longer than anyone lives.
        let endless = format!("/^(a+)+$/.test('{}b')", "a".repeat(64));
        let error = call("eval", &[&endless], allowance).expect_err("it ends");
        assert_eq!(error.to_string(), "it took more than 0 s. Choose fewer runs or workloads");
        let allowance = Allowance { time: Duration::from_millis(50), ..ALLOWANCE };
        let error = call("eval", &["for (;;) {}"], allowance).expect_err("it ends");
        assert!(error.to_string().starts_with("it took more than"), "{error}");
    }

    #[test]
    fn a_stack_that_runs_out_is_a_message() {
        let argument = "[".repeat(10_000_000);
        let message = message("drawCharts", &argument, ALLOWANCE.memory_bytes);
        assert!(message.contains("stack"), "{message}");
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_refused() {
        for name in ["", "..", "a/b", "A", "a b", "a.svg", "ä", &"a".repeat(81)] {
            assert!(check_names(&[chart(name)]).is_err(), "{name}");
        }
        assert!(check_names(&[chart("a"), chart("a")]).is_err());
        assert!(check_names(&[chart("family-key-exchange"), chart("scores")]).is_ok());
    }
}
