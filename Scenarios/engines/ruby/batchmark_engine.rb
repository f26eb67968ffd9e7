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

  # The unique columns if a row may have a taken value; none otherwise.
  def unique
    return [] unless %w[store_trump object_trump overwrite].include?(@job["merge_policy"])
    @columns.select { |column| column["unique"] }.map { |column| column["column"] }
  end

  # Whether the stored row stays if another has its unique value; otherwise it gets the other's values.
  def keeps_stored? = @job["merge_policy"] == "store_trump"

  # The columns that are not unique: those that a stored row gets of another.
  def plain
    @columns.reject { |column| column["unique"] }.map { |column| column["column"] }
  end

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

  # What `hello` says of a strategy; the parameters with their defaults.
  def self.strategy(name, role, summary, gives_up, parameters = {save_every: "all"})
    {name: name, operation: "insert", role: role, summary: summary, rows: "held", gives_up: gives_up,
     parameters: parameters}
  end

  # What the program says of itself.
  def self.hello(engine, version, strategies)
    library = SQLite3::Database.new(":memory:").execute("SELECT sqlite_version(), sqlite_source_id()")[0]
    {hello: 1, engine: engine, version: version, runtime: "#{RUBY_ENGINE} #{RUBY_VERSION}",
     sqlite: {version: library[0], source_id: library[1]}, strategies: strategies}
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
      request, value = JSON.parse(line).first
      begin
        engine = new(value) if request == "open"
        answer = request == "hello" ? hello : engine.answer(request, value)
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
