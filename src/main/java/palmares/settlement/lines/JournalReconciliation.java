package palmares.settlement.lines;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Scale;
import palmares.settlement.lines.LineRows.Totals;
import palmares.settlement.outcome.OutcomeTables;

/**
 * Compares the lines and the seal of a closing with the journal. It compares sums that do not
 * depend on order, and single members only if the sums differ.
 */
@Component
class JournalReconciliation {
  private static final int MAX_NAMED_MEMBERS = 10;

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
        count(points) as members,
        coalesce(sum(points), 0) as points,
        coalesce(sum(%s), 0) as fingerprint
      """
          .formatted(HASH);

  private final JdbcClient jdbc;

  JournalReconciliation(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Holds the sums of the lines that follow from a journal, and the number of its events. */
  record Journaled(Sums lines, long events) {}

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
  @Nullable Sums sent(Totals written) {
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
  public Journaled manyJournaled(Period period, Scale scale) {
    jdbc.sql("set local work_mem = '128MB'").update();
    return journaled(period, scale);
  }

  /** Adds up the lines that are derived from the journal. */
  Journaled journaled(Period period, Scale scale) {
    return jdbc.sql(
            FINGERPRINT
                + """
                  , coalesce(sum(events), 0) as events
                from (
                  select member, points::bigint, then_by::bigint, arrival::bigint, reached_at,
                    events
                  from (
                  %s) derived
                ) derived
                """
                    .formatted(JournalFold.withEvents(scale)))
        .param("period", period.id().value())
        .param("tick", scale.resolution().micros() + " microseconds")
        .query(
            (row, n) ->
                new Journaled(
                    new Sums(
                        row.getLong("members"),
                        row.getLong("points"),
                        row.getBigDecimal("fingerprint")),
                    row.getLong("events")))
        .single();
  }

  /** Describes what differs; empty if nothing does. */
  List<String> differences(
      Period period, int outcome, Board board, Sums stored, Journaled journaled) {
    var faults = new ArrayList<String>();
    long sealed = Objects.requireNonNull(period.population(), "sealed").events();
    if (journaled.events() != sealed) {
      faults.add(
          "the journal has %d events, the sealed board counted %d"
              .formatted(journaled.events(), sealed));
    }
    long lost = committedAndLost(period);
    if (lost > 0) {
      faults.add("%d committed events are missing in the journal, or differ there".formatted(lost));
    }
    if (!journaled.lines().equals(stored)) {
      List<String> named = named(period, outcome, board.scale());
      faults.addAll(named.isEmpty() ? List.of("the sums of lines and journal differ") : named);
    }
    return faults;
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
