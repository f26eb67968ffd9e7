# ActiveRecord: create! for each object, or insert_all and upsert_all for many rows.
#
# https://api.rubyonrails.org/v6.1/classes/ActiveRecord/Transactions/ClassMethods.html
# https://api.rubyonrails.org/v6.1/classes/ActiveRecord/Persistence/ClassMethods.html#method-i-insert_all
# https://api.rubyonrails.org/v6.1/classes/ActiveRecord/Persistence/ClassMethods.html#method-i-upsert_all
require "active_record"
require_relative "batchmark_engine"

class ActiveRecordEngine < BatchmarkEngine
  # Store dates as numbers, even if their columns are declared with another type.
  TYPES = {"INTEGER" => :big_integer, "REAL" => :float, "TEXT" => :string, "BLOB" => :binary}

  def open
    @rows = held_values
    ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: @job["store"])
    @connection = ActiveRecord::Base.connection
    set_pragmas { |sql| @connection.execute(sql) }
    write_first { |sql| @connection.execute(sql) }
    table, key, columns = @entity["table"], @key, @columns
    @model = Class.new(ActiveRecord::Base) do
      self.table_name = table
      self.primary_key = key
      columns.each { |column| attribute column["column"], TYPES[column["storage"]] }
    end
    @model.columns
  end

  def query(sql) = @connection.select_value(sql)

  def insert(first_key)
    saves(first_key) do |rows, key|
      @model.transaction do
        values = rows.each_with_index.lazy.map { |row, index| row.merge(@key => key + index) }
        @strategy == "save" ? values.each { |row| @model.create!(row) } : batch(values)
      end
    end
  end

  def batch(values)
    values.each_slice(number("request_size")) do |rows|
      if unique.empty? then @model.insert_all!(rows)
      elsif keeps_stored? then @model.insert_all(rows, unique_by: unique)
      else @model.upsert_all(rows, unique_by: unique)
      end
    end
  end

  def close = ActiveRecord::Base.remove_connection
end

ActiveRecordEngine.serve(
  BatchmarkEngine.hello("ActiveRecord", ActiveRecord.version.to_s, [
    BatchmarkEngine.strategy("save", "object_by_object", "ActiveRecord: create! for each object", ["no upsert"]),
    BatchmarkEngine.strategy(
      "batch", "batch_array", "ActiveRecord: insert_all! or upsert_all for each batch of rows",
      ["no objects", "no validation", "no callbacks"], {save_every: "all", request_size: 1000})
  ])
)
