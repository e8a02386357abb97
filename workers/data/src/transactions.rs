//! `sqlite-oltp`: one op is a transaction in the shape of TPC-B, on a database of the thread's own in memory. `history` keeps as many
//! entries as it had, so that the database does not grow.

use crate::draw::Draws;
use crate::sqlite::{Database, SQLITE, Statement};
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::hint::black_box;

const ACCOUNTS: Parameter = Parameter::integer("accounts", 1 << 10..=10_000_000);
const TELLERS: u64 = 10;
/// How many entries `history` has.
const ENTRIES: i64 = 10_000;
/// Transactions of an output, on balances of 0.
const VERIFIED: u64 = 1000;
const SEED: u64 = 2028;

/// Rows of 100 bytes, as in TPC-B.
const SCHEMA: &std::ffi::CStr = c"
CREATE TABLE branches (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL, filler TEXT NOT NULL);
CREATE TABLE tellers (id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance INTEGER NOT NULL, filler TEXT NOT NULL);
CREATE TABLE accounts (id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance INTEGER NOT NULL, filler TEXT NOT NULL);
CREATE TABLE history (id INTEGER PRIMARY KEY, teller INTEGER NOT NULL, branch INTEGER NOT NULL, account INTEGER NOT NULL,
  delta INTEGER NOT NULL, number INTEGER NOT NULL);
";
/// Fills a table from 1 to a number.
const COUNTED: &str =
    "WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)";

pub fn operations() -> Vec<Operation> {
    vec![Operation::new("sqlite-oltp", SQLITE, setup).takes([ACCOUNTS])]
}

fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Ok(Box::new(Bank::new(setting.integer("accounts"))?))
}

/// A transaction: what is added to which teller's, account's and the only branch's balance.
#[derive(Clone, Copy)]
struct Transfer {
    account: u64,
    teller: u64,
    delta: i64,
}

/// All transactions, in their order.
struct Transfers {
    draws: Draws,
    accounts: u64,
}

impl Transfers {
    fn of(accounts: u64) -> Self {
        Self { draws: Draws::new(SEED), accounts }
    }

    fn next(&mut self) -> Transfer {
        let mut number = |bound| 1 + self.draws.below(bound);
        let (account, teller) = (number(self.accounts), number(TELLERS));
        Transfer { account, teller, delta: number(9999) as i64 - 5000 }
    }
}

struct Bank {
    // Statements go before their database.
    begin: Statement,
    add_to_account: Statement,
    balance_of_account: Statement,
    add_to_teller: Statement,
    add_to_branch: Statement,
    enter: Statement,
    commit: Statement,
    database: Database,
    transfers: Transfers,
    /// The number of transactions since balances were 0, and the sum that they added.
    count: i64,
    added: i64,
}

impl Bank {
    fn new(accounts: u64) -> Result<Self, OpError> {
        let database = Database::in_memory()?;
        database.run(SCHEMA)?;
        let prepare = |sql| database.prepare(sql);
        let mut bank = Self {
            begin: prepare("BEGIN")?,
            add_to_account: prepare("UPDATE accounts SET balance = balance + ? WHERE id = ?")?,
            balance_of_account: prepare("SELECT balance FROM accounts WHERE id = ?")?,
            add_to_teller: prepare("UPDATE tellers SET balance = balance + ? WHERE id = ?")?,
            add_to_branch: prepare("UPDATE branches SET balance = balance + ? WHERE id = ?")?,
            enter: prepare(
                "REPLACE INTO history (id, teller, branch, account, delta, number) VALUES (?, ?, ?, ?, ?, ?)",
            )?,
            commit: prepare("COMMIT")?,
            database,
            transfers: Transfers::of(accounts),
            count: 0,
            added: 0,
        };
        bank.fill()?;
        Ok(bank)
    }

    /// Makes the tables what they were before the first transaction.
    fn fill(&mut self) -> Result<(), OpError> {
        self.database.run(c"BEGIN; DELETE FROM branches; DELETE FROM tellers; DELETE FROM accounts; DELETE FROM history")?;
        let accounts = self.transfers.accounts;
        let tables = [
            (1, "branches (id, balance, filler) SELECT n, 0, printf('%88s', '')"),
            (
                TELLERS as i64,
                "tellers (id, branch, balance, filler) SELECT n, 1, 0, printf('%84s', '')",
            ),
            (
                accounts as i64,
                "accounts (id, branch, balance, filler) SELECT n, 1, 0, printf('%84s', '')",
            ),
            (
                ENTRIES,
                "history (id, teller, branch, account, delta, number) SELECT n, 0, 0, 0, 0, 0",
            ),
        ];
        for (rows, into) in tables {
            let sql = format!("{COUNTED} INSERT INTO {into} FROM counted");
            self.database.prepare(&sql)?.change(&[rows])?;
        }
        self.database.run(c"COMMIT")?;
        (self.transfers, self.count, self.added) = (Transfers::of(accounts), 0, 0);
        Ok(())
    }

