//! The helper for engines in Rust: implements the protocol, so an engine only stores rows.
//!
//! An engine implements `Engine`, and its `main` calls `serve`. Batchmark's request is in `Job`; see the article
//! "Engines in any language".

use rusqlite::{types::Value, Connection, OpenFlags};
use serde_json::{json, Value as Json};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::io::FromRawFd;
use std::time::Instant;

pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// The request to open a store, with fields for the values that most engines need.
pub struct Job {
    pub request: Json,
    pub strategy: String,
    pub store: String,
    pub insert: String,
}

impl Job {
    fn new(request: Json) -> Job {
        let text = |name: &str| request[name].as_str().unwrap_or("").to_string();
        let (strategy, store, insert) = (text("strategy"), text("store"), text("insert"));
        Job { request, strategy, store, insert }
    }

    /// Returns all rows of the source. Their values have the order of the entity's columns.
    pub fn held_rows(&self) -> Outcome<Vec<Vec<Value>>> {
        let path = self.request["source"].as_str().unwrap_or("");
        let source = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let table = self.request["entities"][0]["source_table"].as_str().unwrap_or("");
        let mut statement = source.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY rowid"))?;
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect())?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns a parameter that is a number of rows, or `rows` if it is "all".
    pub fn number(&self, parameter: &str, rows: usize) -> usize {
        self.request["parameters"][parameter].as_u64().map_or(rows.max(1), |number| number as usize)
    }

    /// Sets the pragmas and runs the first write.
    pub fn prepare(&self, store: &Connection) -> Outcome<()> {
        for pragma in self.request["pragmas"].as_array().into_iter().flatten() {
            let text = |name: &str| pragma[name].as_str().unwrap_or("");
            // `execute_batch` allows both pragmas that return a row and those that do not.
            store.execute_batch(&format!("PRAGMA {} = {}", text("name"), text("value")))?;
        }
        Ok(store.execute_batch(self.request["first_write"].as_str().unwrap_or(""))?)
    }
}

pub trait Engine: Sized {
    /// Opens the store and reads the rows into memory.
    fn open(job: Job) -> Outcome<Self>;
    /// Returns the connection to query the pragmas with.
    fn store(&self) -> &Connection;
    fn job(&self) -> &Job;
    /// Stores all rows and returns their number.
    fn insert(&mut self, first_key: i64) -> Outcome<usize>;
    fn close(self) -> Outcome<()>;
}

/// Describes a strategy for `hello`. A strategy that gives up "no upsert" cannot handle rows with unique values
/// that are already in the store.
pub fn strategy(name: &str, role: &str, summary: &str, gives_up: &[&str]) -> Json {
    json!({"name": name, "operation": "insert", "role": role, "summary": summary, "rows": "held", "gives_up": gives_up,
        "upserts": !gives_up.contains(&"no upsert"), "parameters": {"save_every": "all"}})
}

/// Returns the program's answer to `hello`. scripts/engines sets the version of the library.
pub fn hello(engine: &str, strategies: Vec<Json>) -> Json {
    let source = Connection::open_in_memory()
        .and_then(|memory| memory.query_row("SELECT sqlite_source_id()", [], |row| row.get::<_, String>(0)));
    let version = option_env!("LIBRARY_VERSION").unwrap_or("unknown");
    let runtime = option_env!("RUST_VERSION").unwrap_or("Rust");
    json!({"hello": 1, "engine": engine, "version": version, "runtime": runtime, "strategies": strategies,
        "sqlite": {"version": rusqlite::version(), "source_id": source.unwrap_or_default()}})
}

fn pragma(store: &Connection, name: &str) -> rusqlite::Result<String> {
    store.query_row(&format!("PRAGMA {name}"), [], |row| {
        Ok(match row.get(0)? {
            Value::Integer(value) => value.to_string(),
            Value::Real(value) => value.to_string(),
            Value::Text(value) => value,
            _ => String::new(),
        })
    })
}

fn answer<E: Engine>(engine: &mut Option<E>, request: &str, value: &Json) -> Outcome<Json> {
    if request == "open" {
        let opened = engine.insert(E::open(Job::new(value.clone()))?);
        let names = opened.job().request["answered_pragmas"].as_array().into_iter().flatten();
        let pragmas = names.filter_map(Json::as_str).filter_map(|name| {
            pragma(opened.store(), name).ok().map(|value| (name.to_string(), Json::from(value)))
        });
        return Ok(json!({"ready": Json::Object(pragmas.collect())}));
    }
    if request == "close" {
        engine.take().map_or(Ok(()), E::close)?;
        return Ok(json!({"closed": 1}));
    }
    let opened = engine.as_mut().ok_or("no store is open")?;
    match request {
        "go" => {
            let start = Instant::now();
            let rows = opened.insert(value["first_key"].as_i64().unwrap_or(1))?;
            Ok(json!({"done": {"rows": rows, "seconds": start.elapsed().as_secs_f64()}}))
        }
        "checkpoint" => {
            let busy: i64 = opened.store().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
            if busy != 0 {
                return Err("the checkpoint left frames in the WAL".into());
            }
            Ok(json!({"checkpointed": 1}))
        }
        _ => Err(format!("this program knows no request '{request}'").into()),
    }
}

/// Answers requests until Batchmark closes the connection.
pub fn serve<E: Engine>(hello: Json) -> Outcome<()> {
    // Nothing else in this process owns these descriptors.
    let (requests, mut answers) = unsafe { (File::from_raw_fd(3), File::from_raw_fd(4)) };
    let mut engine: Option<E> = None;
    for line in BufReader::new(requests).lines() {
        let message: Json = serde_json::from_str(&line?)?;
        for (request, value) in message.as_object().into_iter().flatten() {
            let answer = match request.as_str() {
                "hello" => hello.clone(),
                _ => answer(&mut engine, request, value).unwrap_or_else(|error| json!({ "error": error.to_string() })),
            };
            answers.write_all(format!("{answer}\n").as_bytes())?;
            if request == "close" {
                return Ok(());
            }
        }
    }
    Ok(())
}
