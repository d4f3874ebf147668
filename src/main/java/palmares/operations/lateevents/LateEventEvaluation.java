package palmares.operations.lateevents;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.MemberScore;
import palmares.rules.board.Scale;
import palmares.rules.calendar.Slot;

/**
 * Evaluates late events of one member, one after the other, on top of a revision, by the rules that
 * the live board applies.
 */
final class LateEventEvaluation {
  private final Board rules;
  private final Slot slot;
  private final LineCorrection lineCorrection;
  private final MemberActions actions;
  private @Nullable MemberScore held;

  LateEventEvaluation(
      Board rules,
      Slot slot,
      LineCorrection lineCorrection,
      MemberActions actions,
      @Nullable MemberScore held) {
    this.rules = rules;
    this.slot = slot;
    this.lineCorrection = lineCorrection;
    this.actions = actions;
    this.held = held;
  }

  /**
   * Says what a late event would change.
   *
   * @param rejection why it cannot count; null if it can
   * @param correction the correction in an amendment; null if rejected
   * @param change the points that the member would gain; negative for fewer
   * @param line the line that the member would have; null if rejected
   */
  record Effect(
      @Nullable Sentence rejection,
      @Nullable Correction correction,
      long change,
      @Nullable MemberScore line) {
    static Effect rejected(Sentence rejection) {
      return new Effect(rejection, null, 0, null);
    }
  }

  /**
   * Evaluates an event without applying it.
   *
   * @param n the number that its correction would have
   */
  Effect evaluate(LateEvent event, int n) {
    if (event.occurredAt().isBefore(slot.startsAt())
        || !event.occurredAt().isBefore(slot.endsAt())) {
      return Effect.rejected(
          new LateEventSentences.OutsideOfPeriod(event.occurredAt().atZone(rules.zone())));
    }
    Action action = rules.actions().get(event.action());
    if (action == null) {
      return Effect.rejected(new LateEventSentences.NoAction(event.action()));
    }
    Sentence rejection = event.undo() ? rejectUndo(event, action) : rejectAction(event, action);
    if (rejection != null) {
      return Effect.rejected(rejection);
    }
    Correction correction = correction(event, action, n);
    MemberScore after = lineCorrection.apply(held, correction);
    if (after == held) {
      return Effect.rejected(
          new LateEventSentences.ImprovesNothing(event.member(), after.points()));
    }
    rejection = exceededLimit(rules.scale(), after);
    return rejection == null
        ? new Effect(null, correction, after.points() - (held == null ? 0 : held.points()), after)
        : Effect.rejected(rejection);
  }

  /** Evaluates an event; if it counts, later ones are evaluated on top of it. */
  Effect apply(LateEvent event, int n) {
    Effect effect = evaluate(event, n);
    Correction correction = effect.correction();
    Action action = rules.actions().get(event.action());
    if (correction != null && action != null) {
      held = effect.line();
      record(actions, event, action, correction);
    }
    return effect;
  }

  /** Records what later events of the member depend on. */
  static void record(MemberActions actions, LateEvent event, Action action, Correction correction) {
    if (event.undo()) {
      actions.undid(action, event.subject(), event.occurredAt());
    } else {
      actions.did(
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
    MemberActions.Counted undone =
        event.undo() ? actions.counted(action, event.subject(), event.occurredAt()) : null;
    return new Correction(
        n,
        event.member(),
        event.id(),
        undone == null ? points : -undone.points(),
        undone == null ? then : -undone.thenBy(),
        event.occurredAt());
  }

  private @Nullable Sentence rejectUndo(LateEvent event, Action action) {
    if (!action.undo()) {
      return new LateEventSentences.NoUndo(event.action());
    }
    if (actions.counted(action, event.subject(), event.occurredAt()) != null) {
      return null;
    }
    String subject = String.valueOf(event.subject());
    return action.oncePer().isOfDay()
        ? new LateEventSentences.NothingToUndoOfDay(event.member(), event.action(), subject)
        : new LateEventSentences.NothingToUndo(event.member(), event.action(), subject);
  }

  private @Nullable Sentence rejectAction(LateEvent event, Action action) {
    Invites invites = rules.invites();
    if (invites != null
        && invites.action().equals(event.action())
        && event.member().equals(event.subject())) {
      return new LateEventSentences.InvitesItself(event.member());
    }
    if (event.quantity() > action.maxQuantity()) {
      return new LateEventSentences.TooMany(event.action(), action.maxQuantity(), event.quantity());
    }
    Scale scale = rules.scale();
    if (scale.scoring().takesValues() && event.value() == null) {
      return new LateEventSentences.NoValue();
    }
    if (scale.thenBy() != null && event.thenBy() == null) {
      return new LateEventSentences.NoSecondKey(scale.thenBy().name());
    }
    return actions.rejection(
        event.member(), action, event.subject(), event.occurredAt(), event.quantity());
  }

  /** The limit of the board that the line exceeds; null if none. */
  static @Nullable Sentence exceededLimit(Scale scale, MemberScore line) {
    if (line.points() < 0 || line.points() > scale.maxPoints()) {
      return new LateEventSentences.PointsPastLimit(
          line.member(), line.points(), scale.maxPoints());
    }
    if (line.thenBy() < 0 || line.thenBy() > scale.maxThen()) {
      return new LateEventSentences.SecondKeyPastLimit(
          line.member(), line.thenBy(), scale.maxThen());
    }
    return null;
  }
}
