package palmares.bench.gauge;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The bytes of each table, with its indexes and partitions. */
public record TableSizes(Map<String, Long> bytes) {

  public static TableSizes now(JdbcClient jdbc) {
    var bytes = new LinkedHashMap<String, Long>();
    jdbc.sql(
            """
            select
              coalesce(pg_partition_root(oid), oid)::regclass::text as name,
              sum(pg_total_relation_size(oid)) as bytes
            from pg_class
            where relkind = 'r' and relnamespace = current_schema()::regnamespace
            group by 1
            order by 1
            """)
        .query(
            row -> {
              bytes.put(row.getString("name"), row.getLong("bytes"));
            });
    return new TableSizes(bytes);
  }

  /** The growth of each table that has grown. */
  public Map<String, Long> grownSince(TableSizes before) {
    var grown = new LinkedHashMap<String, Long>();
    bytes.forEach(
        (name, now) -> {
          long by = now - before.bytes().getOrDefault(name, 0L);
          if (by > 0) {
            grown.put(name, by);
          }
        });
    return grown;
  }

  /** The growth of one table. */
  public long grownSince(TableSizes before, String name) {
    return grownSince(before).getOrDefault(name, 0L);
  }

  /** The growth of all tables. */
  public long allGrownSince(TableSizes before) {
    return grownSince(before).values().stream().mapToLong(Long::longValue).sum();
  }
}
