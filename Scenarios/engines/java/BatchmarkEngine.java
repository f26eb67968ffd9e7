// The helper for engines in Java: implements the protocol, so an engine only stores rows.
//
// An engine extends this class, and its main method calls `serve`. Batchmark's request is in `job`; see the article
// "Engines in any language". The helper needs Gson, and sqlite-jdbc to read the rows.

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.stream.Stream;

public abstract class BatchmarkEngine {
  /** The JVM compiles at run time, so a strategy with a warm-up first stores this many rows into this many stores. */
  private static final Map<String, Object> WARM_UP = Map.of("rows", 1000, "repeats", 5);

  protected JsonObject job;
  protected String strategy, store, insert;
  protected JsonObject entity;
  private int rowLimit = -1;

  /** Opens the store, reads the rows into memory and returns their number. */
  protected abstract int open() throws Exception;

  /** Returns the first value of a statement's result as text, or null if there is none. */
  protected abstract String query(String sql) throws Exception;

  /** Stores all rows. */
  protected abstract void insert(long firstKey) throws Exception;

  protected abstract void close() throws Exception;

  /** Returns all rows of the source. Their values have the order of the entity's columns. */
  protected List<Object[]> heldRows() throws SQLException {
    var options = new Properties();
    options.setProperty("open_mode", "1");
    List<Object[]> rows = new ArrayList<>();
    try (var source = DriverManager.getConnection(address(text(job, "source")), options)) {
      var sql = "SELECT * FROM \"" + text(entity, "source_table") + "\" ORDER BY rowid LIMIT " + rowLimit;
      ResultSet found = source.createStatement().executeQuery(sql);
      int columns = found.getMetaData().getColumnCount();
      while (found.next()) {
        var row = new Object[columns];
        for (int column = 0; column < columns; column++) row[column] = found.getObject(column + 1);
        rows.add(row);
      }
    }
    return rows;
  }

  /** Returns a file's address. It is a URI because in a plain path, the driver treats the text after a ? as options. */
  protected static String address(String file) {
    return "jdbc:sqlite:file:" + new File(file).toURI().getRawPath();
  }

  /** Returns a parameter that is a number of rows, or `rows` if it is "all". */
  protected int number(String parameter, int rows) {
    var value = job.getAsJsonObject("parameters").getAsJsonPrimitive(parameter);
    return value != null && value.isNumber() ? value.getAsInt() : Math.max(rows, 1);
  }

