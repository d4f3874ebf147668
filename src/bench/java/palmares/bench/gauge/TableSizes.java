package palmares.bench.gauge;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How many bytes each table takes, with its indexes and partitions. */
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

  /** By how much each table has grown since then; those alone that have. */
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

  /** By how much that table has grown since then. */
  public long grownSince(TableSizes before, String name) {
    return grownSince(before).getOrDefault(name, 0L);
  }

  /** By how much all of them have grown since then. */
  public long allGrownSince(TableSizes before) {
    return grownSince(before).values().stream().mapToLong(Long::longValue).sum();
  }
}
