//! Tests from outside: the command line, workers that misbehave, runs that are killed, the contract, every workload's
//! check. One program, for linking sizeup takes longer than most of them. Each must pass on a machine that is busy with
//! all others and more: what it waits for comes, or it fails after minutes.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "tests say what they could not test"
)]

mod action;
mod asked;
mod believed;
mod beside;
mod bom;
mod busy;
mod ci;
mod command_line;
mod contract;
mod doctor;
mod emulated;
mod envelope;
mod explained;
mod facts;
mod faults;
mod fleet;
mod full_disk;
mod hostile;
mod injected;
mod judging;
mod killed;
mod large;
mod lies;
mod machine_faults;
mod machines;
mod measured;
mod meter;
mod mixed;
mod mixes;
mod own_worker;
mod pages;
mod prices;
mod processes;
mod profile;
mod published;
mod readers;
mod reference;
mod report;
mod schema;
mod screens;
mod site;
mod support;
mod tables;
mod telemetry;
mod twice;
mod variants;
mod verification;