  /** Sets the pragmas. */
  protected void setPragmas(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (JsonElement pragma : job.getAsJsonArray("pragmas")) {
        var name = text(pragma.getAsJsonObject(), "name");
        statement.execute("PRAGMA " + name + " = " + text(pragma.getAsJsonObject(), "value"));
      }
    }
  }

  /** Runs the first write. */
  protected void writeFirst(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var sql : text(job, "first_write").split(";")) statement.execute(sql);
    }
  }

  /** Runs a statement on a connection and returns its first value as text, or null if there is none. */
  protected static String query(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      if (!statement.execute(sql)) return null;
      var found = statement.getResultSet();
      return found.next() ? found.getString(1) : null;
    }
  }

  protected static String text(JsonObject object, String name) {
    return object.get(name).getAsString();
  }

  /**
   * Describes a strategy for `hello`, with its parameters and their defaults. A strategy that gives up "no upsert"
   * cannot handle rows with unique values that are already in the store.
   */
  protected static Map<String, Object> strategy(
      String name, String role, String summary, List<String> givesUp, Map<String, Object> parameters) {
    Map<String, Object> strategy = new LinkedHashMap<>();
    strategy.put("name", name);
    strategy.put("operation", "insert");
    strategy.put("role", role);
    strategy.put("summary", summary);
    strategy.put("rows", "held");
    strategy.put("gives_up", givesUp);
    strategy.put("upserts", !givesUp.contains("no upsert"));
    strategy.put("parameters", parameters);
    strategy.put("warm_up", WARM_UP);
    return strategy;
  }

  private static final String COLD = "-cold";

  /** Returns the strategy, and the same one without a warm-up, like in a process that stores rows once. */
  private static Stream<Map<String, Object>> warmAndCold(Map<String, Object> strategy) {
    Map<String, Object> cold = new LinkedHashMap<>(strategy);
    cold.put("name", strategy.get("name") + COLD);
    cold.put("summary", strategy.get("summary") + ", without a warm-up");
    cold.remove("warm_up");
    return Stream.of(strategy, cold);
  }

  /** Answers requests until Batchmark closes the connection. `make` makes an engine for a store. */
  protected static void serve(
      String engine, String version, Supplier<BatchmarkEngine> make, List<Map<String, Object>> strategies)
      throws Exception {
    var requests = new BufferedReader(new InputStreamReader(new FileInputStream("/dev/fd/3"), StandardCharsets.UTF_8));
    var answers = new PrintStream(new FileOutputStream("/dev/fd/4"), true, StandardCharsets.UTF_8);
    var json = new Gson();
    BatchmarkEngine opened = null;
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      var message = json.fromJson(line, JsonObject.class).entrySet().iterator().next();
      String request = message.getKey();
      Map<String, Object> answer;
      try {
        if (request.equals("hello")) {
          answer = hello(engine, version, strategies);
        } else if (request.equals("open")) {
          var made = made(message.getValue().getAsJsonObject(), make);
          answer = made.answer(request, message.getValue());
          opened = made;
        } else if (opened != null) {
          answer = opened.answer(request, message.getValue());
        } else if (request.equals("close")) {
          answer = Map.of("closed", 1);
        } else {
          throw new IllegalStateException("no store is open for the request '" + request + "'");
        }
      } catch (Exception | LinkageError error) {
        error.printStackTrace();
        answer = Map.of("error", error.toString());
      }
      answers.println(json.toJson(answer));
      if (request.equals("close")) System.exit(0);
    }
  }

  private static Map<String, Object> hello(String engine, String version, List<Map<String, Object>> strategies)
      throws SQLException {
    Map<String, Object> hello = new LinkedHashMap<>();
    hello.put("hello", 1);
    hello.put("engine", engine);
    hello.put("version", version);
    hello.put("runtime", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    hello.put("heap", "managed");
    try (var memory = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      var library = query(memory, "SELECT sqlite_version()");
      hello.put("sqlite", Map.of("version", library, "source_id", query(memory, "SELECT sqlite_source_id()")));
    }
    hello.put("strategies", strategies.stream().flatMap(BatchmarkEngine::warmAndCold).toList());
    return hello;
  }

  /** Warms up if the request says so, then makes an engine. Its store is not open yet. */
  private static BatchmarkEngine made(JsonObject job, Supplier<BatchmarkEngine> make) throws Exception {
    JsonObject warmUp = job.getAsJsonObject("warm_up");
    if (warmUp != null) {
      for (JsonElement store : warmUp.getAsJsonArray("stores")) {
        var engine = make.get();
        engine.take(job, store.getAsString());
        engine.rowLimit = warmUp.get("rows").getAsInt();
        engine.open();
        engine.insert(1);
        engine.close();
      }
    }
    var engine = make.get();
    engine.take(job, text(job, "store"));
    return engine;
  }

  private void take(JsonObject job, String store) {
    this.job = job;
    this.store = store;
    strategy = text(job, "strategy").replace(COLD, "");
    insert = text(job, "insert");
    entity = job.getAsJsonArray("entities").get(0).getAsJsonObject();
  }

  private int rows;

  private Map<String, Object> answer(String request, JsonElement value) throws Exception {
    switch (request) {
      case "open":
        rows = open();
        Map<String, String> pragmas = new LinkedHashMap<>();
        for (JsonElement name : job.getAsJsonArray("answered_pragmas")) {
          String answer = query("PRAGMA " + name.getAsString());
          if (answer != null) pragmas.put(name.getAsString(), answer);
        }
        return Map.of("ready", pragmas);
      case "go":
        long start = System.nanoTime();
        insert(value.getAsJsonObject().get("first_key").getAsLong());
        return Map.of("done", Map.of("rows", rows, "seconds", (System.nanoTime() - start) / 1e9));
      case "checkpoint":
        if (!query("PRAGMA wal_checkpoint(TRUNCATE)").equals("0")) {
          throw new IllegalStateException("the checkpoint left frames in the WAL");
        }
        return Map.of("checkpointed", 1);
      case "close":
        close();
        return Map.of("closed", 1);
      default:
        throw new IllegalArgumentException("this program knows no request '" + request + "'");
    }
  }
}
