package palmares.operations.report;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import palmares.operations.report.MemberHistory.MemberLine;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.Sums;

/**
 * Says what a member has reached in all settled periods of a board.
 *
 * @param top the worst rank that counts for {@code inTop}
 * @param periods how many periods of the board are settled
 * @param played in how many of them the member has a line
 * @param wins how often it had rank 1
 * @param podiums how often it had rank 3 or a better one
 * @param bestRank the line with its best rank, the latest of equal ones; null if it never had a
 *     rank
 * @param bestPoints the line with its best points, the latest of equal ones; null if it has no line
 * @param awarded the sum of awards by currency
 * @param playing the streaks of periods with a line
 * @param inTop the streaks of periods with the rank {@code top} or a better one
 */
public record MemberRecord(
    int top,
    long periods,
    long played,
    long wins,
    long podiums,
    @Nullable MemberLine bestRank,
    @Nullable MemberLine bestPoints,
    Sums awarded,
    Streaks playing,
    Streaks inTop) {
  private static final int PODIUM_PLACES = 3;

  /**
   * Runs of consecutive settled periods of the board.
   *
   * @param current the one that the latest settled period belongs to; null if it belongs to none
   * @param longest the latest of equally long ones; null if there is none
   */
  public record Streaks(@Nullable Streak current, @Nullable Streak longest) {}

  /**
   * A run of consecutive settled periods.
   *
   * @param periods how many
   */
  public record Streak(long periods, PeriodName first, PeriodName last) {}

  /** Adds up a record, period by period, the latest first. */
  static final class Totals {
    private final int top;
    private final Runs playing = new Runs();
    private final Runs inTop = new Runs();
    private Sums awarded = Sums.NONE;
    private long periods;
    private long played;
    private long wins;
    private long podiums;
    private boolean fewestWin;
    private @Nullable MemberLine bestRank;
    private @Nullable MemberLine bestPoints;

    Totals(int top) {
      this.top = top;
    }

    /**
     * @param line null if the member has none in the period
     * @param fewest whether fewer points are better by the rules of the period; those of the latest
     *     period decide
     */
    void add(PeriodName period, @Nullable MemberLine line, BooleanSupplier fewest) {
      if (periods == 0) {
        fewestWin = fewest.getAsBoolean();
      }
      periods++;
      playing.add(period, line != null);
      inTop.add(period, line != null && line.isWithin(top));
      if (line != null) {
        add(line);
      }
    }

    private void add(MemberLine line) {
      played++;
      wins += line.isWithin(1) ? 1 : 0;
      podiums += line.isWithin(PODIUM_PLACES) ? 1 : 0;
      awarded = awarded.plus(line.awarded());
      Long rank = line.rank();
      Long best = bestRank == null ? null : bestRank.rank();
      if (rank != null && (best == null || rank < best)) {
        bestRank = line;
      }
      if (bestPoints == null
          || (fewestWin
              ? line.points() < bestPoints.points()
              : line.points() > bestPoints.points())) {
        bestPoints = line;
      }
    }

    MemberRecord record() {
      return new MemberRecord(
          top,
          periods,
          played,
          wins,
          podiums,
          bestRank,
          bestPoints,
          awarded,
          playing.streaks(),
          inTop.streaks());
    }
  }

  /** Finds the runs among periods that come in order of time, the latest first. */
  private static final class Runs {
    private @Nullable Streak run;
    private @Nullable Streak current;
    private @Nullable Streak longest;
    private boolean broken;

    void add(PeriodName period, boolean within) {
      if (!within) {
        run = null;
        broken = true;
        return;
      }
      run = run == null ? new Streak(1, period, period) : longer(run, period);
      current = broken ? current : run;
      longest = longest == null || run.periods() > longest.periods() ? run : longest;
    }

    private static Streak longer(Streak run, PeriodName first) {
      return new Streak(run.periods() + 1, first, run.last());
    }

    Streaks streaks() {
      return new Streaks(current, longest);
    }
  }
}
