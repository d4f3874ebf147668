package palmares.live.intake;

import java.util.Locale;

/**
 * Why an event, or a whole request, was refused. Part of the API: a reason's word never changes.
 */
public enum RefusalReason {
  /** Not JSON, or not an object. */
  MALFORMED,
  /** A field that events do not have. */
  UNKNOWN_FIELD,
  /** A field that events must have. */
  MISSING_FIELD,
  /** A field whose value it cannot be. */
  INVALID_FIELD,
  /** No board of that name. */
  UNKNOWN_BOARD,
  /** The team's own program writes that board. */
  ADOPTED,
  /** No board, or not the named one, counts that action. */
  UNKNOWN_ACTION,
  /** The key may not write that board. */
  FORBIDDEN,
  /** A board that goes by the events' clock needs {@code occurredAt}. */
  MISSING_TIME,
  /** It happens later than now. */
  FUTURE_TIME,
  /** The board has no period at that time. */
  NO_PERIOD,
  /** The board does not take this action back. */
  UNDO_NOT_ALLOWED,
  /** There was nothing to undo in the event's period. */
  NOTHING_TO_UNDO,
  /** The member did this to the subject already. */
  REPEATED,
  /** The member did this as often as counts in a day or a period. */
  CAPPED,
  /** Its value did not better what the member holds. */
  NOT_BETTER,
  /** Another event with this id was taken before. */
  CONFLICTING_ID,
  /** It would credit a member for its own invite. */
  SELF_INVITE,
  /** It would pass the board's most points. */
  MAX_POINTS,
  /** It would pass the most of the board's second key. */
  MAX_THEN_BY,
  /** The period has decided as many events as it can put in order of arrival. */
  MAX_EVENTS,
  /** More of the action than one event may bring. */
  MAX_QUANTITY,
  /** It came after the seal or the grace. */
  LATE;

  /** The word in answers, and the end of the problem type. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
