package palmares.period;

import java.util.Locale;

/** How far a period has come. Each state but the first and the last is left by one closing step. */
public enum PeriodState {
  /** Takes events. The seal ends it, once its end and grace have passed. */
  OPEN,
  /** Nothing changes its live board any more, its population is fixed. The snapshot ends it. */
  SEALED,
  /** The frozen board is in PostgreSQL, whole. Reconciling ends it, or fails it for a person. */
  SNAPSHOTTED,
  /** Snapshot and journal agree to the last point. Ranking ends it. */
  RECONCILED,
  /** Every member has its final rank. Awarding ends it. */
  RANKED,
  /** The reward rules are worked out, nothing is paid. Who must look at it decides what follows. */
  AWARDED,
  /** A person must approve or reject it; its hour of release, if it has one, approves it too. */
  HELD,
  /** A person will not have it paid as it is. A restart ends it: it is ranked anew. */
  REJECTED,
  /** Nobody objects. Paying ends it. */
  APPROVED,
  /** Every award is a transfer in the ledger. Publishing ends it. */
  PAID,
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
    return this == HELD || this == REJECTED;
  }

  /** Whether this state has been reached already by a period in the other state. */
  public boolean isReachedBy(PeriodState other) {
    return other.compareTo(this) >= 0;
  }
}
