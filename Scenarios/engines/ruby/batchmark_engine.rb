# The helper for engines in Ruby: implements the protocol, so an engine only stores rows.
#
# An engine is a class with `open`, `query(sql)`, which returns one value, `insert(first_key)` and `close`. `open` sets
# `@rows`. `BatchmarkEngine.serve` makes the engine. Batchmark's request is in `@job`; see the article "Engines in any
# language".
require "json"
require "sqlite3"

class BatchmarkEngine
  def initialize(job)
    @job = job
    @strategy = job["strategy"]
    @entity = job["entities"][0]
    @columns = @entity["columns"]
    @key = job["key"]["column"]
  end

  # All rows of the source as arrays, in the order of the entity's columns.
  def held_rows
    source = SQLite3::Database.new(@job["source"], readonly: true)
    source.execute("SELECT * FROM \"#{@entity["source_table"]}\" ORDER BY rowid")
  ensure
    source&.close
  end

  # The names of all columns, including the constants.
  def names
    @job["constants"].keys + @columns.map { |column| column["column"] }
  end

  # All rows as hashes with the constants. The keys are the names of columns.
  def held_values
    constants = @job["constants"].values
    held_rows.map { |row| names.zip(constants + row).to_h }
  end

  # The columns of the first uniqueness constraint, or none if there is no constraint.
  def unique = @entity["unique_together"].first || []

  # Whether a stored row stays unchanged on a conflict; otherwise it gets the values of the new row.
  def keeps_stored? = !%w[object_trump overwrite].include?(@job["merge_policy"])

  # The columns that are not in `unique`: those that a conflict can update.
  def plain = @columns.map { |column| column["column"] } - unique

  # A parameter that is a number of rows; "all" is the number of all rows.
  def number(parameter)
    value = @job["parameters"].fetch(parameter, "all")
    value == "all" ? [@rows.size, 1].max : value
  end

  # Yields the rows of each transaction and the key of its first row.
  def saves(first_key)
    @rows.each_slice(number("save_every")) do |rows|
      yield rows, first_key
      first_key += rows.size
    end
  end

  # Sets the pragmas with a block that runs a statement.
  def set_pragmas
    @job["pragmas"].each { |pragma| yield "PRAGMA #{pragma["name"]} = #{pragma["value"]}" }
  end

  # Runs the first write with a block that runs a statement.
  def write_first(&run)
    @job["first_write"].split(";").map(&:strip).each(&run)
  end

  def checkpoint
    raise "the checkpoint left frames in the WAL" unless query("PRAGMA wal_checkpoint(TRUNCATE)").to_i.zero?
  end

  # The current values of the pragmas.
  def pragmas
    @job["answered_pragmas"].to_h { |name| [name, query("PRAGMA #{name}")] }.compact.transform_values(&:to_s)
  end

  # The description of a strategy for `hello`, with its parameters and their defaults. A strategy that gives up
  # "no upsert" cannot handle rows with unique values that are already in the store.
  def self.strategy(name, role, summary, gives_up, parameters = {save_every: "all"})
    {name: name, operation: "insert", role: role, summary: summary, rows: "held", gives_up: gives_up,
     upserts: !gives_up.include?("no upsert"), parameters: parameters}
  end

  # The program's answer to `hello`.
  def self.hello(engine, version, strategies)
    library = SQLite3::Database.new(":memory:").execute("SELECT sqlite_version(), sqlite_source_id()")[0]
    {hello: 1, engine: engine, version: version, runtime: "#{RUBY_ENGINE} #{RUBY_VERSION}",
     heap: "managed", sqlite: {version: library[0], source_id: library[1]}, strategies: strategies}
  end

  def answer(request, value)
    case request
    when "open"
      open
      {ready: pragmas}
    when "go"
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      insert(value["first_key"])
      {done: {rows: @rows.size, seconds: Process.clock_gettime(Process::CLOCK_MONOTONIC) - start}}
    when "checkpoint"
      checkpoint
      {checkpointed: 1}
    when "close"
      close
      {closed: 1}
    else {error: "this program knows no request '#{request}'"}
    end
  end

  # Answers requests until Batchmark closes the connection.
  def self.serve(hello)
    requests = IO.for_fd(3, "r:UTF-8")
    answers = IO.for_fd(4, "w:UTF-8")
    engine = nil
    while (line = requests.gets)
      begin
        request, value = JSON.parse(line).first
        answer =
          if request == "hello" then hello
          elsif request == "open"
            opened = new(value)
            opened.answer(request, value).tap { engine = opened }
          elsif engine then engine.answer(request, value)
          elsif request == "close" then {closed: 1}
          else raise "no store is open for the request '#{request}'"
          end
      rescue => error
        warn error.full_message
        answer = {error: "#{error.class}: #{error.message.dup.force_encoding("UTF-8").scrub}"}
      end
      answers.puts(JSON.generate(answer))
      answers.flush
      break if request == "close"
    end
  end
end
