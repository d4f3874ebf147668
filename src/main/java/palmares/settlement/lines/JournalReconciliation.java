package palmares.settlement.lines;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.platform.sql.RecordMapper.Prefixed;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.Scale;
import palmares.settlement.decisions.DecisionSql;
import palmares.settlement.lines.ClosingLines.Totals;
import palmares.settlement.outcome.OutcomeTables;

/**
 * Compares the lines and the seal of a closing with the journal. It compares sums that do not
 * depend on order, and single members only if the sums differ.
 */
@Component
class JournalReconciliation {
  private static final int MAX_NAMED_MEMBERS = 10;

  private static final int MAX_NAMED_EVENTS = 10;

  /**
   * The same hash as {@link LineRows#fingerprint}. A number is part of a seed, which has 64 bits:
   * hashint8extended folds its argument to 32 bits, so that 4294967297 and 0 would be the same.
   */
  private static final String HASH =
      """
      hashtextextended(member, points # hashint8extended(0, then_by # hashint8extended(0,
        arrival # hashint8extended(0, micros(reached_at)))))
      """;

  private static final String FINGERPRINT =
      """
      select
        count(points) as {of}members,
        coalesce(sum(points), 0) as {of}points,
        coalesce(sum(%s), 0) as {of}fingerprint
      """
          .formatted(HASH);

  private static final String STORED =
      FINGERPRINT
          + """
          from (
            select member, points, coalesce(then_by, 0) as then_by,
              coalesce(arrival, 0) as arrival, coalesce(reached_at, 'epoch') as reached_at
            from {lines} where outcome = :outcome
          ) line
          """;

  private static final String JOURNALED =
      FINGERPRINT
          + """
            , coalesce(sum(events), 0) as events
          from (
            select member, points::bigint, then_by::bigint, arrival::bigint, reached_at, events
            from (
            {derived}) derived
          ) line
          """;

  /**
   * Counts those that have no equal event; where nothing was committed, no event is read. A join
   * may read all events for each, as statistics know nothing of a period that has just begun.
   */
  private static final String LOST =
      """
      select count(*) as lost
      from (
        select
        from (
          select id, outcome, points, true as is_kept from kept_commit where period_id = :period
          union all
          select id, outcome, points, false
          from event
          where period_id = :period
            and exists (select from kept_commit where period_id = :period)
        ) counted
        group by id, outcome, points
        having count(*) = 1 and bool_and(is_kept)
      ) unequal
      """;

  private static final String WRONG =
      """
      with wrong as materialized (
      %s
      )
      select what, derived, stored, count(*) over () as events
      from wrong
      limit :named
      """
          .formatted(DecisionSql.WRONG);

  private final JdbcClient jdbc;

  private static String stored(int outcome, String prefix) {
    return OutcomeTables.of(outcome).in(STORED.replace("{of}", prefix));
  }

  private static String journaled(Scale scale, String prefix) {
    return JOURNALED.replace("{of}", prefix).replace("{derived}", JournalFold.withEvents(scale));
  }

