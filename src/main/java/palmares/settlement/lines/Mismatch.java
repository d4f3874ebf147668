package palmares.settlement.lines;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Signals that a period's board and its journal differ, so that nobody is paid. */
public final class Mismatch extends RuntimeException implements Repair.Needed, Saying {
  private final transient Sentence said;
  private final transient @Nullable Repair repair;

  /**
   * Reports differences.
   *
   * @param repair the rebuild that may help; null if the board has no journal, or is not at fault
   */
  Mismatch(Period period, @Nullable Repair repair, List<? extends Sentence> faults) {
    this.said = new ReconciliationSentences.NotReconciled(period.label(), faults);
    this.repair = repair;
  }

  @Override
  public Sentence said() {
    return said;
  }

  @Override
  public String getMessage() {
    return Texts.english(said);
  }

  @Override
  public @Nullable Repair repair() {
    return repair;
  }
}
