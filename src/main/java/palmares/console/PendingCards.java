package palmares.console;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import palmares.api.roles.Caller;
import palmares.operations.report.PendingDecisions;
import palmares.operations.report.PendingDecisions.Hold;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Entry;
import palmares.period.BoardPauses;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Decision;
import palmares.settlement.outcome.Revisions;

/** Reads what is pending about a period, for the person who looks at it. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class PendingCards {
  private static final Set<PeriodState> CAN_BE_LIFTED =
      Set.of(PeriodState.OPEN, PeriodState.SEALED, PeriodState.FILLED);

  private final PendingDecisions decisions;
  private final PeriodList periods;
  private final Periods all;
  private final BoardPauses pauses;
  private final Revisions revisions;

  PendingCards(
      PendingDecisions decisions,
      PeriodList periods,
      Periods all,
      BoardPauses pauses,
      Revisions revisions) {
    this.decisions = decisions;
    this.periods = periods;
    this.all = all;
    this.pauses = pauses;
    this.revisions = revisions;
  }

  Pending of(Period period) {
    Optional<Revision> undecided = decisions.undecided(period.id());
    Entry entry = periods.get(period.id());
    boolean isSettled = period.state().isSettled();
    return new Pending(
        undecided.orElse(null),
        entry.undecided() == null ? null : entry.waitsFor(),
        undecided.map(decisions::sums).orElse(List.of()),
        undecided.flatMap(this::refusal).orElse(null),
        hold(period).orElse(null),
        isSettled ? null : pauses.find(period.board()).orElse(null),
        isSettled ? null : entry.retryAt(),
        isSettled || entry.failure() == null ? null : entry.repair(),
        rejection(period));
  }

  private @Nullable Decision rejection(Period period) {
    return period.state() == PeriodState.REJECTED
        ? revisions.find(period.id(), Revision.FIRST).map(Revision::decision).orElse(null)
        : null;
  }

  /** Why the caller may not approve an outcome. */
  Optional<Sentence> refusal(Revision revision) {
    return decisions.refusal(revision, Caller.get().name());
  }

  /** Why the caller may not approve the undecided outcomes of periods, by the same names. */
  Map<String, Sentence> refusals(Map<String, PeriodId> periods) {
    Map<PeriodId, Sentence> known = decisions.refusals(periods.values(), Caller.get().name());
    return periods.entrySet().stream()
        .filter(period -> known.containsKey(period.getValue()))
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, period -> Objects.requireNonNull(known.get(period.getValue()))));
  }

  /** What members get and give back by the undecided outcomes of periods. */
  Map<PeriodId, List<Sum>> sums(Collection<PeriodId> periods) {
    return decisions.sumsByPeriod(periods);
  }

  /** Why the caller may not approve what a task has left undecided about a period. */
  Optional<Sentence> refusal(BoardId board, PeriodName name) {
    return all.find(board, name)
        .flatMap(period -> decisions.undecided(period.id()))
        .flatMap(this::refusal);
  }

  /** A hold that can be lifted: of a held closing, it is one of the reasons. */
  private Optional<Hold> hold(Period period) {
    return CAN_BE_LIFTED.contains(period.state()) ? decisions.hold(period.id()) : Optional.empty();
  }
}
