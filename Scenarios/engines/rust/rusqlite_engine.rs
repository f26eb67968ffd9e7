//! rusqlite: a statement that is prepared once, or execute of the connection, which prepares it for each row.
//!
//! https://docs.rs/rusqlite/0.28.0/rusqlite/struct.Statement.html#method.execute
//! https://docs.rs/rusqlite/0.28.0/rusqlite/struct.Connection.html#method.execute

mod batchmark_engine;

use batchmark_engine::{hello, serve, strategy, Engine, Job, Outcome};
use rusqlite::{types::Value, Connection, ToSql, TransactionBehavior};
use std::iter;

struct Rusqlite {
    job: Job,
    rows: Vec<Vec<Value>>,
    store: Connection,
}

impl Engine for Rusqlite {
    fn open(job: Job) -> Outcome<Self> {
        let rows = job.held_rows()?;
        let store = Connection::open(&job.store)?;
        job.prepare(&store)?;
        Ok(Rusqlite { job, rows, store })
    }

    fn store(&self) -> &Connection {
        &self.store
    }

    fn job(&self) -> &Job {
        &self.job
    }

    fn insert(&mut self, mut key: i64) -> Outcome<usize> {
        for rows in self.rows.chunks(self.job.number("save_every", self.rows.len())) {
            let transaction = self.store.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut statement = transaction.prepare(&self.job.insert)?;
            for row in rows {
                let columns = row.iter().map(|value| value as &dyn ToSql);
                let values: Vec<_> = iter::once(&key as &dyn ToSql).chain(columns).collect();
                match self.job.strategy.as_str() {
                    "save" => statement.execute(values.as_slice())?,
                    _ => transaction.execute(&self.job.insert, values.as_slice())?,
                };
                key += 1;
            }
            drop(statement);
            transaction.commit()?;
        }
        Ok(self.rows.len())
    }

    fn close(self) -> Outcome<()> {
        self.store.close().map_err(|(_, error)| error.into())
    }
}

fn main() -> Outcome<()> {
    let gives_up = ["no model", "no objects", "SQL by hand"];
    serve::<Rusqlite>(hello("rusqlite", vec![
        strategy("save", "object_by_object", "rusqlite: one prepared statement, execute for each row", &gives_up),
        strategy("exec", "peer", "rusqlite: execute of the transaction for each row, which prepares it", &gives_up),
    ]))
}
