package palmares.rules.board;

import java.util.Locale;

/** When an event of a board is acknowledged. */
public enum Durability {
  /** When Redis has applied it. */
  FAST,
  /** When PostgreSQL has it; it is relayed to Redis until it is applied. */
  COMMITTED;

  /** The name as board files spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
