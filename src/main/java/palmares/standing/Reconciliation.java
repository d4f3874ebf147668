package palmares.standing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.adoption.SharedRank;
import palmares.board.Board;
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
  private final JdbcClient jdbc;
  private final JournalProof journal;
  private final SharedRankProof sharedRanks;
  private final Losses losses;

  Reconciliation(
      JdbcClient jdbc, JournalProof journal, SharedRankProof sharedRanks, Losses losses) {
    this.jdbc = jdbc;
    this.journal = journal;
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
      faults.addAll(journal.differences(period, board, sealed));
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
}
