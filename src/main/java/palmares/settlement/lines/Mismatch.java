package palmares.settlement.lines;

import java.util.List;
import palmares.period.Period;

/** Signals that a period's board and its journal differ, so that nobody is paid. */
public final class Mismatch extends RuntimeException {
  Mismatch(Period period, List<String> faults) {
    super(
        "%s does not reconcile, nobody is paid: %s"
            .formatted(period.label(), String.join("; ", faults)));
  }
}