    /// All numbers that a query returns.
    fn numbers(&self, sql: &str, columns: i32) -> Result<Vec<i64>, OpError> {
        let mut numbers = Vec::new();
        self.database
            .prepare(sql)?
            .query(&[], |row| numbers.extend((0..columns).map(|column| row.integer(column))))?;
        Ok(numbers)
    }
}

impl Work for Bank {
    fn op(&mut self) -> Result<(), OpError> {
        let Transfer { account, teller, delta } = self.transfers.next();
        let (account, teller, branch) = (account as i64, teller as i64, 1);
        self.begin.change(&[])?;
        self.add_to_account.change(&[delta, account])?;
        let mut balance = None;
        self.balance_of_account.query(&[account], |row| balance = Some(row.integer(0)))?;
        black_box(balance.ok_or_else(|| OpError::new(format!("account {account} is gone")))?);
        self.add_to_teller.change(&[delta, teller])?;
        self.add_to_branch.change(&[delta, branch])?;
        let place = 1 + self.count % ENTRIES;
        self.enter.change(&[place, teller, branch, account, delta, self.count + 1])?;
        self.commit.change(&[])?;
        (self.count, self.added) = (self.count + 1, self.added + delta);
        Ok(())
    }

    /// By how much the balances of accounts, tellers and the branch, and the number of the last entry, are off after all ops so far;
    /// then all balances and entries after so many transactions from the beginning.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let sums = self.numbers(
            "SELECT (SELECT sum(balance) FROM accounts), (SELECT sum(balance) FROM tellers), (SELECT sum(balance) FROM branches),
              (SELECT max(number) FROM history)",
            4,
        )?;
        let expected = [self.added, self.added, self.added, self.count];
        let mut output: Vec<i64> = sums.iter().zip(expected).map(|(is, must)| is - must).collect();
        self.fill()?;
        for _ in 0..VERIFIED {
            self.op()?;
        }
        for table in ["branches", "tellers", "accounts"] {
            output.extend(self.numbers(&format!("SELECT balance FROM {table} ORDER BY id"), 1)?);
        }
        let entries = "SELECT teller, account, delta, number FROM history ORDER BY id";
        output.extend(self.numbers(entries, 4)?);
        Ok(output.into_iter().flat_map(i64::to_le_bytes).collect())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let sums = output.get(..32).ok_or("the output has no sums")?;
        if sums != [0; 32] {
            return Err("the balances are not the sum of all transactions".to_owned());
        }
        let accounts = self.transfers.accounts;
        let expected = after(accounts).into_iter().flat_map(i64::to_le_bytes);
        if expected.eq(output[32..].iter().copied()) {
            Ok(())
        } else {
            Err(format!("balances and entries are not those of {VERIFIED} transactions"))
        }
    }

    fn verified(&self) -> &'static str {
        "accounts, tellers, branch and history are those of an array to which the same was added, and balances the sum of all transactions"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// All balances and entries after the transactions of an output, without a database.
fn after(accounts: u64) -> Vec<i64> {
    let mut transfers = Transfers::of(accounts);
    let mut balances = vec![0; 1 + TELLERS as usize + accounts as usize];
    let mut entries = vec![[0; 4]; ENTRIES as usize];
    for (entry, number) in entries.iter_mut().zip(1..=VERIFIED as i64) {
        let Transfer { account, teller, delta } = transfers.next();
        for place in [0, teller, TELLERS + account] {
            balances[place as usize] += delta;
        }
        *entry = [teller as i64, account as i64, delta, number];
    }
    balances.into_iter().chain(entries.into_iter().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(spoil: impl FnOnce(&mut Bank)) -> String {
        let mut bank = Bank::new(1234).unwrap();
        bank.batch(20_000).unwrap();
        spoil(&mut bank);
        let output = bank.output().unwrap();
        bank.check(&output).unwrap_err()
    }

    #[test]
    fn a_balance_that_was_changed_by_another_is_noticed_after_many_transactions() {
        for table in ["accounts", "tellers", "branches"] {
            let sql = format!("UPDATE {table} SET balance = balance + 1 WHERE id = 1");
            let what = refusal(|bank| bank.database.prepare(&sql).unwrap().change(&[]).unwrap());
            assert_eq!(what, "the balances are not the sum of all transactions", "{table}");
        }
    }

    #[test]
    fn a_transaction_that_leaves_something_out_is_noticed() {
        let nothing = |bank: &Bank| bank.database.prepare("SELECT ?, ?").unwrap();
        let what = refusal(|bank| bank.add_to_teller = nothing(bank));
        assert_eq!(what, "balances and entries are not those of 1000 transactions");
    }
}
