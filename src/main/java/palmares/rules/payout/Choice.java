package palmares.rules.payout;

import java.util.Locale;

/** One of a few choices. */
public interface Choice {
  /** As Java spells it. */
  String name();

  /** As files and the database spell it. */
  default String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
