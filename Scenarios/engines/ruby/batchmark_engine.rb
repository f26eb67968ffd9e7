# The helper for engines in Ruby: it speaks the protocol, and an engine stores rows.
#
# An engine is a class with `open`, `query(sql)`, which answers one value, `insert(first_key)` and `close`;
# `BatchmarkEngine.serve` makes one for a process. `open` sets `@rows`. What Batchmark asked for is in `@job`; see the
# article "Engines in any language".
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

  # Every row of the source as an array, in the order of the entity's columns.
  def held_rows
    source = SQLite3::Database.new(@job["source"], readonly: true)
    source.execute("SELECT * FROM \"#{@entity["source_table"]}\" ORDER BY rowid")
  ensure
    source&.close
  end

  # The names of the columns, those of the constants included.
  def names
    @job["constants"].keys + @columns.map { |column| column["column"] }
  end

  # Every row as a hash by the names of columns, with the constants of each row.
  def held_values
    constants = @job["constants"].values
    held_rows.map { |row| names.zip(constants + row).to_h }
  end

  # The columns of the first uniqueness constraint; none without one.
  def unique = @entity["unique_together"].first || []

  # Whether the stored row stays if another has its unique values; otherwise it gets the other's values.
  def keeps_stored? = !%w[object_trump overwrite].include?(@job["merge_policy"])

  # The columns that are not in `unique`: those that a stored row gets of another.
  def plain = @columns.map { |column| column["column"] } - unique

  # A parameter that is a number of rows.
  def number(parameter)
    value = @job["parameters"].fetch(parameter, "all")
    value == "all" ? [@rows.size, 1].max : value
  end

  # The rows of each transaction with the key of its first.
  def saves(first_key)
    @rows.each_slice(number("save_every")) do |rows|
      yield rows, first_key
      first_key += rows.size
    end
  end

  # Sets the pragmas, by a block that runs a statement.
  def set_pragmas
    @job["pragmas"].each { |pragma| yield "PRAGMA #{pragma["name"]} = #{pragma["value"]}" }
  end

  # Runs the first write, by a block that runs a statement.
  def write_first(&run)
    @job["first_write"].split(";").map(&:strip).each(&run)
  end

  def checkpoint
    raise "the checkpoint left frames in the WAL" unless query("PRAGMA wal_checkpoint(TRUNCATE)").to_i.zero?
  end

  # The pragmas in force.
  def pragmas
    @job["answered_pragmas"].to_h { |name| [name, query("PRAGMA #{name}")] }.compact.transform_values(&:to_s)
  end

  # What `hello` says of a strategy; the parameters with their defaults. One that gives up "no upsert" does not handle
  # rows whose unique values are taken.
  def self.strategy(name, role, summary, gives_up, parameters = {save_every: "all"})
    {name: name, operation: "insert", role: role, summary: summary, rows: "held", gives_up: gives_up,
     upserts: !gives_up.include?("no upsert"), parameters: parameters}
  end

  # What the program says of itself.
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

  # Answers until Batchmark closes.
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
