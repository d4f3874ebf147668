package palmares.rules.board;

import java.util.Locale;

/** Whose time an event counts by. */
public enum BoardClock {
  /** The Redis server's time at which the event is applied. */
  SERVER,
  /** The event's own {@code occurredAt}. */
  EVENT;

  /** The name as board files spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
