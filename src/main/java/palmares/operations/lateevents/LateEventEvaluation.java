package palmares.operations.lateevents;

import org.jspecify.annotations.Nullable;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Invites;
import palmares.rules.board.MemberScore;
import palmares.rules.board.Scale;
import palmares.rules.calendar.Slot;

/**
 * What late events of one member would have changed, one after the other, on top of what stands:
 * judged as the live board would have judged them.
 */
final class LateEventEvaluation {
  private final Board rules;
  private final Slot slot;
  private final LineCorrection amending;
  private final MemberActions memberActions;
  private @Nullable MemberScore held;

  LateEventEvaluation(
      Board rules,
      Slot slot,
      LineCorrection amending,
      MemberActions memberActions,
      @Nullable MemberScore held) {
    this.rules = rules;
    this.slot = slot;
    this.amending = amending;
    this.memberActions = memberActions;
    this.held = held;
  }

  /**
   * What an event would do.
   *
   * @param objection why it cannot count; null if it can, and the rest holds only then
   * @param correction what an amendment would keep of it
   * @param change how many points more the member would hold; negative for fewer
   * @param line what the member would hold
   */
  record Effect(
      @Nullable String objection,
      @Nullable Correction correction,
      long change,
      @Nullable MemberScore line) {

    static Effect none(String objection) {
      return new Effect(objection, null, 0, null);
    }
  }

  /** What the member holds, by all that has counted so far; null if it has no line. */
  @Nullable MemberScore held() {
    return held;
  }

  /**
   * What the event would do; changes nothing.
   *
   * @param n the number that its correction would have
   */
  Effect hear(LateEvent event, int n) {
    if (event.occurredAt().isBefore(slot.startsAt())
        || !event.occurredAt().isBefore(slot.endsAt())) {
      return Effect.none("it did not happen in the period, but at " + event.occurredAt());
    }
    Action action = rules.actions().get(event.action());
    if (action == null) {
      return Effect.none("the rules of the period do not count '%s'".formatted(event.action()));
    }
    String objection = event.undo() ? undoable(event, action) : countable(event, action);
    if (objection != null) {
      return Effect.none(objection);
    }
    Correction correction = correction(event, action, n);
    MemberScore after = amending.after(held, correction);
    if (after == held) {
      return Effect.none(
          "it betters nothing: %s holds %d".formatted(event.member(), after.points()));
    }
    objection = room(after);
    return objection == null
        ? new Effect(null, correction, after.points() - (held == null ? 0 : held.points()), after)
        : Effect.none(objection);
  }

  /** As {@link #hear}; and if it counts, what comes after is heard on top of it. */
  Effect take(LateEvent event, int n) {
    Effect effect = hear(event, n);
    Correction correction = effect.correction();
    Action action = rules.actions().get(event.action());
    if (correction != null && action != null) {
      held = effect.line();
      keep(memberActions, event, action, correction);
    }
    return effect;
  }

  /** What bears on later ones of an event that counts. */
  static void keep(
      MemberActions memberActions, LateEvent event, Action action, Correction correction) {
    if (event.undo()) {
      memberActions.undid(action, event.subject());
    } else {
      memberActions.did(
          action,
          event.subject(),
          event.occurredAt(),
          event.quantity(),
          correction.points(),
          correction.thenBy());
    }
  }

  private Correction correction(LateEvent event, Action action, int n) {
    Long value = rules.scale().scoring().takesValues() ? event.value() : null;
    long points = value == null ? action.points() * event.quantity() : value;
    long then = event.thenBy() == null || rules.scale().thenBy() == null ? 0 : event.thenBy();
    MemberActions.Gift gift = event.undo() ? memberActions.gift(action, event.subject()) : null;
    return new Correction(
        n,
        event.member(),
        event.id(),
        gift == null ? points : -gift.points(),
        gift == null ? then : -gift.thenBy(),
        event.occurredAt());
  }

  private @Nullable String undoable(LateEvent event, Action action) {
    if (!action.undo()) {
      return "the rules of the period do not take '%s' back".formatted(event.action());
    }
    return memberActions.gift(action, event.subject()) == null
        ? "there is nothing to undo: %s has no '%s' on '%s' that counts"
            .formatted(event.member(), event.action(), event.subject())
        : null;
  }

  private @Nullable String countable(LateEvent event, Action action) {
    Invites invites = rules.invites();
    if (invites != null
        && invites.action().equals(event.action())
        && event.member().equals(event.subject())) {
      return event.member() + " cannot invite itself";
    }
    if (event.quantity() > action.maxQuantity()) {
      return "one event may bring at most %d of '%s', not %d"
          .formatted(action.maxQuantity(), event.action(), event.quantity());
    }
    Scale scale = rules.scale();
    if (scale.scoring().takesValues() && event.value() == null) {
      return "it states no value";
    }
    if (scale.thenBy() != null && event.thenBy() == null) {
      return "it states no " + scale.thenBy().name();
    }
    return memberActions.objection(
        event.member(), action, event.subject(), event.occurredAt(), event.quantity());
  }

  /** Why nobody can hold this; null if somebody can. */
  private @Nullable String room(MemberScore line) {
    return room(rules.scale(), line);
  }

  static @Nullable String room(Scale scale, MemberScore line) {
    if (line.points() < 0 || line.points() > scale.maxPoints()) {
      return "%s would hold %d points, and the board's are from 0 to %d"
          .formatted(line.member(), line.points(), scale.maxPoints());
    }
    if (line.thenBy() < 0 || line.thenBy() > scale.maxThen()) {
      return "%s would hold %d by the second key, and the board's are from 0 to %d"
          .formatted(line.member(), line.thenBy(), scale.maxThen());
    }
    return null;
  }
}
