package palmares.settlement.outbox;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.rules.board.Sha256;
import palmares.settlement.outbox.FactBatch.Position;
import palmares.settlement.outbox.FactBatch.TransferKey;
import palmares.settlement.wallet.Resend;

/** Reads facts in their one order; each fact is followed by its transfers. */
@Component
public class Facts {
  /** The number of the advisory lock under which facts get their numbers. */
  private static final int ADVISORY_LOCK_ID = 0x66616374;

  private static final int MAX_ROWS_PER_STATEMENT = 1_000;

  /**
   * Of facts about ranks, of which there may be hundreds a second, and which are news for a day.
   */
  private static final Duration MAX_RANK_RETENTION = Duration.ofDays(7);

  /** Of the hash in the id of a batch. */
  private static final int ID_DIGITS = 32;

  private final JdbcClient jdbc;
  private final FactData data;

  Facts(JdbcClient jdbc, FactData data) {
    this.jdbc = jdbc;
    this.data = data;
  }

  /**
   * Gives numbers to the facts that have been committed since. A fact that commits later gets a
   * higher number, so that a target that has all facts up to a number has missed none.
   */
  @Transactional
  public void number() {
    boolean waiting =
        jdbc.sql("select exists (select from fact where n is null)").query(Boolean.class).single();
    if (!waiting) {
      return;
    }
    jdbc.sql("select pg_advisory_xact_lock(:lock)")
        .param("lock", ADVISORY_LOCK_ID)
        .query(row -> {});
    jdbc.sql(
            """
            with numbered as materialized ( -- A subquery may be read again for each row.
              select nextval('fact_number') as n, waiting.*
              from (
                select fact.id, coalesce(revision.payments, 0) as transfers
                from fact
                left join period
                  on period.board = fact.board
                  and period.name = fact.period
                  and fact.revision is not null
                left join revision
                  on revision.period_id = period.id and revision.revision = fact.revision
                where n is null
                order by fact.id
              ) waiting
            )
            update fact
            set n = numbered.n, transfers = numbered.transfers
            from numbered
            where fact.id = numbered.id and fact.n is null
            """)
        .update();
  }

  /** The number of the last fact that has one; 0 if there is none. */
  public long last() {
    return jdbc.sql("select coalesce(max(n), 0) from fact").query(Long.class).single();
  }

  /** Counts the wanted parts behind the position and up to a fact, up to a limit. */
  int count(Position from, long last, Subscription wanted, int limit) {
    long parts =
        rows(from, last, wanted, limit).stream().mapToLong(FactData.Row::parts).sum()
            - from.parts();
    return (int) Math.min(limit, Math.max(0, parts));
  }

  /**
   * Reads this many wanted parts behind the position.
   *
   * @throws IllegalStateException if there are fewer, because somebody has changed the tables
   */
  FactBatch read(Position from, Subscription wanted, int count) {
    var facts = new ArrayList<Fact>(count);
    Position at = from;
    List<FactData.Row> rows = rows(from, Long.MAX_VALUE, wanted, count);
    for (FactData.Row row : rows) {
      if (facts.size() < count) {
        at = add(facts, row, at, count);
      }
    }
    if (facts.size() != count) {
      throw new IllegalStateException(
          "only %d of %d facts are stored behind %s".formatted(facts.size(), count, from));
    }
    return new FactBatch(id(names(facts)), facts, rows.get(0).traceparent(), at);
  }

  /**
   * Makes a batch of awards that are sent again.
   *
   * @param resends all of one outcome
   * @param end the position of the target, which stays
   */
  FactBatch again(List<Resend> resends, Position end) {
    List<Fact> again =
        data.awards(
            resends.get(0).outcome(),
            resends.stream().map(Resend::rule).toList(),
            resends.stream().map(Resend::member).toList());
    // A receiver that knows batches by their ids drops one that has the id of an earlier one.
    String asked = resends.stream().map(one -> "resend " + one.id()).collect(joining("\n"));
    return new FactBatch(id(names(again) + "\n" + asked), again, null, end);
  }

