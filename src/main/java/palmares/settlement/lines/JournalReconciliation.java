package palmares.settlement.lines;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Scale;
import palmares.settlement.outcome.OutcomeTables;

/**
 * Compares the lines and the seal of a closing with the journal. It compares sums that do not
 * depend on order, and single members only if the sums differ.
 */
@Component
class JournalReconciliation {
  private static final int MAX_NAMED_MEMBERS = 10;

  /**
   * Hashes the high and the low half of each number, because hashint8extended folds a number to 32
   * bits: 4294967297 and 0 would be the same. Its seed, which the time is, has 64 bits.
   */
  private static final String FINGERPRINT =
      """
      select
        count(*) as members,
        coalesce(sum(points), 0) as points,
        coalesce(sum(hashtextextended(member,
          hashint8extended(points >> 32, hashint8extended(points & 4294967295,
          hashint8extended(then_by >> 32, hashint8extended(then_by & 4294967295,
          hashint8extended(arrival >> 32, hashint8extended(arrival & 4294967295,
          micros(reached_at))))))))), 0) as fingerprint
      """;

  private final JdbcClient jdbc;

  JournalReconciliation(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Holds the sums of all lines of a source.
   *
   * @param fingerprint the sum of a hash of each line
   */
  record Sums(long members, long points, BigDecimal fingerprint) {}

  /** Adds up the stored lines. */
  Sums stored(int outcome) {
    return jdbc.sql(
            FINGERPRINT
                + """
                from (
                  select member, points, coalesce(then_by, 0) as then_by,
                    coalesce(arrival, 0) as arrival, coalesce(reached_at, 'epoch') as reached_at
                  from %s where outcome = :outcome
                ) stored
                """
                    .formatted(OutcomeTables.lines(outcome)))
        .param("outcome", outcome)
        .query(Sums.class)
        .single();
  }

  /** As {@link #journaled}, with enough memory for millions of members. */
  @Transactional
  public Sums manyJournaled(Period period, Scale scale) {
    jdbc.sql("set local work_mem = '128MB'").update();
    return journaled(period, scale);
  }

  /** Adds up the lines that are derived from the journal. */
  Sums journaled(Period period, Scale scale) {
    return jdbc.sql(
            FINGERPRINT
                + """
                from (
                  select member, points::bigint, then_by::bigint, arrival::bigint, reached_at
                  from (
                  %s) derived
                ) derived
                """
                    .formatted(JournalFold.sql(scale)))
        .param("period", period.id().value())
        .param("tick", scale.resolution().micros() + " microseconds")
        .query(Sums.class)
        .single();
  }

  /** Describes what differs; empty if nothing does. */
  List<String> differences(Period period, int outcome, Board board, Sums stored, Sums journaled) {
    var faults = new ArrayList<String>();
    long sealed = Objects.requireNonNull(period.population(), "sealed").events();
    long events = events(period);
    if (events != sealed) {
      faults.add(
          "the journal has %d events, the sealed board counted %d".formatted(events, sealed));
    }
    long lost = committedAndLost(period);
    if (lost > 0) {
      faults.add("%d committed events are missing in the journal, or differ there".formatted(lost));
    }
    if (!journaled.equals(stored)) {
      List<String> named = named(period, outcome, board.scale());
      faults.addAll(named.isEmpty() ? List.of("the sums of lines and journal differ") : named);
    }
    return faults;
  }

  private long events(Period period) {
    return jdbc.sql("select count(*) from event where period_id = :period")
        .param("period", period.id().value())
        .query(Long.class)
        .single();
  }

  private long committedAndLost(Period period) {
    return jdbc.sql(
            """
            select count(*) from kept_commit kept
            where period_id = :period
              and not exists (
                select from event
                where event.period_id = kept.period_id
                  and event.id = kept.id
                  and (event.outcome, event.points) = (kept.outcome, kept.points))
            """)
        .param("period", period.id().value())
        .query(Long.class)
        .single();
  }

  private List<String> named(Period period, int outcome, Scale scale) {
    return jdbc.sql(
            """
            with derived as (
            %1$s),
            frozen as (
              select member, points, coalesce(then_by, 0) as then_by,
                coalesce(arrival, 0) as arrival, reached_at
              from %2$s
              where outcome = :outcome
            )
            select
              member,
              frozen.points as frozen_points,
              frozen.reached_at as frozen_at,
              derived.points as derived_points,
              derived.reached_at as derived_at,
              format('; second keys %%s and %%s, arrivals %%s and %%s',
                frozen.then_by, derived.then_by, frozen.arrival, derived.arrival) as others,
              (frozen.then_by, frozen.arrival) <> (derived.then_by, derived.arrival)
                as others_differ
            from frozen
            full join derived using (member)
            where (frozen.points, frozen.then_by, frozen.arrival, frozen.reached_at)
              is distinct from
                (derived.points, derived.then_by, derived.arrival, derived.reached_at)
            order by member desc
            limit :named
            """
                .formatted(JournalFold.sql(scale), OutcomeTables.lines(outcome)))
        .param("period", period.id().value())
        .param("outcome", outcome)
        .param("tick", scale.resolution().micros() + " microseconds")
        .param("named", MAX_NAMED_MEMBERS)
        .query(JournalReconciliation::difference)
        .list();
  }

  private static String difference(ResultSet row, int n) throws SQLException {
    String member = row.getString("member");
    return "%s: the board says %s points at %s, the journal %s at %s%s"
        .formatted(
            member,
            row.getString("frozen_points"),
            row.getString("frozen_at"),
            row.getString("derived_points"),
            row.getString("derived_at"),
            row.getBoolean("others_differ") ? row.getString("others") : "");
  }
}
