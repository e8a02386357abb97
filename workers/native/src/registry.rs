//! Every operation of this worker: one line for each library, and the control work.

use crate::{control, rustls, zstd};
use sizeup_cryptography::{aws_lc, record};
use sizeup_kit::Operation;

pub fn operations() -> Vec<Operation> {
    [
        record::operations::<aws_lc::Sealer>("aws-lc"),
        rustls::operations(),
        zstd::operations(),
        control::operations(),
    ]
    .concat()
}

#[cfg(test)]
mod tests;
