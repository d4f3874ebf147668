package palmares.settlement.outbox;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** The one order of all that there is to tell: each fact, and behind it its transfers. */
@Component
class Facts {
  /** Keeps its lock apart from whatever else may be locked by number. */
  private static final int LOCK = 0x66616374;

  /** Rows that are deleted by one statement. */
  private static final int SLICE = 1_000;

  private final JdbcClient jdbc;
  private final FactData data;

  Facts(JdbcClient jdbc, FactData data) {
    this.jdbc = jdbc;
    this.data = data;
  }

  /** A fact's row; its own part and its transfers' are counted together. */
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
   * Gives numbers to the facts that have been committed since. One that commits later comes later,
   * whenever its transaction began: whoever has been told all up to a number misses nothing.
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

  /** How many parts there are behind the position, but no more than so many. */
  int count(Position from, int most) {
    long parts = rows(from, most).stream().mapToLong(Row::parts).sum() - from.parts();
    return (int) Math.min(most, Math.max(0, parts));
  }

  /**
   * The parts behind the position; so many of them are there.
   *
   * @throws IllegalStateException if they are not: somebody changed the tables
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
          "%d of %d facts are there behind %s".formatted(facts.size(), count, from));
    }
    return new FactBatch("facts_%d_%d_%d".formatted(from.fact(), from.parts(), count), facts, at);
  }

  /** Adds what there is room for; returns the position behind it. */
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
            "%d of %d transfers of %s %s revision %d are stored behind %s"
                .formatted(
                    page.size(), expected, row.board(), row.period(), row.revision(), after));
      }
      page.forEach(part -> facts.add(part.fact()));
      parts += expected;
      after = page.get(expected - 1).key();
    }
    return parts >= row.parts() ? Position.behind(row.n()) : new Position(at.fact(), parts, after);
  }

  private List<Row> rows(Position from, int most) {
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
            limit :most
            """)
        .param("from", from.fact())
        .param("most", most)
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

  /**
   * Deletes facts that happened before a time and that every target has been told, slice by slice;
   * where there is no target, none waits for them.
   */
  int prune(Instant before) {
    int all = 0;
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
              .param("slice", SLICE)
              .update();
      all += deleted;
    } while (deleted == SLICE);
    return all;
  }
}
