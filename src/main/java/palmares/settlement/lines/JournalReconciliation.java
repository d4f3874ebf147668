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
 * Holds the lines of a closing, and what was counted at the seal, against the journal: by sums that
 * do not depend on order, and only where these differ member by member.
 */
@Component
class JournalReconciliation {
  private static final int NAMED = 10;

  private static final String FINGERPRINT =
      """
      select
        count(*) as members,
        coalesce(sum(points), 0) as points,
        coalesce(sum(hashtextextended(member, hashint8extended(points, hashint8extended(then_by,
          hashint8extended(arrival, micros(reached_at)))))), 0) as fingerprint
      """;

  private final JdbcClient jdbc;

  JournalReconciliation(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What a source says of all members together.
   *
   * @param fingerprint a sum of hashes of each member and what it holds
   */
  record Sums(long members, long points, BigDecimal fingerprint) {}

  /** The sums of the lines that are stored. */
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

  /** As {@link #journaled}, with memory for the sums of millions of members. */
  @Transactional
  public Sums manyJournaled(Period period, Scale scale) {
    jdbc.sql("set local work_mem = '128MB'").update();
    return journaled(period, scale);
  }

  /** The sums of what each member holds by the journal. */
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

  /** What is not the same. */
  List<String> differences(Period period, int outcome, Board board, Sums stored, Sums journaled) {
    var faults = new ArrayList<String>();
    long sealed = Objects.requireNonNull(period.population(), "sealed").events();
    long events = events(period);
    if (events != sealed) {
      faults.add(
          "the journal holds %d events, the sealed board counted %d".formatted(events, sealed));
    }
    long lost = committedAndLost(period);
    if (lost > 0) {
      faults.add("%d committed events are not in the journal as they were told".formatted(lost));
    }
    if (!journaled.equals(stored)) {
      List<String> named = named(period, outcome, board.scale());
      faults.addAll(
          named.isEmpty() ? List.of("the sums of lines and journal are not the same") : named);
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
        .param("named", NAMED)
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
