package palmares.live.intake;

import palmares.platform.text.Choice;

/** The reasons why an event or a whole request is refused. Their words are part of the API. */
public enum RefusalReason implements Choice {
  /** The value is not JSON, or not an object. */
  MALFORMED,
  UNKNOWN_FIELD,
  MISSING_FIELD,
  INVALID_FIELD,
  UNKNOWN_BOARD,
  /** The board is adopted: another program writes it. */
  ADOPTED,
  /** No board counts that action, or the named board does not. */
  UNKNOWN_ACTION,
  /** The key may not write that board. */
  FORBIDDEN,
  /** The board uses the events' clock, and {@code occurredAt} is missing. */
  MISSING_TIME,
  /** {@code occurredAt} is in the future. */
  FUTURE_TIME,
  /** The board has no period at the event's time. */
  NO_PERIOD,
  /** The board does not allow this action to be undone. */
  UNDO_NOT_ALLOWED,
  /** There is no action to undo in the event's period. */
  NOTHING_TO_UNDO,
  /** The member already did this to the subject, or in the day or period. */
  REPEATED,
  /** The member has reached the action's limit for a day or a period. */
  CAPPED,
  /** The value is no better than what the member holds. */
  NOT_BETTER,
  /** Another event with the same id was taken before. */
  CONFLICTING_ID,
  /** The member would invite itself. */
  SELF_INVITE,
  /** Invites must qualify there, and Palmares alone credits their inviters. */
  DERIVED_ACTION,
  /** The event would exceed the board's largest number of points. */
  MAX_POINTS,
  /** The event would exceed the largest amount of the board's second key. */
  MAX_THEN_BY,
  /** The period has decided as many events as {@code max-events} allows. */
  MAX_EVENTS,
  /** The quantity is larger than the action allows for one event. */
  MAX_QUANTITY,
  /** The event came after the grace or the seal. */
  LATE
}
