package palmares.settlement.reward;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.period.Period;
import palmares.testing.Fact;
import palmares.testing.Model;

/** A period of a history, and what must be known of it. */
final class PlayedPeriod {
  final Period period;
  Model model;
  PayoutPlan rewards;

  /** Late events that no person has decided on, in order of arrival. */
  final Map<String, Fact> undecided = new LinkedHashMap<>();

  private final Map<String, Fact> late = new LinkedHashMap<>();
  private @Nullable HistoryOutcome outcome;

  PlayedPeriod(Period period, Model model, PayoutPlan rewards) {
    this.period = period;
    this.model = model;
    this.rewards = rewards;
  }

  boolean has(@Nullable Instant at) {
    return at != null
        && !at.isBefore(period.slot().startsAt())
        && at.isBefore(period.slot().endsAt());
  }

  boolean isOver(Instant now) {
    return !now.isBefore(Objects.requireNonNull(period.closesAt()));
  }

  /** What becomes of a fact that comes too late. */
  String late(Fact fact) {
    return model
        .repeated(fact)
        .orElseGet(
            () -> {
              Fact first = late.putIfAbsent(fact.id(), fact);
              if (first == null) {
                undecided.put(fact.id(), fact);
              }
              // The time of a late event is not compared.
              return first == null || first.at(Objects.requireNonNull(fact.at())).equals(fact)
                  ? "late"
                  : "conflicting-id";
            });
  }

  boolean isSettled() {
    return outcome != null;
  }

  /** The outcome in force. */
  HistoryOutcome outcome() {
    return Objects.requireNonNull(outcome);
  }

  void settle(HistoryOutcome inForce) {
    outcome = inForce;
  }
}
