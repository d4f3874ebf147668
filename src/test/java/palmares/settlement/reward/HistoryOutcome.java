package palmares.settlement.reward;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palmares.period.exclusion.ExclusionLevel;
import palmares.rules.board.RankMethod;
import palmares.testing.Line;
import palmares.testing.Model;

/**
 * What an outcome of a period must be.
 *
 * @param entrants by their lines
 * @param levels of those who are excluded
 * @param held ties that a person must decide
 * @param credits by member, rule and currency
 */
record HistoryOutcome(
    Model model,
    PayoutPlan rewards,
    Map<String, ExclusionLevel> levels,
    List<Line> lines,
    List<Entrant> entrants,
    Set<String> held,
    Map<String, Long> credits) {

  /**
   * @param inTime who had registered before the period ended
   * @param ties how a person decides
   */
  static HistoryOutcome of(
      Model model,
      PayoutPlan rewards,
      RankMethod method,
      Map<String, ExclusionLevel> levels,
      Set<String> inTime,
      String ties) {
    List<Line> lines = lines(model, method, levels);
    List<Entrant> entrants =
        lines.stream().map(line -> entrant(line, model, levels, inTime)).toList();
    return new HistoryOutcome(
        model,
        rewards,
        levels,
        lines,
        entrants,
        RuleModel.held(rewards, entrants),
        RuleModel.credits(rewards, entrants, ties));
  }

  /** The ranked ones, then those who are shown without a rank. */
  private static List<Line> lines(
      Model model, RankMethod method, Map<String, ExclusionLevel> levels) {
    var lines =
        new ArrayList<>(
            model.lines(
                method, member -> levels.getOrDefault(member, ExclusionLevel.NO_PRIZE).isRanked()));
    for (Line line :
        model.lines(RankMethod.UNIQUE, member -> levels.get(member) == ExclusionLevel.UNRANKED)) {
      lines.add(
          new Line(
              lines.size() + 1, 0, line.member(), line.points(), line.thenBy(), line.reachedAt()));
    }
    return lines;
  }

  private static Entrant entrant(
      Line line, Model model, Map<String, ExclusionLevel> levels, Set<String> inTime) {
    String member = line.member();
    Entrant entrant =
        Entrant.of(member, line.points()).then(line.thenBy()).doing(model.counted(member));
    entrant = inTime.contains(member) ? entrant : entrant.stranger();
    entrant = levels.get(member) == ExclusionLevel.NO_PRIZE ? entrant.barred() : entrant;
    return line.rank() == 0 ? entrant.unranked() : entrant;
  }

  /** What is paid in each currency. */
  Map<String, Long> sums() {
    var sums = new TreeMap<String, Long>();
    credits.forEach((what, each) -> sums.merge(what.split(" ")[2], each, Long::sum));
    return sums;
  }

  /** Whether a closing asks a person. */
  boolean isHeld() {
    boolean isOver =
        rewards.budget().entrySet().stream()
            .anyMatch(most -> sums().getOrDefault(most.getKey(), 0L) > most.getValue());
    return !held.isEmpty() || isOver || !rewards.approval().equals("none");
  }

  boolean same(HistoryOutcome other) {
    return lines.equals(other.lines) && credits.equals(other.credits);
  }

  /** What a member gets, by rule. */
  Map<String, Long> creditsOf(String member) {
    var own = new HashMap<String, Long>();
    credits.forEach(
        (what, each) -> {
          String[] words = what.split(" ");
          if (words[0].equals(member)) {
            own.put(words[1], each);
          }
        });
    return own;
  }
}
