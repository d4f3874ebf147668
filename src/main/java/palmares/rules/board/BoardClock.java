package palmares.rules.board;

import palmares.platform.form.Choice;

/** Whose time an event counts by. */
public enum BoardClock implements Choice {
  /** The Redis server's time when the event is applied. */
  SERVER,
  /** The event's own {@code occurredAt}. */
  EVENT;
}
