//! `sqlite-join`: one op joins three tables of a database of the thread's own in memory, for the orders of a month, and groups them by
//! nation. Months take turns.

use crate::draw::{Draws, spread};
use crate::sqlite::{Database, SQLITE, Statement};
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::hint::black_box;

const ORDERS: Parameter = Parameter::integer("orders", 1 << 10..=10_000_000);
const NATIONS: u64 = 25;
const MONTHS: u64 = 80;
const DAYS_OF_MONTH: u64 = 30;
const ORDERS_PER_CUSTOMER: u64 = 10;
const SEED: u64 = 2029;

const SCHEMA: &std::ffi::CStr = c"
CREATE TABLE customers (id INTEGER PRIMARY KEY, nation INTEGER NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, day INTEGER NOT NULL);
CREATE TABLE lines (order_id INTEGER, number INTEGER, quantity INTEGER NOT NULL, price INTEGER NOT NULL,
  PRIMARY KEY (order_id, number)) WITHOUT ROWID;
";
const QUERY: &str = "
SELECT customers.nation, count(*), sum(lines.quantity * lines.price)
FROM orders JOIN customers ON customers.id = orders.customer JOIN lines ON lines.order_id = orders.id
WHERE orders.day >= ? AND orders.day < ?
GROUP BY customers.nation ORDER BY customers.nation
";

pub fn operations() -> Vec<Operation> {
    vec![Operation::new("sqlite-join", SQLITE, setup).takes([ORDERS])]
}

fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Ok(Box::new(Join::new(setting.integer("orders"))?))
}

/// A line of an order, with what all lines of the order have in common.
struct Line {
    order: u64,
    customer: u64,
    day: u64,
    number: u64,
    quantity: u64,
    price: u64,
}

/// One to seven lines for each order.
fn lines(orders: u64) -> impl Iterator<Item = Line> {
    let mut draws = Draws::new(SEED);
    (1..=orders).flat_map(move |order| {
        let customer = 1 + draws.below(customers(orders));
        let (day, count) = (draws.below(MONTHS * DAYS_OF_MONTH), 1 + draws.below(7));
        let mut line = |number| {
            let (quantity, price) = (1 + draws.below(50), 1 + draws.below(100_000));
            Line { order, customer, day, number, quantity, price }
        };
        (1..=count).map(&mut line).collect::<Vec<_>>()
    })
}

fn customers(orders: u64) -> u64 {
    orders / ORDERS_PER_CUSTOMER
}

fn nation(customer: u64) -> u64 {
    spread(customer) % NATIONS
}

struct Join {
    // Goes before its database.
    query: Statement,
    _database: Database,
    orders: u64,
    month: u64,
}

/// A nation's number, its lines, and the sum of their prices.
type Group = [i64; 3];

impl Join {
    fn new(orders: u64) -> Result<Self, OpError> {
        let database = Database::in_memory()?;
        database.run(SCHEMA)?;
        database.run(c"BEGIN")?;
        let mut insert = database.prepare("INSERT INTO customers VALUES (?, ?)")?;
        for customer in 1..=customers(orders) {
            insert.change(&[customer, nation(customer)].map(u64::cast_signed))?;
        }
        let mut insert = database.prepare("INSERT INTO orders VALUES (?, ?, ?)")?;
        let mut insert_line = database.prepare("INSERT INTO lines VALUES (?, ?, ?, ?)")?;
        for line in lines(orders) {
            let Line { order, customer, day, number, quantity, price } = line;
            if number == 1 {
                insert.change(&[order, customer, day].map(u64::cast_signed))?;
            }
            insert_line.change(&[order, number, quantity, price].map(u64::cast_signed))?;
        }
        database.run(c"COMMIT; CREATE INDEX orders_by_day ON orders (day)")?;
        Ok(Self { query: database.prepare(QUERY)?, _database: database, orders, month: 0 })
    }

    fn groups(&mut self, month: u64) -> Result<Vec<Group>, OpError> {
        let from = month * DAYS_OF_MONTH;
        let mut groups = Vec::with_capacity(NATIONS as usize);
        self.query.query(&[from, from + DAYS_OF_MONTH].map(u64::cast_signed), |row| {
            groups.push([0, 1, 2].map(|column| row.integer(column)));
        })?;
        Ok(groups)
    }
}

impl Work for Join {
    fn op(&mut self) -> Result<(), OpError> {
        black_box(self.groups(self.month)?);
        self.month = (self.month + 1) % MONTHS;
        Ok(())
    }

    /// The groups of all months.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut output = Vec::new();
        for month in 0..MONTHS {
            output.extend(self.groups(month)?.into_iter().flatten().flat_map(i64::to_le_bytes));
        }
        Ok(output)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let mut months = vec![[[0; 2]; NATIONS as usize]; MONTHS as usize];
        for Line { customer, day, quantity, price, .. } in lines(self.orders) {
            let group = &mut months[(day / DAYS_OF_MONTH) as usize][nation(customer) as usize];
            *group = [group[0] + 1, group[1] + quantity * price];
        }
        let groups =
            months.iter().flat_map(|month| (0..).zip(month)).filter(|(_, group)| group[0] > 0);
        let expected = groups.flat_map(|(nation, group)| [nation, group[0], group[1]]);
        match expected.flat_map(u64::to_le_bytes).eq(output.iter().copied()) {
            true => Ok(()),
            false => Err("groups are not those of the rows, counted one by one".to_owned()),
        }
    }

    fn verified(&self) -> &'static str {
        "the groups of all months are those of the rows, counted one by one"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_is_changed_or_missing_changes_the_groups() {
        for sql in [
            "UPDATE lines SET price = price + 1 WHERE order_id = 77 AND number = 1",
            "UPDATE customers SET nation = (nation + 1) % 25 WHERE id = (SELECT customer FROM orders WHERE id = 77)",
            "DELETE FROM orders WHERE id = 77",
        ] {
            let mut join = Join::new(1234).unwrap();
            let output = join.output().unwrap();
            assert_eq!(join.check(&output), Ok(()));
            join._database.prepare(sql).unwrap().change(&[]).unwrap();
            let output = join.output().unwrap();
            assert!(join.check(&output).is_err(), "{sql}");
        }
    }
}
