package palmares.live.intake;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import palmares.live.board.BoardChange.Worth;
import palmares.live.board.Event;
import palmares.platform.text.Sentence;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Scale;
import palmares.rules.calendar.Slot;

/** Computes the points of an event on a board, and refuses events that the board does not count. */
final class EventPoints {
  private EventPoints() {}

  /**
   * Returns the rule by which the board counts the event.
   *
   * @throws EventRefusal if the board does not count it
   */
  static Action requireAction(Event event, Board rules) {
    Action action = rules.actions().get(event.action());
    if (action == null) {
      throw new EventRefusal(
          RefusalReason.UNKNOWN_ACTION,
          new EventSentences.NotCounted(
              rules.id().value(),
              event.action(),
              rules.actions().keySet().stream().sorted().toList()));
    }
    if (event.undo() && !action.undo()) {
      throw new EventRefusal(
          RefusalReason.UNDO_NOT_ALLOWED,
          new EventSentences.NoUndo(rules.id().value(), event.action()));
    }
    if (event.undo() && event.subject() == null) {
      throw new EventRefusal(RefusalReason.MISSING_FIELD, new EventSentences.UndoWithoutSubject());
    }
    if (isSelfInvite(event, rules)) {
      throw new EventRefusal(
          RefusalReason.SELF_INVITE,
          new EventSentences.SelfInvite(event.member().value(), event.subject()));
    }
    if (event.quantity() > action.maxQuantity()) {
      throw new EventRefusal(
          RefusalReason.MAX_QUANTITY,
          new EventSentences.MaxQuantity(
              rules.id().value(), event.action(), action.maxQuantity(), event.quantity()));
    }
    return action;
  }

  /**
   * Refuses an undo in a period that is not open yet: nothing can have happened in it. No other
   * event that {@link #requireAction} and {@link #worth} accept is refused by a board without
   * events, since the limits of a board's file admit the largest one.
   */
  static void requireFirst(Event event, Board board, Slot slot) {
    if (event.undo()) {
      throw new EventRefusal(
          RefusalReason.NOTHING_TO_UNDO,
          nothingToUndo(event, null, board.id() + " " + slot.name()));
    }
  }

  /**
   * @param day the day whose action it would undo; null if of any day
   */
  static Sentence nothingToUndo(Event event, @Nullable String day, String period) {
    String member = event.member().value();
    return day == null
        ? new EventSentences.NothingToUndo(member, event.action(), event.subject(), period)
        : new EventSentences.NothingToUndoOfDay(
            member, event.action(), event.subject(), day, period);
  }

  private static boolean isSelfInvite(Event event, Board rules) {
    return creditsInviter(event.action(), rules) && event.member().value().equals(event.subject());
  }

  private static boolean creditsInviter(String action, Board rules) {
    Invites invites = rules.invites();
    return invites != null && invites.action().equals(action);
  }

  /** Whether the action credits an inviter, and only once the invite qualifies. */
  static boolean isQualified(String action, Board rules) {
    Invites invites = rules.invites();
    return creditsInviter(action, rules) && requireNonNull(invites).qualification() != null;
  }

  /**
   * Refuses to credit an inviter for an invite of which nobody knows whether it qualifies.
   *
   * @throws EventRefusal if it does not come from Palmares
   */
  static void requireOrigin(Event event, Board rules, EventOrigin origin) {
    if (isQualified(event.action(), rules) && !origin.mayCreditInvites()) {
      throw new EventRefusal(
          RefusalReason.DERIVED_ACTION,
          new EventSentences.DerivedAction(rules.id().value(), event.action()));
    }
  }

  /**
   * Computes what the event adds on the board.
   *
   * @throws EventRefusal if it lacks a number that the board needs, or exceeds what a member may
   *     hold
   */
  static Worth worth(Event event, Action action, Board rules) {
    Scale scale = rules.scale();
    long then = 0;
    if (scale.thenBy() != null && !event.undo()) {
      then = requireNumber(event.thenBy(), "thenBy", rules);
      requireAtMost(scale.maxThen(), then, "thenBy", RefusalReason.MAX_THEN_BY, rules);
    }
    if (!scale.scoring().takesValues()) {
      return new Worth(Math.multiplyExact(action.points(), event.quantity()), null, then);
    }
    long value = requireNumber(event.value(), "value", rules);
    requireAtMost(scale.maxPoints(), value, "value", RefusalReason.MAX_POINTS, rules);
    return new Worth(0, value, then);
  }

  /**
   * Refuses a number that none of the boards uses: it is a mistake of the sender.
   *
   * @param boards the rules of the periods that count the event
   */
  static void requireUse(Event event, List<Board> boards) {
    if (boards.isEmpty()) {
      return; // each board has refused it
    }
    requireUse(event.value(), "value", boards, board -> board.scale().scoring().takesValues());
    requireUse(event.thenBy(), "thenBy", boards, board -> board.scale().thenBy() != null);
  }

  private static void requireUse(
      @Nullable Long number, String field, List<Board> boards, Predicate<Board> takes) {
    if (number != null && boards.stream().noneMatch(takes)) {
      throw new EventRefusal(
          RefusalReason.INVALID_FIELD,
          new EventSentences.NotUsed(
              field, boards.stream().map(board -> board.id().value()).toList()));
    }
  }

  private static long requireNumber(@Nullable Long number, String field, Board rules) {
    if (number == null) {
      throw new EventRefusal(
          RefusalReason.MISSING_FIELD, new EventSentences.MissingNumber(rules.id().value(), field));
    }
    return number;
  }

  private static void requireAtMost(
      long most, long number, String field, RefusalReason reason, Board rules) {
    if (number > most) {
      throw new EventRefusal(
          reason, new EventSentences.MaxNumber(rules.id().value(), field, most, number));
    }
  }
}
