package palmares.crash;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Measures the servers and stores of a soak once a minute. */
final class SoakMeasures {
  /** How many statements are followed, of those that servers make in each minute. */
  private static final int STATEMENTS = 10;

  /** In which share of the minutes a statement was made that is followed. */
  private static final double MOST = 0.8;

  /** Tables whose rows an archive deletes, so that they stay as large as they are. */
  private static final List<String> BOUNDED = List.of("event", "committed_event");

  private static final String BYTES_OF = "bytes of table ";

  private static final String CALLED =
      """
      select queryid, regexp_replace(left(query, 400), '\\s+', ' ', 'g') as text, calls,
        (total_plan_time + total_exec_time) * 1000 / calls as micros,
        (shared_blks_hit + shared_blks_read)::float8 / calls as blocks
      from soak.pg_stat_statements
      join pg_roles on pg_roles.oid = userid
      where calls > 0 and query ~* '^\\s*(select|insert|update|delete|with)' and query !~ 'soak'
      """;

  private final SoakWorld world;
  private final SoakFigures figures;
  private final Map<Long, TreeMap<Double, Called>> called = new TreeMap<>();
  private int measured;

  /** What one statement took in one minute, each time. */
  private record Called(long queryid, String text, long calls, double micros, double blocks) {}

  SoakMeasures(SoakWorld world, SoakFigures figures) {
    this.world = world;
    this.figures = figures;
  }

  /**
   * Measures all.
   *
   * @param closing how long the last closing took, in seconds
   */
  void measure(double minute, double closing) {
    measured++;
    for (int i = 0; i < SoakWorld.SERVERS; i++) {
      String[] values = world.ask(i, "measure").split("\t");
      int life = world.starts(i);
      figures.add(minute, "heap of server " + i, life, Double.parseDouble(values[0]));
      figures.add(minute, "threads of server " + i, life, Double.parseDouble(values[1]));
      figures.add(minute, "files of server " + i, life, Double.parseDouble(values[2]));
    }
    String memory = world.redisConnection().sync().info("memory");
    int redisLife = world.redis().restarts();
    figures.add(
        minute,
        "Redis memory",
        redisLife,
        Double.parseDouble(memory.replaceAll("(?s).*\\bused_memory:(\\d+).*", "$1")));
    figures.add(minute, "Redis keys", redisLife, world.redisConnection().sync().dbsize());
    figures.add(
        minute,
        "connections",
        world.postgres().restarts(),
        number("select count(*) from pg_stat_activity where backend_type = 'client backend'"));
    figures.add(minute, "seconds of a closing", 0, closing);
    measureTables(minute);
    measureStatements(minute);
  }

  /** Whether the figure must not grow; a table of history may, as what all take for a period. */
  static boolean mustStay(String figure) {
    return !figure.startsWith(BYTES_OF) || BOUNDED.contains(figure.substring(BYTES_OF.length()));
  }

  private void measureTables(double minute) {
    double settled = number("select count(*) from period where settled_at is not null");
    if (settled == 0) {
      return;
    }
    double all = 0;
    for (Map.Entry<String, Double> table : tables().entrySet()) {
      all += table.getValue();
      figures.add(minute, BYTES_OF + table.getKey(), 0, table.getValue());
    }
    figures.add(minute, "bytes of all tables for each settled period", 0, all / settled);
    figures.add(
        minute,
        "tables for each settled period",
        0,
        number("select count(*) from pg_class where relkind = 'r'") / settled);
  }

  /** Bytes with indexes, by table; own tables of outcomes are one. */
  private Map<String, Double> tables() {
    return world
        .jdbc()
        .sql(
            """
            select
              regexp_replace(relname, '\\d+', 'N') as name,
              pg_total_relation_size(pg_class.oid) as bytes
            from pg_class
            join pg_namespace on pg_namespace.oid = relnamespace
            where relkind = 'r' and nspname = 'palmares'
            """)
        .query((row, n) -> Map.entry(row.getString(1), row.getDouble(2)))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Double::sum));
  }

  /** All calls of the minute, and what each statement took. */
  private void measureStatements(double minute) {
    List<Called> all = world.jdbc().sql(CALLED).query(Called.class).list();
    double yardstick = yardstick();
    figures.add(minute, "microseconds of a yardstick", 0, yardstick);
    double micros = all.stream().mapToDouble(each -> each.micros() * each.calls()).sum();
    double blocks = all.stream().mapToDouble(each -> each.blocks() * each.calls()).sum();
    figures.add(minute, "yardsticks of all statements", 0, micros / yardstick);
    figures.add(minute, "blocks of all statements", 0, blocks);
    for (Called each : all) {
      called
          .computeIfAbsent(each.queryid(), none -> new TreeMap<>())
          .put(
              minute,
              new Called(
                  each.queryid(),
                  each.text(),
                  each.calls(),
                  each.micros() / yardstick,
                  each.blocks()));
    }
    world.jdbc().sql("select soak.pg_stat_statements_reset()::text").query(String.class).single();
  }

  /** What a computation takes that only depends on the machine, and on who else uses it. */
  private double yardstick() {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long begin = System.nanoTime();
      number("select sum(n) / 1000000 from generate_series(1, 50000) n where 'soak' <> ''");
      least = Math.min(least, (System.nanoTime() - begin) / 1_000.0);
    }
    return least;
  }

  private double number(String sql) {
    return world.jdbc().sql(sql).query(Double.class).single();
  }

  /** Adds the figures of the statements on which PostgreSQL spent most, of those of each minute. */
  void addStatements() {
    called.values().stream()
        .filter(minutes -> minutes.size() >= MOST * measured)
        .sorted(Comparator.comparing(minutes -> -spent(minutes)))
        .limit(STATEMENTS)
        .forEach(
            minutes ->
                minutes.forEach(
                    (minute, each) -> {
                      figures.add(minute, "yardsticks of " + each.text(), 0, each.micros());
                      figures.add(minute, "blocks of " + each.text(), 0, each.blocks());
                    }));
  }

  private static double spent(TreeMap<Double, Called> minutes) {
    return minutes.values().stream().mapToDouble(each -> each.micros() * each.calls()).sum();
  }
}
