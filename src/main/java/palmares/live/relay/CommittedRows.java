package palmares.live.relay;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.Decision;
import palmares.live.board.Verdict;
import palmares.live.relay.NumberedEvent.Key;
import palmares.live.relay.NumberedEvent.Place;

/** The table of committed events: rows in, and found again by what makes events one. */
@Component
class CommittedRows {
  private static final String INSERT =
      """
      insert into committed_event (
        period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
        occurred_at, committed_at)
      select
        period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
        occurred_at::timestamptz, :now
      from unnest(
        :periods::bigint[], :numbers::bigint[], :ids::text[], :members::text[], :actions::text[],
        :subjects::text[], :undos::boolean[], :quantities::bigint[], :worths::bigint[],
        :values::bigint[], :thens::bigint[], :digests::text[], :times::text[])
        as given (
          period_id, n, id, member, action, subject, undo, quantity, worth, value, then_by, digest,
          occurred_at)
      order by period_id, n
      on conflict (period_id, id) do nothing
      returning period_id, n
      """;

  private static final String FIND =
      """
      select period_id, id, digest, occurred_at, outcome, points, total
      from unnest(:periods::bigint[], :ids::text[]) as asked (period_id, id)
      join committed_event using (period_id, id)
      """;

  private final JdbcClient jdbc;

  CommittedRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What is kept of an event.
   *
   * @param outcome null until the relay has brought it to its live board
   */
  record Kept(
      String digest, Instant occurredAt, @Nullable Verdict outcome, long points, long total) {

    /** For whom it was written by, or for who repeats it. */
    Decision decision(boolean repeated) {
      if (outcome == null) {
        return new Decision(Verdict.ACCEPTED, 0, 0, occurredAt, null);
      }
      return repeated
          ? new Decision(Verdict.DUPLICATE, points, total, occurredAt, outcome)
          : new Decision(outcome, points, total, occurredAt, null);
    }
  }

  /** Writes what is new, and tells which rows it wrote. */
  Set<Place> insert(List<NumberedEvent> rows, Instant now) {
    if (rows.isEmpty()) {
      return Set.of();
    }
    var inserted = new HashSet<Place>();
    jdbc.sql(INSERT)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("periods", longs(rows, NumberedEvent::period))
        .param("numbers", longs(rows, NumberedEvent::n))
        .param("ids", texts(rows, row -> row.change().id()))
        .param("members", texts(rows, row -> row.change().member().value()))
        .param("actions", texts(rows, row -> row.change().action().name()))
        .param("subjects", texts(rows, row -> row.change().subject()))
        .param("undos", rows.stream().map(row -> row.change().undo()).toArray(Boolean[]::new))
        .param("quantities", longs(rows, row -> row.change().quantity()))
        .param("worths", longs(rows, row -> row.change().worth().points()))
        .param("values", longs(rows, row -> row.change().worth().value()))
        .param("thens", longs(rows, row -> row.change().worth().thenBy()))
        .param("digests", texts(rows, row -> row.change().digest()))
        .param("times", texts(rows, CommittedRows::time))
        .query(
            row -> {
              inserted.add(new Place(row.getLong("period_id"), row.getLong("n")));
            });
    return inserted;
  }

  Map<Key, Kept> find(Collection<Key> keys) {
    if (keys.isEmpty()) {
      return Map.of();
    }
    var found = new HashMap<Key, Kept>();
    jdbc.sql(FIND)
        .param("periods", keys.stream().map(Key::period).toArray(Long[]::new))
        .param("ids", keys.stream().map(Key::id).toArray(String[]::new))
        .query(
            row -> {
              found.put(new Key(row.getLong("period_id"), row.getString("id")), kept(row));
            });
    return found;
  }

  private static Kept kept(ResultSet row) throws SQLException {
    String outcome = row.getString("outcome");
    return new Kept(
        row.getString("digest"),
        row.getObject("occurred_at", OffsetDateTime.class).toInstant(),
        outcome == null ? null : Verdict.of(outcome),
        row.getLong("points"),
        row.getLong("total"));
  }

  /** In whole microseconds, as Redis has it: PostgreSQL would round. */
  private static String time(NumberedEvent row) {
    return Objects.requireNonNull(row.change().occurredAt())
        .truncatedTo(ChronoUnit.MICROS)
        .toString();
  }

  private static Long[] longs(
      List<NumberedEvent> rows, Function<NumberedEvent, @Nullable Long> column) {
    return rows.stream().map(column).toArray(Long[]::new);
  }

  private static String[] texts(
      List<NumberedEvent> rows, Function<NumberedEvent, @Nullable String> column) {
    return rows.stream().map(column).toArray(String[]::new);
  }
}
