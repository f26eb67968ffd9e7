# Sequel: create for each object of a model, or multi_insert and import of a dataset for many rows.
#
# https://sequel.jeremyevans.net/rdoc/files/README_rdoc.html#label-Creating+new+records
# https://sequel.jeremyevans.net/rdoc/classes/Sequel/Dataset.html#method-i-import
# https://sequel.jeremyevans.net/rdoc/classes/Sequel/SQLite/DatasetMethods.html#method-i-insert_conflict
require "sequel"
require_relative "batchmark_engine"

class SequelEngine < BatchmarkEngine
  def open
    @rows = held_values.map { |row| row.transform_keys(&:to_sym) }
    blobs = @columns.select { |column| column["storage"] == "BLOB" }.map { |column| column["column"].to_sym }
    @rows.each { |row| blobs.each { |name| row[name] &&= Sequel.blob(row[name]) } }
    @database = Sequel.connect(adapter: "sqlite", database: @job["store"], max_connections: 1)
    # Store dates as numbers, even if their columns are declared with another type.
    @database.conversion_procs["timestamp"] = @database.conversion_procs["float"]
    set_pragmas { |sql| @database.run(sql) }
    write_first { |sql| @database.run(sql) }
    @model = Class.new(Sequel::Model(@database[@entity["table"].to_sym])) do
      unrestrict_primary_key
      self.typecast_on_assignment = false
    end
    @dataset = unique.empty? ? @model.dataset : upsert
  end

  def upsert
    return @model.dataset.insert_conflict(target: unique.map(&:to_sym)) if keeps_stored?
    changes = plain.to_h { |name| [name.to_sym, Sequel[:excluded][name.to_sym]] }
    @model.dataset.insert_conflict(target: unique.map(&:to_sym), update: {Z_OPT: Sequel[:Z_OPT] + 1, **changes})
  end

  def query(sql) = @database.fetch(sql).single_value

  def insert(first_key)
    saves(first_key) do |rows, key|
      @database.transaction do
        if @strategy == "save"
          rows.each_with_index { |row, index| @model.create(row.merge(Z_PK: key + index)) }
        else
          columns = [:Z_PK, *names.map(&:to_sym)]
          values = rows.each_with_index.map { |row, index| [key + index, *row.values] }
          @dataset.import(columns, values, slice: number("request_size"))
        end
      end
    end
  end

  def close = @database.disconnect
end

SequelEngine.serve(
  BatchmarkEngine.hello("Sequel", Sequel.version, [
    BatchmarkEngine.strategy("save", "object_by_object", "Sequel: create for each object of a model", ["no upsert"]),
    BatchmarkEngine.strategy(
      "batch", "batch_array", "Sequel: import of a dataset, many rows a statement",
      ["no objects", "no validation", "no hooks"], {save_every: "all", request_size: 500})
  ])
)
