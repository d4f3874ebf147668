package palmares.bench.write;

import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Figures;
import palmares.bench.gauge.TableSizes;
import palmares.operations.memory.RedisMemory;
import palmares.period.Period;

/** How many bytes an event takes, beside the line of its member. */
final class EventBytes {
  private static final int ALL = 0;
  private static final String UNIT = "B an event";

  private final RedisMemory memory;
  private final JdbcClient jdbc;
  private final Map<String, Double> redis = new HashMap<>();

  EventBytes(RedisMemory memory, JdbcClient jdbc) {
    this.memory = memory;
    this.jdbc = jdbc;
  }

  /** Looks at a live board of which PostgreSQL has nothing yet. */
  void look(Period period, long events) {
    redis.clear();
    memory.scan(
        ALL,
        key -> {
          if (period.name().equals(key.period())) {
            redis.merge(key.part(), (double) key.bytes() / events, Double::sum);
          }
        });
  }

  void tell(Figures figures) {
    figures.tell("journal_bytes_per_event", "Redis, until it is drained", part("journal"), UNIT);
    figures.tell("dedup_bytes_per_event", "Redis, until the board is dropped", part("ids"), UNIT);
    long events = jdbc.sql("select count(*) from event").query(Long.class).single();
    double bytes = TableSizes.now(jdbc).bytes().getOrDefault("event", 0L);
    figures.tell("postgres_bytes_per_event", "PostgreSQL, with its indexes", bytes / events, UNIT);
  }

  private double part(String name) {
    return redis.getOrDefault(name, 0.0);
  }
}
