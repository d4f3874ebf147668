package palmares.settlement.verification;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.CalendarTiling;
import palmares.rules.calendar.Slot;
import palmares.settlement.decisions.DecisionSql;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.verification.VerificationScope.Outcome;

/**
 * A set of periods of one board that are verified together, by the same rules. One with own tables
 * is verified alone.
 *
 * @param labels the periods' names in messages, by period id
 * @param outcomes all outcomes of these periods
 * @param span from the start of the first period to the end of the last, with those that are rests
 */
record VerificationBatch(Board board, Map<Long, String> labels, List<Outcome> outcomes, Span span) {
  /**
   * The time of periods, of which none begins earlier or ends later.
   *
   * @param rests the ids of those that no file names, which are held if they pay
   */
  record Span(Instant from, Instant to, List<Long> rests) {
    static Span of(Board board, Collection<Period> periods) {
      var slots = periods.stream().map(Period::slot).toList();
      return new Span(
          slots.stream().map(Slot::startsAt).min(Instant::compareTo).orElseThrow(),
          slots.stream().map(Slot::endsAt).max(Instant::compareTo).orElseThrow(),
          periods.stream()
              .filter(period -> CalendarTiling.restOf(board.calendar(), period.slot()).isPresent())
              .map(period -> period.id().value())
              .toList());
    }
  }

  /** What outcomes have in common that one statement derives. */
  record Kind(BoardId board, int number, String definitionHash) {}

  Set<Long> ids() {
    return labels.keySet();
  }

  boolean hasOwnTables() {
    return outcomes.stream().anyMatch(Outcome::hasOwnTables);
  }

  /** Whether it is one big closing, whose rows are counted with its manifest. */
  boolean hasClosingAlone() {
    return alone(Revision.FIRST) != 0;
  }

  /** The batch of some of these periods. */
  VerificationBatch of(Map<Long, String> some) {
    var kept = outcomes.stream().filter(outcome -> some.containsKey(outcome.periodId())).toList();
    return new VerificationBatch(board, some, kept, span);
  }

  VerificationBatch without(Map<Long, String> some) {
    var others = new LinkedHashMap<>(labels);
    others.keySet().removeAll(some.keySet());
    return of(others);
  }

  /** The labels of the periods with a posted outcome of each kind, earlier revisions first. */
  Map<Kind, Map<Long, String>> posted() {
    var kinds = new LinkedHashMap<Kind, Map<Long, String>>();
    for (Outcome outcome : outcomes) {
      if (outcome.posted()) {
        kinds
            .computeIfAbsent(
                new Kind(board.id(), outcome.number(), outcome.definitionHash()),
                kind -> new LinkedHashMap<>())
            .put(outcome.periodId(), Objects.requireNonNull(labels.get(outcome.periodId())));
      }
    }
    return kinds;
  }

  /** The ids of outcomes; if there are none, 0: an empty array would prune no partition. */
  private List<Integer> numbers(Predicate<Outcome> which) {
    List<Integer> numbers = outcomes.stream().filter(which).map(Outcome::id).toList();
    return numbers.isEmpty() ? List.of(0) : numbers;
  }

  /** The id of the outcome of this revision if it has own tables, else 0. */
  private int alone(int revision) {
    return outcomes.stream()
        .filter(outcome -> outcome.number() == revision && outcome.hasOwnTables())
        .mapToInt(Outcome::id)
        .findFirst()
        .orElse(0);
  }

  /** The parameters of checks of closings and journals. */
  Map<String, Object> parameters() {
    var parameters = new HashMap<String, Object>(RuleParameters.of(board).parameters());
    parameters.put("ids", ids());
    parameters.put("rests", span.rests());
    parameters.putAll(DecisionSql.parameters(board, span.from(), span.to()));
    parameters.put("screened", hasOwnTables() && board.scale().addsUpToLatestTime());
    parameters.put("closings", numbers(outcome -> outcome.number() == Revision.FIRST));
    return parameters;
  }

  /**
   * The parameters of checks of one revision of each period.
   *
   * @param rules those that the revision awards by
   */
  Map<String, Object> parameters(Board rules, int revision) {
    Map<String, Object> parameters =
        new VerificationBatch(rules, labels, outcomes, span).parameters();
    parameters.put("revision", revision);
    parameters.put("alone", alone(revision));
    parameters.put(
        "screened",
        hasOwnTables()
            && revision == Revision.FIRST
            && RuleParameters.of(rules).payForActionsAlone());
    parameters.put("lists", rules.exclusionLists());
    parameters.put("outcomes", numbers(outcome -> outcome.number() == revision));
    parameters.put("formers", numbers(outcome -> outcome.number() < revision && outcome.posted()));
    return parameters;
  }

  /** The tables of the outcomes among the parameters of a statement. */
  static OutcomeTables tables(Map<String, ?> parameters) {
    return OutcomeTables.of(
        Stream.of("closings", "outcomes", "formers")
            .map(parameters::get)
            .filter(List.class::isInstance)
            .flatMap(numbers -> ((List<?>) numbers).stream())
            .map(Integer.class::cast));
  }
}
