// sqlite-jdbc: a prepared statement that is executed for each row, or JDBC's batches.
//
// https://docs.oracle.com/javase/tutorial/jdbc/basics/prepared.html
// https://docs.oracle.com/javase/tutorial/jdbc/basics/retrieving.html#batch_updates
// https://github.com/xerial/sqlite-jdbc/blob/master/USAGE.md

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Map;

public final class XerialEngine extends BatchmarkEngine {
  private List<Object[]> rows;
  private Connection connection;
  private PreparedStatement statement;

  @Override
  protected int open() throws Exception {
    rows = heldRows();
    connection = DriverManager.getConnection(address(store));
    setPragmas(connection);
    writeFirst(connection);
    connection.setAutoCommit(false);
    statement = connection.prepareStatement(insert);
    return rows.size();
  }

  @Override
  protected String query(String sql) throws Exception {
    connection.setAutoCommit(true);
    var answer = query(connection, sql);
    connection.setAutoCommit(false);
    return answer;
  }

  @Override
  protected void insert(long key) throws Exception {
    int step = number("save_every", rows.size());
    for (int start = 0; start < rows.size(); start += step) {
      for (Object[] row : rows.subList(start, Math.min(start + step, rows.size()))) {
        statement.setLong(1, key++);
        for (int column = 0; column < row.length; column++) statement.setObject(column + 2, row[column]);
        if (strategy.equals("save")) statement.executeUpdate();
        else statement.addBatch();
      }
      if (strategy.equals("batch")) statement.executeBatch();
      connection.commit();
    }
  }

  @Override
  protected void close() throws Exception {
    statement.close();
    connection.close();
  }

  public static void main(String[] arguments) throws Exception {
    var givesUp = List.of("no model", "no objects", "SQL by hand");
    Map<String, Object> all = Map.of("save_every", "all");
    serve("sqlite-jdbc", org.sqlite.SQLiteJDBCLoader.getVersion(), XerialEngine::new, List.of(
        strategy("save", "object_by_object", "JDBC: executeUpdate for each row", givesUp, all),
        strategy("batch", "batch_array", "JDBC: addBatch for each row, executeBatch for each save", givesUp, all)));
  }
}
