package palmares.live.intake;

import palmares.live.board.Decision;
import palmares.live.board.Verdict;
import palmares.live.intake.EventRouting.Task;
import palmares.period.Period;
import palmares.rules.board.Action;
import palmares.rules.board.OncePer;
import palmares.rules.board.Scale;
import palmares.rules.board.Scoring;

/** Why a live board changed nothing, in a sentence. */
final class DecisionDetails {
  private DecisionDetails() {}

  static String of(Task task, Verdict verdict, Decision decision) {
    Event event = task.event();
    Period period = task.opening().period();
    Scale scale = task.opening().rules().scale();
    return switch (verdict) {
      case REPEATED -> repeated(task);
      case NOTHING_TO_UNDO ->
          "%s has no '%s' on '%s' to undo in %s"
              .formatted(event.member(), event.action(), event.subject(), period.label());
      case UNCHANGED -> unchanged(task, scale);
      case CAPPED -> capped(task);
      case CONFLICT ->
          "another event with the id '%s' was taken in %s: send this one with an id of its own"
              .formatted(event.id(), period.label());
      case FULL ->
          "%s holds %d points in %s, and %d more would pass the board's max-points of %d"
              .formatted(
                  event.member(),
                  decision.points(),
                  period.label(),
                  decision.change(),
                  scale.maxPoints());
      case FULL_THEN ->
          "%d more of the second key would pass its most, %d, for %s in %s"
              .formatted(event.thenBy(), scale.maxThen(), event.member(), period.label());
      case FULL_SUM ->
          "the points of all members of %s together would pass what can be counted, 2^63"
              .formatted(period.label());
      case EXHAUSTED ->
          "%s has decided the %d events that its max-events lets it put in order"
              .formatted(period.label(), scale.maxEvents());
      default ->
          "%s takes no more events; this one is kept for staff to see".formatted(period.label());
    };
  }

  private static String unchanged(Task task, Scale scale) {
    Event event = task.event();
    String period = task.opening().period().label();
    return scale.scoring() == Scoring.LATEST
        ? "%s holds a later value in %s than this one, %d"
            .formatted(event.member(), period, event.value())
        : "the value %d does not better what %s holds in %s"
            .formatted(event.value(), event.member(), period);
  }

  private static String repeated(Task task) {
    Event event = task.event();
    String period = task.opening().period().label();
    OncePer oncePer = task.change().action().oncePer();
    return oncePer == OncePer.SUBJECT
        ? "%s did '%s' to '%s' in %s already"
            .formatted(event.member(), event.action(), event.subject(), period)
        : "%s did '%s' in %s already, where it counts once per %s"
            .formatted(event.member(), event.action(), period, oncePer.word());
  }

  private static String capped(Task task) {
    Action action = task.change().action();
    return "%s did '%s' as often in %s as counts%s%s"
        .formatted(
            task.event().member(),
            action.name(),
            task.opening().period().label(),
            action.maxPerDay() > 0 ? ": %d a day".formatted(action.maxPerDay()) : "",
            action.maxPerPeriod() > 0 ? ": %d a period".formatted(action.maxPerPeriod()) : "");
  }
}