  /**
   * Names a batch by what is in it. Positions would not do: once the database is restored to an
   * earlier time, other facts get the same numbers.
   */
  private static String id(String names) {
    return "facts_" + Sha256.of(names).substring(0, ID_DIGITS);
  }

  private static String names(List<Fact> facts) {
    return facts.stream().map(fact -> fact.id() + " " + fact.time()).collect(joining("\n"));
  }

  /** Adds parts of a fact until the batch is full; returns the position behind them. */
  private Position add(List<Fact> facts, FactData.Row row, Position at, int count) {
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
            "only %d of %d transfers of %s are stored behind %s"
                .formatted(page.size(), expected, row.id(), after));
      }
      page.forEach(part -> facts.add(part.fact()));
      parts += expected;
      after = page.get(expected - 1).key();
    }
    return parts >= row.parts() ? Position.behind(row.n()) : new Position(at.fact(), parts, after);
  }

  private List<FactData.Row> rows(Position from, long last, Subscription wanted, int limit) {
    return jdbc.sql(
            """
            select
              n, type, subject, at, fact.board, fact.period, fact.revision,
              revision.id as outcome, data, traceparent,
              1 + case when :transfers then fact.transfers else 0 end as parts, fact.transfers
            from fact
            left join period
              on period.board = fact.board
              and period.name = fact.period
              and fact.revision is not null
            left join revision
              on revision.period_id = period.id and revision.revision = fact.revision
            where fact.n > :from and fact.n <= :last and type = any(:types)
            order by fact.n
            limit :limit
            """)
        .param("transfers", wanted.hasTransfers())
        .param("types", wanted.types())
        .param("from", from.fact())
        .param("last", last)
        .param("limit", limit)
        .query(FactData.Row.class)
        .list();
  }

  /**
   * Deletes the facts past their retention that every target and a digest have had, in slices. A
   * parked target loses facts about ranks, but none of the batch that it will be sent again.
   *
   * @param retention of all facts; those about ranks are kept for a week at most
   */
  void prune(Duration retention, Instant now) {
    Duration ofRanks = retention.compareTo(MAX_RANK_RETENTION) < 0 ? retention : MAX_RANK_RETENTION;
    Optional<Long> after = Optional.of(0L);
    while (after.isPresent()) {
      after = pruneSlice(after.get(), now.minus(retention), now.minus(ofRanks));
    }
  }

  /** Deletes a slice behind a fact, and returns its last one; empty if there are no more. */
  private Optional<Long> pruneSlice(long after, Instant before, Instant ranksBefore) {
    List<Long> deleted =
        jdbc.sql(
                """
                with parked as materialized (
                  select name, coalesce((select max(n) from (
                    select n from fact
                    where n > target.fact and type = any(target.facts)
                    order by n
                    limit coalesce(target.batch, 0)) sent), 0) as batch_end
                  from outbox_target target
                  where parked_at is not null
                  for update skip locked -- One that is being retried is parked no more.
                )
                delete from fact
                where id in (
                  select id
                  from fact
                  where id > :after
                    and at < case when type like 'rank.%' then :ranks else :before end
                    and n <= (select max(fact) from digest)
                    and not exists (
                      select from outbox_target target
                      left join parked using (name)
                      where type = any(target.facts)
                        and (fact.n is null or fact.n > target.fact)
                        and (type not like 'rank.%' or fact.n > batch_end is not true))
                  order by id
                  limit :slice)
                returning id
                """)
            .param("after", after)
            .param("before", before)
            .param("ranks", ranksBefore)
            .param("slice", MAX_ROWS_PER_STATEMENT)
            .query(Long.class)
            .list();
    return deleted.size() == MAX_ROWS_PER_STATEMENT
        ? deleted.stream().max(Long::compare)
        : Optional.empty();
  }
}
