# Stores 1,000 rows with ruby-sqlite3.
require "sqlite3"
store = SQLite3::Database.new(ARGV[0] + "/store.db")
store.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
store.transaction { 1000.times { |row| store.execute("INSERT INTO item (name) VALUES (?)", ["name #{row}"]) } }
puts store.get_first_value("SELECT count(*) FROM item")
store.close
