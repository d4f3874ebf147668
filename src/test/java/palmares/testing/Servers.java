package palmares.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.stream.ByteRecord;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamRecords;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveKeys;
import palmares.period.Period;

/** PostgreSQL and Redis themselves, past all of the application: to empty, break and tamper. */
public final class Servers implements AutoCloseable {
  private static final String ALL_ROWS =
      """
      select string_agg(
        format(
          $$select %L || t from %I t where to_jsonb(t) ->> 'is_refused' is distinct from 'true'$$,
          relname || ' ',
          relname),
        ' union all ')
      from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and relname !~ '^(qrtz|flyway|batch|node|session|relay)'
      """;

  private final JdbcClient jdbc;
  private final RedisConnectionFactory redis;
  private final TransactionTemplate transaction;
  private final TableCleaner cleaner;
  private final OwnerSession owner;

  public Servers(
      JdbcClient jdbc,
      RedisConnectionFactory redis,
      TransactionTemplate transaction,
      DataSource database) {
    this.jdbc = jdbc;
    this.redis = redis;
    this.transaction = transaction;
    this.cleaner = new TableCleaner(database);
    this.owner = new OwnerSession(database);
  }

  /** Empties both; only the migrations' own records and Quartz's stay. */
  void empty() {
    flush();
    cleaner.clean();
  }

  /** Forgets all that Redis holds, as a wiped server has. */
  public void flush() {
    redis(connection -> ran(() -> connection.serverCommands().flushAll()));
  }

  /** Registers a member with a nickname that is its id. */
  public void register(String member) {
    sql(
        """
        insert into member (
          id, external_hash, external_mask, nickname, invite_code, digest, registered_at)
        select id, id, '***', id, translate(
          upper(lpad(to_hex(abs(hashtext(id))), 8, '2')), '01EFILOU', '23456789'), '', '2026-11-01Z'
        from (select ?::text as id) as given
        on conflict do nothing
        """,
        member);
  }

  /**
   * Lets each command of a kind fail that creates or changes tables, until {@link #failNoMore}.
   *
   * @param command its tag: {@code CREATE TABLE}
   */
  public void failOn(String command) {
    sql(
        """
        create or replace function outage_of_tables() returns event_trigger language plpgsql as $$
        begin
          raise exception 'no room on the disk';
        end $$
        """);
    sql(
        """
        create event trigger outage on ddl_command_end
        when tag in ('%s') execute function outage_of_tables()
        """
            .formatted(command));
  }

  /** Ends what {@link #failOn} began. */
  public void failNoMore() {
    sql("drop event trigger outage");
    sql("drop function outage_of_tables()");
  }

  /** Does what no application may: neither triggers nor foreign keys look. */
  public void unguarded(Runnable work) {
    transaction.executeWithoutResult(
        status -> {
          disarm();
          work.run();
          sql("set local session_replication_role = origin");
          sql(Guards.ON);
        });
  }

  /**
   * Adds a long history: periods of the board 'settled', one an hour, with the rules of another.
   */
  public void addSettled(Period like, int count) {
    unguarded(
        () ->
            sql(
                """
                insert into period (
                  board, name, starts_at, ends_at, closes_at, definition_hash, state, opened_at,
                  expires_at, sealed_at, sealed_members, sealed_points, sealed_events, settled_at)
                select 'settled', n::text, start, start + interval '1 hour',
                  start + interval '1 hour', definition_hash, 'settled', start, start, start, 0, 0,
                  0, start
                from period
                cross join generate_series(1, ?) as n
                cross join lateral (
                  select timestamptz '2020-01-01' + n * interval '1 hour') t (start)
                where id = ?
                """,
                count,
                like.id().value()));
  }

  /** Returns what tampering does, then takes it back. */
  public <T> T tampered(String sql, Supplier<T> look) {
    return owner.rolledBack(
        () -> {
          sql(Guards.OFF);
          int rows = sql(sql);
          if (rows == 0) {
            throw new AssertionError("nothing to tamper with: " + sql);
          }
          return look.get();
        });
  }

  /** As only the owner of the tables can, until the transaction ends. */
  public void disarm() {
    sql("set local session_replication_role = replica");
    sql(Guards.OFF);
  }

  /** Runs a statement, and returns how many rows it changed. */
  public int sql(String sql, @Nullable Object... parameters) {
    return jdbc.sql(sql).params(parameters).update();
  }

  public <T> T redis(Function<RedisConnection, T> work) {
    try (RedisConnection connection = redis.getConnection()) {
      return work.apply(connection);
    }
  }

  /** Runs work while Redis refuses all live boards but one, as those of a node that is down. */
  public void reachingOnly(Period period, Runnable work) {
    limitKeys("resetkeys", "~" + LiveKeys.of(period).name("*"));
    try {
      work.run();
    } finally {
      limitKeys("allkeys");
    }
  }

  private void limitKeys(String... rules) {
    redis(
        connection ->
            connection.execute(
                "ACL",
                Stream.concat(Stream.of("SETUSER", "default"), Stream.of(rules))
                    .map(String::getBytes)
                    .toArray(byte[][]::new)));
  }

  /** Takes one event out of a live journal, by its number; all others get entries of their own. */
  public void forgetEntry(Period period, long seq) {
    byte[] journal = LiveKeys.of(period).name("journal").getBytes();
    redis(
        connection -> {
          var stream = connection.streamCommands();
          var entries = Objects.requireNonNull(stream.xRange(journal, Range.unbounded()));
          connection.keyCommands().del(journal);
          for (ByteRecord entry : entries) {
            byte[] field = entry.getValue().keySet().iterator().next();
            String[] events = new String(entry.getValue().get(field), ISO_8859_1).split("\036");
            long first = Objects.requireNonNull(entry.getId().getTimestamp()) - events.length + 1;
            for (int i = 0; i < events.length; i++) {
              if (first + i != seq) {
                stream.xAdd(
                    StreamRecords.rawBytes(Map.of(field, events[i].getBytes(ISO_8859_1)))
                        .withStreamKey(journal)
                        .withId(
                            RecordId.of(
                                first + i, Objects.requireNonNull(entry.getId().getSequence()))));
              }
            }
          }
          return true;
        });
  }

  /**
   * All rows and all keys, without what a server does without a call, the answers that are kept,
   * and the tasks of refused decisions, for those who wait for them.
   */
  public List<String> content() {
    var content = new ArrayList<>(rows());
    content.addAll(keys());
    content.sort(null);
    return content;
  }

  /** The rows of {@link #content}, in order. */
  public List<String> rows() {
    var rows = new ArrayList<String>();
    rows.addAll(
        jdbc.sql(jdbc.sql(ALL_ROWS).query(String.class).single()).query(String.class).list());
    rows.sort(null);
    return rows;
  }

  /** The keys of {@link #content}, in order, with a hash of their values. */
  public List<String> keys() {
    return redis(
        connection -> {
          var keys = new ArrayList<String>();
          for (byte[] key : Objects.requireNonNull(connection.keyCommands().keys("*".getBytes()))) {
            String name = new String(key, ISO_8859_1);
            if (!name.startsWith("palmares:answer:")) {
              keys.add(name + " " + Arrays.hashCode(connection.keyCommands().dump(key)));
            }
          }
          keys.sort(null);
          return keys;
        });
  }

  /** Ends the sessions of the owner of the tables. */
  @Override
  public void close() throws SQLException {
    cleaner.close();
    owner.close();
  }

  private static boolean ran(Runnable work) {
    work.run();
    return true;
  }
}
