package palmares.settlement.lines;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.period.Repair;

/** Signals that a period's board and its journal differ, so that nobody is paid. */
public final class Mismatch extends RuntimeException implements Repair.Needed {
  private final transient @Nullable Repair repair;

  /**
   * Reports differences.
   *
   * @param repair the rebuild that may help; null if the board has no journal, or is not at fault
   */
  Mismatch(Period period, @Nullable Repair repair, List<String> faults) {
    super(
        "%s does not reconcile, nobody is paid: %s"
            .formatted(period.label(), String.join("; ", faults)));
    this.repair = repair;
  }

  @Override
  public @Nullable Repair repair() {
    return repair;
  }
}
