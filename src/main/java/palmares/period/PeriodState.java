package palmares.period;

import java.util.Locale;

/** How far a period has come. Each state but the first and the last is left by one closing step. */
public enum PeriodState {
  /** Takes events. The seal ends it, once its end and grace have passed. */
  OPEN,
  /** Nothing changes its live board any more, and its population is fixed. Filling ends it. */
  SEALED,
  /**
   * Its outcome has every line, rank and pending payment, and agrees with the journal. Nothing is
   * paid. The rules decide whether a person must look at it.
   */
  FILLED,
  /** A person must approve or reject it; its hour of release, if it has one, approves it too. */
  HELD,
  /** A person refused to have it paid as it is. A restart ends it: it is filled again. */
  REJECTED,
  /** Nobody objects. Posting ends it. */
  APPROVED,
  /** Final, visible and verified. The end of its retention ends it. */
  SETTLED,
  /** Its live keys have left Redis; its history stays for ever. */
  EXPIRED;

  /** The name as the database and people spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static PeriodState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Whether a person has to act before anything goes on. */
  public boolean waits() {
    return switch (this) {
      case HELD, REJECTED -> true;
      case OPEN, SEALED, FILLED, APPROVED, SETTLED, EXPIRED -> false;
    };
  }

  /** Whether its live board has been sealed. */
  public boolean isSealed() {
    return switch (this) {
      case OPEN -> false;
      case SEALED, FILLED, HELD, REJECTED, APPROVED, SETTLED, EXPIRED -> true;
    };
  }

  /** Whether its outcome has been filled, and agrees with the journal. */
  public boolean isFilled() {
    return switch (this) {
      case OPEN, SEALED -> false;
      case FILLED, HELD, REJECTED, APPROVED, SETTLED, EXPIRED -> true;
    };
  }

  /** Whether its outcome has been posted: it is paid, final and visible. */
  public boolean isSettled() {
    return switch (this) {
      case OPEN, SEALED, FILLED, HELD, REJECTED, APPROVED -> false;
      case SETTLED, EXPIRED -> true;
    };
  }

  /** Whether its live keys have left Redis. */
  public boolean isExpired() {
    return switch (this) {
      case OPEN, SEALED, FILLED, HELD, REJECTED, APPROVED, SETTLED -> false;
      case EXPIRED -> true;
    };
  }
}
