package palmares.period;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.platform.text.Next;

/** The rebuild of a live board that repairs what stopped a closing. */
public enum Repair implements Choice {
  /** Redis has no complete live board. */
  REBUILD,
  /** Redis has a live board that differs from its journal. */
  REPLACE,
  /** Events are in neither store, and a person must give them up. */
  ACCEPT_LOSS;

  /** Returns the rebuild of a period. */
  public Next next(Object board, Object period) {
    Next rebuild = Next.of("rebuild", board, period);
    return switch (this) {
      case REBUILD -> rebuild;
      case REPLACE -> rebuild.with("replace", true);
      case ACCEPT_LOSS -> rebuild.with("replace", true).with("acceptLoss", true);
    };
  }

  /** A failure that a rebuild may repair. */
  public interface Needed {
    /** Returns the rebuild that may help; null if none does. */
    @Nullable Repair repair();
  }
}
