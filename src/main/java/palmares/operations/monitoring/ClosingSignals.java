package palmares.operations.monitoring;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.time.ZoneOffsets;
import palmares.rules.board.BoardId;
import palmares.settlement.outcome.Revision;

/** Reads from PostgreSQL which closings have ended, and what outcomes cost. */
@Component
class ClosingSignals {
  private final JdbcClient jdbc;

  ClosingSignals(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  record Run(long id, String board, String outcome, double seconds) {
    boolean goesOn() {
      return outcome.equals("running");
    }
  }

  /** Finds the runs above a number, and those with these numbers. */
  List<Run> runs(long after, Collection<Long> numbers) {
    return jdbc.sql(
            """
            select run.id, board, outcome,
              coalesce(extract(epoch from ended_at - started_at), 0)::float8 as seconds
            from run
            join period on period.id = run.period_id
            where run.id > :after or run.id = any(:numbers)
            order by run.id
            """)
        .param("after", after)
        .param("numbers", numbers)
        .query(Run.class)
        .list();
  }

  /** Finds the highest number of the runs that began before a time; 0 if there is none. */
  long lastRunBefore(Instant time) {
    return jdbc.sql("select id from run where started_at < :time order by id desc limit 1")
        .param("time", time)
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /** Finds the runs that hold a lease. */
  List<Long> runningRuns() {
    return jdbc.sql(
            """
            select run.id
            from period
            join run on run.period_id = period.id and run.fence = period.fence
            where settled_at is null and lease_owner is not null and outcome = 'running'
            """)
        .query(Long.class)
        .list();
  }

  /** Finds the number of the last posted outcome in the chain of manifests; 0 if there is none. */
  long lastPosted() {
    return jdbc.sql("select coalesce(max(n), 0) from manifest_link").query(Long.class).single();
  }

  private record Posted(int id, long period, int revision, String board) {}

  record Credits(String board, String currency, long credits) {}

  /**
   * Adds up what members got by outcomes whose numbers in the chain of manifests are above {@code
   * after} and up to {@code last}.
   */
  List<Credits> paid(long after, long last) {
    return jdbc
        .sql(
            """
            select id, period_id as period, revision, board from manifest_link
            join revision using (period_id, revision)
            where n > :after and n <= :last
            order by n
            """)
        .param("after", after)
        .param("last", last)
        .query(Posted.class)
        .list()
        .stream()
        .flatMap(posted -> paid(posted).stream())
        .toList();
  }

  /** The manifest of a closing has the sums; an amendment posts only differences. */
  private List<Credits> paid(Posted posted) {
    return posted.revision() == Revision.FIRST
        ? awards(posted.board(), posted.period(), Revision.FIRST)
        : payments(posted.board(), posted.id());
  }

  /** Reads the awards of a settled period from the manifest of a revision. */
  private List<Credits> awards(String board, long period, int revision) {
    return jdbc.sql(
            """
            select :board as board, currency, sum(amount)::bigint as credits
            from manifest
            cross join lateral manifest_sums(sums, 'awards-by-rule')
            where period_id = :period and revision = :revision
            group by currency
            """)
        .param("board", board)
        .param("period", period)
        .param("revision", revision)
        .query(Credits.class)
        .list();
  }

  /** Finds the boards of outcomes, by their numbers in the chain of manifests. */
  Set<String> posted(long after, long last) {
    return jdbc.sql(
            """
            select distinct board from manifest_link
            join revision using (period_id, revision)
            where n > :after and n <= :last
            """)
        .param("after", after)
        .param("last", last)
        .query(String.class)
        .set();
  }

  /**
   * Adds up the awards of an outcome, posted or not. It names the outcome as a value: with a
   * subquery, PostgreSQL would lock the tables of all outcomes.
   */
  List<Credits> payments(String board, int outcome) {
    return jdbc.sql(
            """
            select :board as board, currency, sum(amount)::bigint as credits
            from payment
            join prize using (outcome, rule)
            where payment.outcome = :outcome and prize.outcome = :outcome and purpose = 1
            group by currency
            """)
        .param("board", board)
        .param("outcome", outcome)
        .query(Credits.class)
        .list();
  }

  /** A period that is held or settled, its first outcome, and its revision in force. */
  record PricedPeriod(long id, int outcome, int revision, boolean held) {}

  /** Finds all held periods of a board; if none is held, the last that is settled. */
  List<PricedPeriod> pricedPeriods(BoardId board) {
    return jdbc.sql(
            """
            with held as (
              select period.id, revision.id as outcome, 1 as revision, true as held
              from period
              join revision on revision.period_id = period.id and revision.revision = 1
              where board = :board and settled_at is null and state = 'held'
            )
            select * from held
            union all
            (select period.id, revision.id, period.revision, false
              from period
              join revision on revision.period_id = period.id and revision.revision = 1
              where board = :board and is_settled(state)
                and not exists (select from held)
              order by starts_at desc
              limit 1)
            """)
        .param("board", board)
        .query(PricedPeriod.class)
        .list();
  }

  /** Reads the awards of a period, posted or not. */
  List<Credits> cost(BoardId board, PricedPeriod period) {
    return period.held()
        ? payments(board.value(), period.outcome())
        : awards(board.value(), period.id(), period.revision());
  }

  /**
   * Adds up the awards of the board's other settled periods that end in the same month. As periods
   * do not overlap, the first of them began no earlier than the last one before the month.
   */
  List<Credits> costOfMonthsOthers(BoardId board, PricedPeriod period, ZoneId zone) {
    return jdbc.sql(
            """
            select own.board, currency, sum(amount)::bigint as credits
            from period own
            join period other on other.board = own.board and other.id <> own.id
              and other.starts_at < own.ends_at + interval '32 days'
              and other.starts_at >= coalesce(
                (select max(starts_at) from period
                  where board = own.board and starts_at <= own.ends_at - interval '32 days'),
                '-infinity')
              and is_settled(other.state)
              and other.ends_at > own.ends_at - interval '32 days'
              and other.ends_at < own.ends_at + interval '32 days'
              and month_of(
                  other.starts_at, other.ends_at, :offsetsFrom::bigint[], :offsets::bigint[])
                = month_of(
                  own.starts_at, own.ends_at, :offsetsFrom::bigint[], :offsets::bigint[])
            join manifest on manifest.period_id = other.id and manifest.revision = other.revision
            cross join lateral manifest_sums(sums, 'awards-by-rule')
            where own.id = :period
            group by own.board, currency
            """)
        .params(ZoneOffsets.parameters(zone))
        .param("period", period.id())
        .query(Credits.class)
        .list();
  }
}
