package palmares.settlement.outbox;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.settlement.outbox.FactBatch.Position;
import palmares.settlement.outbox.FactBatch.TransferKey;

/** Reads facts in their one order; each fact is followed by its transfers. */
@Component
class Facts {
  /** The number of the advisory lock under which facts get their numbers. */
  private static final int LOCK = 0x66616374;

  private static final int MAX_ROWS_PER_STATEMENT = 1_000;

  private final JdbcClient jdbc;
  private final FactData data;

  Facts(JdbcClient jdbc, FactData data) {
    this.jdbc = jdbc;
    this.data = data;
  }

  /**
   * Is a fact's row.
   *
   * @param parts the fact and its transfers
   */
  record Row(
      long n,
      String type,
      Instant at,
      String board,
      String period,
      int revision,
      int outcome,
      long parts) {}

  /**
   * Gives numbers to the facts that have been committed since. A fact that commits later gets a
   * higher number, so that a target that has all facts up to a number has missed none.
   */
  @Transactional
  void number() {
    boolean waiting =
        jdbc.sql("select exists (select from fact where n is null)").query(Boolean.class).single();
    if (!waiting) {
      return;
    }
    jdbc.sql("select pg_advisory_xact_lock(:lock)").param("lock", LOCK).query(row -> {});
    jdbc.sql(
            """
            update fact
            set n = numbered.n, transfers = numbered.transfers
            from (
              select nextval('fact_number') as n, waiting.*
              from (
                select fact.id, coalesce(revision.payments, 0) as transfers
                from fact
                left join revision using (period_id, revision)
                where n is null
                order by fact.id
              ) waiting
            ) numbered
            where fact.id = numbered.id and fact.n is null
            """)
        .update();
  }

  /** The number of the last fact; 0 if there is none. */
  long last() {
    return jdbc.sql("select coalesce(max(n), 0) from fact").query(Long.class).single();
  }

  /** Counts the parts behind the position, up to a limit. */
  int count(Position from, int limit) {
    long parts = rows(from, limit).stream().mapToLong(Row::parts).sum() - from.parts();
    return (int) Math.min(limit, Math.max(0, parts));
  }

  /**
   * Reads this many parts behind the position.
   *
   * @throws IllegalStateException if there are fewer, because somebody has changed the tables
   */
  FactBatch read(Position from, int count) {
    var facts = new ArrayList<Fact>(count);
    Position at = from;
    for (Row row : rows(from, count)) {
      if (facts.size() < count) {
        at = add(facts, row, at, count);
      }
    }
    if (facts.size() != count) {
      throw new IllegalStateException(
          "only %d of %d facts are stored behind %s".formatted(facts.size(), count, from));
    }
    return new FactBatch("facts_%d_%d_%d".formatted(from.fact(), from.parts(), count), facts, at);
  }

  /** Adds parts of a fact until the batch is full; returns the position behind them. */
  private Position add(List<Fact> facts, Row row, Position at, int count) {
    long parts = at.parts();
    TransferKey after = at.after();
    if (parts == 0) {
      facts.add(data.of(row));
      parts = 1;
    }
    int expected = (int) Math.min(row.parts() - parts, count - facts.size());
    if (expected > 0) {
      var page = data.transfers(row, after, expected);
      if (page.size() != expected) {
        throw new IllegalStateException(
            "only %d of %d transfers of %s %s revision %d are stored behind %s"
                .formatted(
                    page.size(), expected, row.board(), row.period(), row.revision(), after));
      }
      page.forEach(part -> facts.add(part.fact()));
      parts += expected;
      after = page.get(expected - 1).key();
    }
    return parts >= row.parts() ? Position.behind(row.n()) : new Position(at.fact(), parts, after);
  }

  private List<Row> rows(Position from, int limit) {
    return jdbc.sql(
            """
            select
              n, type, at, period.board, period.name as period, fact.revision,
              revision.id as outcome, 1 + fact.transfers as parts
            from fact
            join revision using (period_id, revision)
            join period on period.id = fact.period_id
            where fact.n > :from
            order by fact.n
            limit :limit
            """)
        .param("from", from.fact())
        .param("limit", limit)
        .query(
            (row, i) ->
                new Row(
                    row.getLong("n"),
                    row.getString("type"),
                    row.getObject("at", OffsetDateTime.class).toInstant(),
                    row.getString("board"),
                    row.getString("period"),
                    row.getInt("revision"),
                    row.getInt("outcome"),
                    row.getLong("parts")))
        .list();
  }

  /** Deletes the facts before a time that every target has, in slices. */
  void prune(Instant before) {
    int deleted;
    do {
      deleted =
          jdbc.sql(
                  """
                  delete from fact
                  where id in (
                    select id
                    from fact
                    where at < :before
                      and not exists (
                        select from outbox_target target
                        where fact.n is null or fact.n > target.fact)
                    order by id
                    limit :slice)
                  """)
              .param("before", before.atOffset(ZoneOffset.UTC))
              .param("slice", MAX_ROWS_PER_STATEMENT)
              .update();
    } while (deleted == MAX_ROWS_PER_STATEMENT);
  }
}
