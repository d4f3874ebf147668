package palmares.standing;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.adoption.SharedRank;
import palmares.board.Board;
import palmares.board.Scale;
import palmares.period.Period;
import palmares.period.Population;

/**
 * Proves a snapshot before anything is paid by it: the population at the seal, the slices, the
 * lines and the journal must all say the same, to the last point and the last tick. An adopted
 * board has no journal: it was added up at the seal and again from the snapshot, and what its
 * encoding lost is kept.
 */
@Component
public class Reconciliation {
  private static final int NAMED = 10;

  private final JdbcClient jdbc;
  private final SharedRankProof sharedRanks;
  private final Losses losses;

  Reconciliation(JdbcClient jdbc, SharedRankProof sharedRanks, Losses losses) {
    this.jdbc = jdbc;
    this.sharedRanks = sharedRanks;
    this.losses = losses;
  }

  /** What a source says of the period as a whole. */
  record Totals(long members, long points) {}

  /**
   * Proves the period's snapshot, in the caller's transaction.
   *
   * @throws Mismatch if they do not agree; names the figures and the first members that differ
   */
  public void check(Period period, Board board) {
    Population sealed = Objects.requireNonNull(period.population(), "sealed");
    var faults = new ArrayList<String>();
    compare(faults, "the snapshot's slices", sliceTotals(period), sealed);
    compare(faults, "the snapshot", snapshotTotals(period), sealed);
    if (board.adoption() == null) {
      compareWithJournal(faults, period, board, sealed);
    } else if (board.adoption().encoding() instanceof SharedRank) {
      faults.addAll(sharedRanks.differences(period, board));
    }
    if (!faults.isEmpty()) {
      throw new Mismatch(period, faults);
    }
    if (board.adoption() != null) {
      losses.record(period, board);
    }
  }

  private void compareWithJournal(
      List<String> faults, Period period, Board board, Population sealed) {
    long events = events(period);
    if (events != sealed.events()) {
      faults.add(
          "the journal holds %d events, the sealed board counted %d"
              .formatted(events, sealed.events()));
    }
    long lost = committedAndLost(period);
    if (lost > 0) {
      faults.add("%d committed events are not in the journal as they were told".formatted(lost));
    }
    faults.addAll(differences(period, board.scale()));
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

  private static void compare(List<String> faults, String what, Totals totals, Population sealed) {
    if (totals.members() != sealed.members() || totals.points() != sealed.points()) {
      faults.add(
          "%s: %d members with %d points, sealed were %d with %d"
              .formatted(
                  what, totals.members(), totals.points(), sealed.members(), sealed.points()));
    }
  }

  private Totals sliceTotals(Period period) {
    return jdbc.sql(
            """
            select coalesce(sum(members), 0) as members, coalesce(sum(points), 0) as points
            from snapshot_slice
            where period_id = :period
            """)
        .param("period", period.id().value())
        .query(Totals.class)
        .single();
  }

  private Totals snapshotTotals(Period period) {
    return jdbc.sql(
            """
            select count(*) as members, coalesce(sum(points), 0) as points
            from snapshot
            where period_id = :period
            """)
        .param("period", period.id().value())
        .query(Totals.class)
        .single();
  }

  private long events(Period period) {
    return jdbc.sql("select count(*) from event where period_id = :period")
        .param("period", period.id().value())
        .query(Long.class)
        .single();
  }

  private List<String> differences(Period period, Scale scale) {
    return jdbc.sql(
            """
            with derived as (
            %s),
            frozen as (
              select member, points, then_by, arrival, reached_at
              from snapshot
              where period_id = :period
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
                .formatted(Derivation.sql(scale)))
        .param("period", period.id().value())
        .param("tick", scale.resolution().micros() + " microseconds")
        .param("named", NAMED)
        .query(Reconciliation::difference)
        .list();
  }

  private static String difference(ResultSet row, int n) throws SQLException {
    return "%s: the board says %s points at %s, the journal %s at %s%s"
        .formatted(
            row.getString("member"),
            row.getString("frozen_points"),
            row.getString("frozen_at"),
            row.getString("derived_points"),
            row.getString("derived_at"),
            row.getBoolean("others_differ") ? row.getString("others") : "");
  }
}
