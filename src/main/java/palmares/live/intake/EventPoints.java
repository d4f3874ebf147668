package palmares.live.intake;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.live.board.BoardChange.Worth;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Invites;
import palmares.rules.board.Scale;

/** Works out what an event is worth on a board. */
final class EventPoints {
  private EventPoints() {}

  /**
   * How the board counts the event.
   *
   * @throws Refusal if it does not
   */
  static Action action(Event event, Board rules) {
    Action action = rules.actions().get(event.action());
    if (action == null) {
      throw new Refusal(
          RefusalReason.UNKNOWN_ACTION,
          "the board '%s' does not count '%s' in this period, only %s"
              .formatted(
                  rules.id(),
                  event.action(),
                  String.join(", ", rules.actions().keySet().stream().sorted().toList())));
    }
    if (event.undo() && !action.undo()) {
      throw new Refusal(
          RefusalReason.UNDO_NOT_ALLOWED,
          "the board '%s' does not take '%s' back".formatted(rules.id(), event.action()));
    }
    if (event.undo() && event.subject() == null) {
      throw new Refusal(
          RefusalReason.MISSING_FIELD, "an undo needs the 'subject' whose action it takes back");
    }
    if (isSelfInvite(event, rules)) {
      throw new Refusal(
          RefusalReason.SELF_INVITE,
          "%s cannot invite '%s'".formatted(event.member(), event.subject()));
    }
    if (event.quantity() > action.maxQuantity()) {
      throw new Refusal(
          RefusalReason.MAX_QUANTITY,
          "one event may bring at most %d of '%s' on the board '%s', not %d"
              .formatted(action.maxQuantity(), event.action(), rules.id(), event.quantity()));
    }
    return action;
  }

  private static boolean isSelfInvite(Event event, Board rules) {
    Invites invites = rules.invites();
    return invites != null
        && invites.action().equals(event.action())
        && event.member().value().equals(event.subject());
  }

  /**
   * What the event is worth.
   *
   * @throws Refusal if it lacks what the board goes by, or brings more than a member may hold
   */
  static Worth worth(Event event, Action action, Board rules) {
    Scale scale = rules.scale();
    long then = 0;
    if (scale.thenBy() != null && !event.undo()) {
      then = need(event.thenBy(), "thenBy", rules);
      require(
          then <= scale.maxThen(),
          RefusalReason.MAX_THEN_BY,
          "thenBy",
          then,
          scale.maxThen(),
          rules);
    }
    if (!scale.scoring().takesValues()) {
      return new Worth(Math.multiplyExact(action.points(), event.quantity()), null, then);
    }
    long value = need(event.value(), "value", rules);
    require(
        value <= scale.maxPoints(),
        RefusalReason.MAX_POINTS,
        "value",
        value,
        scale.maxPoints(),
        rules);
    return new Worth(0, value, then);
  }

  /**
   * Checks that some board has use for all that the event brings: a figure that nobody takes is a
   * mistake of its sender, which would otherwise go unseen.
   *
   * @param boards the rules, of the event's periods, that count it
   */
  static void requireUse(Event event, List<Board> boards) {
    if (boards.isEmpty()) {
      return; // refused by each of them, for reasons of its own
    }
    requireUse(event.value(), "value", boards, board -> board.scale().scoring().takesValues());
    requireUse(event.thenBy(), "thenBy", boards, board -> board.scale().thenBy() != null);
  }

  private static void requireUse(
      @Nullable Long number, String field, List<Board> boards, Predicate<Board> takes) {
    if (number != null && boards.stream().noneMatch(takes)) {
      throw new Refusal(
          RefusalReason.INVALID_FIELD,
          "'%s' means nothing to %s: leave it out"
              .formatted(
                  field,
                  boards.stream()
                      .map(board -> board.id().value())
                      .collect(Collectors.joining(", ", "the board ", ""))));
    }
  }

  private static long need(@Nullable Long number, String field, Board rules) {
    if (number == null) {
      throw new Refusal(
          RefusalReason.MISSING_FIELD,
          "the board '%s' needs '%s', a whole number from 0".formatted(rules.id(), field));
    }
    return number;
  }

  private static void require(
      boolean holds, RefusalReason reason, String field, long number, long most, Board rules) {
    if (!holds) {
      throw new Refusal(
          reason,
          "'%s' is at most %d on the board '%s', not %d"
              .formatted(field, most, rules.id(), number));
    }
  }
}
