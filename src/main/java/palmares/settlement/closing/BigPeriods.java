package palmares.settlement.closing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import palmares.period.DuePeriods;
import palmares.period.PeriodId;
import palmares.settlement.lines.ClosingLines;
import palmares.settlement.outcome.Revisions;

/**
 * Keeps a scheduler from taking more big periods than it fills at the same time. Until its seal, a
 * period with many events counts as big, no matter how few members have them.
 */
@Component
class BigPeriods {
  private final DuePeriods duePeriods;
  private final FillPermits permits;
  private final Revisions revisions;

  /** Those that this process has taken because they are due. */
  private final Set<PeriodId> taken = ConcurrentHashMap.newKeySet();

  BigPeriods(DuePeriods duePeriods, FillPermits permits, Revisions revisions) {
    this.duePeriods = duePeriods;
    this.permits = permits;
    this.revisions = revisions;
  }

  /** The most members of a period that this process may take now. */
  long mostMembers() {
    return taken.size() < permits.fillings() ? Long.MAX_VALUE : mostOfSmall();
  }

  private long mostOfSmall() {
    return Math.min(ClosingLines.mostNotReadAhead(), revisions.ownTablesFrom() - 1);
  }

  /** Whether the period may need a permit to be filled. */
  boolean isBig(PeriodId period) {
    return duePeriods.membersToFill(period) > mostOfSmall();
  }

  void add(PeriodId period) {
    taken.add(period);
  }

  /** Does nothing if the period is none of those. */
  void remove(PeriodId period) {
    taken.remove(period);
  }

  /**
   * Removes the period if it has turned out small.
   *
   * @return whether it was removed, so that another one can be taken
   */
  boolean removeIfSmall(PeriodId period) {
    return taken.contains(period) && !isBig(period) && taken.remove(period);
  }
}