  JournalReconciliation(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What follows from a journal.
   *
   * @param lines the sums of its lines
   * @param events the number of its events
   * @param wrong says on which events the rules decide otherwise; null if on none
   */
  record Journaled(Sums lines, long events, @Nullable Sentence wrong) {}

  /**
   * Holds the sums of all lines of a source.
   *
   * @param fingerprint the sum of a hash of each line
   */
  record Sums(long members, long points, BigDecimal fingerprint) {}

  /**
   * Returns the sums of lines that were sent to PostgreSQL, without reading them again: the posting
   * proves by their checksum that the same lines are stored.
   *
   * @return null if the server computes other hashes; then only the stored lines can be added up
   */
  private @Nullable Sums sent(Totals written) {
    String member = "a member of both";
    long points = 123_456_789_012L;
    long server =
        jdbc.sql(
                """
                select %s from (
                  values (:member::text collate "C", :points::bigint, 0, 0, timestamptz 'epoch')
                ) line (member, points, then_by, arrival, reached_at)
                """
                    .formatted(HASH))
            .param("member", member)
            .param("points", points)
            .query(Long.class)
            .single();
    boolean same =
        server == LineRows.fingerprint(member.getBytes(StandardCharsets.UTF_8), points, 0, 0, 0);
    return same
        ? new Sums(written.lines(), written.points(), new BigDecimal(written.fingerprint()))
        : null;
  }

  /**
   * What is compared.
   *
   * @param lines the sums of the lines
   * @param lost the number of committed events that are missing in the journal, or differ there
   */
  record Compared(Sums lines, Journaled journaled, long lost) {}

  /** Reads all that is compared. */
  Compared compared(Period period, int outcome, Board board) {
    Scale scale = board.scale();
    Sentence wrong = wrongDecisions(period, board);
    return jdbc.sql(
            "select * from (\n%s) stored, (\n%s) journaled, (\n%s) counted"
                .formatted(stored(outcome, "stored_"), journaled(scale, "journaled_"), LOST))
        .param("outcome", outcome)
        .param("period", period.id())
        .param("tick", scale.resolution().micros())
        .query(Row.class)
        .single()
        .compared(wrong);
  }

  private record Row(@Prefixed Sums stored, @Prefixed Sums journaled, long events, long lost) {
    Compared compared(@Nullable Sentence wrong) {
      return new Compared(stored, new Journaled(journaled, events, wrong), lost);
    }
  }

  /** As {@link #compared(Period, int, Board)}, of lines that were streamed with these totals. */
  Compared compared(Period period, int outcome, Totals written, Journaled journaled) {
    Sums sent = sent(written);
    return new Compared(
        sent == null ? stored(outcome) : sent,
        journaled,
        jdbc.sql(LOST).param("period", period.id()).query(Long.class).single());
  }

  Sums stored(int outcome) {
    return jdbc.sql(stored(outcome, "")).param("outcome", outcome).query(Sums.class).single();
  }

  /** Adds up the lines that are derived from a journal, which may have millions of members. */
  @Transactional
  public Journaled journaled(Period period, Board board) {
    Scale scale = board.scale();
    jdbc.sql("set local work_mem = '128MB'").update();
    Sentence wrong = wrongDecisions(period, board);
    Fold fold =
        jdbc.sql(journaled(scale, ""))
            .param("period", period.id())
            .param("tick", scale.resolution().micros())
            .query(Fold.class)
            .single();
    return new Journaled(fold.lines(), fold.events(), wrong);
  }

  private record Fold(Sums lines, long events) {}

  private @Nullable Sentence wrongDecisions(Period period, Board board) {
    if (Objects.requireNonNull(period.population(), "sealed").events() == 0) {
      return null;
    }
    // Compiling this statement takes longer than running it on a million events.
    jdbc.sql("set local jit = off").update();
    List<Wrong> wrong =
        jdbc.sql(WRONG)
            .params(DecisionSql.parameters(period, board))
            .param("named", MAX_NAMED_EVENTS)
            .query(Wrong.class)
            .list();
    jdbc.sql("set local jit to default").update(); // The sums are read in the same transaction.
    return wrong.isEmpty()
        ? null
        : new ReconciliationSentences.DecidedOtherwise(
            wrong.get(0).events(), wrong.stream().<Sentence>map(Wrong::decision).toList());
  }

  private record Wrong(long events, ReconciliationSentences.Decision decision) {}

  /** Describes what differs; empty if nothing does. */
  List<Sentence> differences(Period period, int outcome, Board board, Compared compared) {
    var faults = new ArrayList<Sentence>();
    long sealed = Objects.requireNonNull(period.population(), "sealed").events();
    if (compared.journaled().events() != sealed) {
      faults.add(new ReconciliationSentences.Events(compared.journaled().events(), sealed));
    }
    if (compared.lost() > 0) {
      faults.add(new ReconciliationSentences.EventsLost(compared.lost()));
    }
    if (compared.journaled().wrong() != null) {
      faults.add(compared.journaled().wrong());
    }
    if (!compared.journaled().lines().equals(compared.lines())) {
      List<Sentence> named = named(period, outcome, board);
      faults.addAll(named.isEmpty() ? List.of(new ReconciliationSentences.SumsDiffer()) : named);
    }
    return faults;
  }

  private List<Sentence> named(Period period, int outcome, Board board) {
    Scale scale = board.scale();
    return jdbc
        .sql(
            OutcomeTables.of(outcome)
                .in(
                    """
                    with derived as (
                    {derived}),
                    frozen as (
                      select member, points, coalesce(then_by, 0) as then_by,
                        coalesce(arrival, 0) as arrival, reached_at
                      from {lines}
                      where outcome = :outcome
                    )
                    select
                      member,
                      frozen.points as frozen_points,
                      frozen.reached_at as frozen_at,
                      derived.points as derived_points,
                      derived.reached_at as derived_at,
                      frozen.then_by as frozen_then_by, derived.then_by as derived_then_by,
                      frozen.arrival as frozen_arrival, derived.arrival as derived_arrival,
                      (frozen.then_by, frozen.arrival) <> (derived.then_by, derived.arrival)
                        as others_differ
                    from frozen
                    full join derived using (member)
                    where (frozen.points, frozen.then_by, frozen.arrival, frozen.reached_at)
                      is distinct from
                        (derived.points, derived.then_by, derived.arrival, derived.reached_at)
                    order by member desc
                    limit :named
                    """)
                .replace("{derived}", JournalFold.sql(scale)))
        .param("period", period.id())
        .param("outcome", outcome)
        .param("tick", scale.resolution().micros())
        .param("named", MAX_NAMED_MEMBERS)
        .query(Difference.class)
        .list()
        .stream()
        .map(difference -> difference.said(board.zone()))
        .toList();
  }

  private record Difference(
      String member,
      @Prefixed @Nullable Holding frozen,
      @Prefixed @Nullable Holding derived,
      boolean othersDiffer) {
    Sentence said(ZoneId zone) {
      if (derived == null) {
        return new ReconciliationSentences.NoEvent(member, requireNonNull(frozen).said(zone));
      }
      if (frozen == null) {
        return new ReconciliationSentences.NoEntry(member, derived.said(zone));
      }
      return new ReconciliationSentences.Differs(
          member,
          frozen.said(zone),
          derived.said(zone),
          othersDiffer
              ? new ReconciliationSentences.Others(
                  frozen.thenBy, derived.thenBy, frozen.arrival, derived.arrival)
              : null);
    }
  }

  private record Holding(long points, @Nullable Instant at, long thenBy, long arrival) {
    Sentence said(ZoneId zone) {
      return at == null
          ? new ReconciliationSentences.Holding(points)
          : new ReconciliationSentences.HoldingSince(points, at.atZone(zone));
    }
  }
}
