// EclipseLink: persist for each object of an entity manager, with or without batch writing. It only stores the entity
// of languages.yml.
//
// https://eclipse.dev/eclipselink/documentation/2.7/jpa/extensions/persistenceproperties_ref.htm#jdbccachestatements
// https://eclipse.dev/eclipselink/documentation/2.7/jpa/extensions/persistenceproperties_ref.htm#jdbcbatchwriting
// https://wiki.eclipse.org/EclipseLink/UserGuide/JPA/Advanced_JPA_Development/Performance/Weaving/Dynamic_Weaving

import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.persistence.Column;
import javax.persistence.Entity;
import javax.persistence.EntityManagerFactory;
import javax.persistence.Id;
import javax.persistence.Persistence;
import javax.persistence.Table;

public final class EclipseLinkEngine extends BatchmarkEngine {
  @Entity
  @Table(name = "ZQUAKE")
  public static class Quake {
    @Id @Column(name = "Z_PK") long key;
    @Column(name = "Z_ENT") int entity = 1;
    @Column(name = "Z_OPT") int version = 1;
    @Column(name = "ZCODE") String code;
    @Column(name = "ZMAGNITUDE") Double magnitude;
    @Column(name = "ZPLACE") String place;
    @Column(name = "ZTIME") double time;
  }

  private List<Object[]> rows;
  private EntityManagerFactory factory;

  @Override
  protected int open() throws Exception {
    if (!text(entity, "table").equals("ZQUAKE")) throw new IllegalArgumentException("this stores Quake alone");
    rows = heldRows();
    Map<String, Object> options = new HashMap<>();
    options.put("javax.persistence.jdbc.driver", "org.sqlite.JDBC");
    options.put("javax.persistence.jdbc.url", address(store));
    // A store can only have one writer.
    for (var bound : List.of("initial", "min", "max")) options.put("eclipselink.connection-pool.default." + bound, "1");
    options.put("eclipselink.jdbc.cache-statements", "true");
    options.put("eclipselink.logging.level", "OFF");
    if (strategy.equals("batch")) {
      options.put("eclipselink.jdbc.batch-writing", "JDBC");
      options.put("eclipselink.jdbc.batch-writing.size", String.valueOf(number("request_size", rows.size())));
    }
    factory = Persistence.createEntityManagerFactory("batchmark", options);
    onConnection(connection -> { setPragmas(connection); writeFirst(connection); return null; });
    return rows.size();
  }

  private interface Work { String of(Connection connection) throws Exception; }

  /** Runs code with the pool's only connection, outside of transactions. */
  private String onConnection(Work work) throws Exception {
    var manager = factory.createEntityManager();
    manager.getTransaction().begin();
    var connection = manager.unwrap(Connection.class);
    connection.setAutoCommit(true);
    var answer = work.of(connection);
    connection.setAutoCommit(false);
    manager.getTransaction().commit();
    manager.close();
    return answer;
  }

  @Override
  protected String query(String sql) throws Exception { return onConnection(connection -> query(connection, sql)); }

  @Override
  protected void insert(long key) {
    int step = number("save_every", rows.size());
    for (int start = 0; start < rows.size(); start += step) {
      var manager = factory.createEntityManager();
      manager.getTransaction().begin();
      for (Object[] row : rows.subList(start, Math.min(start + step, rows.size()))) {
        var quake = new Quake();
        quake.key = key++;
        quake.code = (String) row[0];
        quake.magnitude = (Double) row[1];
        quake.place = (String) row[2];
        quake.time = (Double) row[3];
        manager.persist(quake);
      }
      manager.getTransaction().commit();
      manager.close();
    }
  }

  @Override
  protected void close() { factory.close(); }

  /** Restricts a strategy to the only entity that this program has a class for. */
  private static Map<String, Object> ofQuake(Map<String, Object> strategy) {
    strategy.put("entities", List.of("Quake"));
    return strategy;
  }

  public static void main(String[] arguments) throws Exception {
    serve("EclipseLink", org.eclipse.persistence.Version.getVersion(), EclipseLinkEngine::new, List.of(
        ofQuake(strategy("save", "object_by_object", "EclipseLink: persist for each object",
            List.of("no upsert"), Map.of("save_every", "all"))),
        ofQuake(strategy("batch", "batch_array", "EclipseLink: persist for each object, with batch writing",
            List.of("no upsert"), Map.of("save_every", "all", "request_size", 100)))));
  }
}
