package palmares.settlement.verification;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.settlement.outcome.Revision;
import palmares.settlement.verification.VerificationScope.Outcome;

/**
 * Periods that are verified together, by the same rules.
 *
 * @param labels how messages name them, by their ids
 * @param outcomes all of them
 */
record VerificationBatch(Board board, Map<Long, String> labels, List<Outcome> outcomes) {

  /** What outcomes that are derived by one statement have in common. */
  record Kind(BoardId board, int number, String definitionHash) {}

  Long[] ids() {
    return labels.keySet().toArray(Long[]::new);
  }

  Integer[] closings() {
    return numbers(outcome -> outcome.number() == Revision.FIRST);
  }

  /** Whether any of them has tables of its own. */
  boolean apart() {
    return outcomes.stream().anyMatch(Outcome::apart);
  }

  /** Those of these periods alone. */
  VerificationBatch of(Map<Long, String> some) {
    return with(board, some, outcome -> true);
  }

  /** The posted outcomes, by what they are derived by, earlier revisions first. */
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

  private VerificationBatch with(Board rules, Map<Long, String> some, Predicate<Outcome> which) {
    var kept = new ArrayList<Outcome>();
    for (Outcome outcome : outcomes) {
      if (some.containsKey(outcome.periodId()) && which.test(outcome)) {
        kept.add(outcome);
      }
    }
    return new VerificationBatch(rules, some, kept);
  }

  /** Where there are none, 0, which no outcome has: an empty array would prune no partition. */
  private Integer[] numbers(Predicate<Outcome> which) {
    List<Integer> numbers = outcomes.stream().filter(which).map(Outcome::id).toList();
    return (numbers.isEmpty() ? List.of(0) : numbers).toArray(Integer[]::new);
  }

  /** What statements about closings and journals ask for. */
  Map<String, Object> parameters() {
    var parameters = new HashMap<String, Object>(RuleArrays.of(board).parameters());
    parameters.put("ids", ids());
    parameters.put("closings", closings());
    parameters.putAll(LineOrder.parameters(board));
    return parameters;
  }

  /**
   * What statements about one revision of each period ask for.
   *
   * @param rules by which they are awarded
   */
  Map<String, Object> parameters(Board rules, int revision) {
    Map<String, Object> parameters = with(rules, labels, outcome -> true).parameters();
    parameters.put("revision", revision);
    parameters.put("outcomes", numbers(outcome -> outcome.number() == revision));
    parameters.put("formers", numbers(outcome -> outcome.number() < revision && outcome.posted()));
    return parameters;
  }
}
