// Stores 1,000 rows with rusqlite and the system's library.
use rusqlite::{params, Connection, Result};

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).expect("a folder");
    let mut store = Connection::open(format!("{folder}/store.db"))?;
    store.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)", [])?;
    let transaction = store.transaction()?;
    {
        let mut insert = transaction.prepare("INSERT INTO item (name) VALUES (?)")?;
        for row in 0..1000 {
            insert.execute(params![format!("name {row}")])?;
        }
    }
    transaction.commit()?;
    let count: i64 = store.query_row("SELECT count(*) FROM item", [], |row| row.get(0))?;
    println!("{count}");
    Ok(())
}
