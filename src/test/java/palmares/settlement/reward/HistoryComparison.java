package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.operations.explain.Explainer;
import palmares.operations.explain.Explanation;
import palmares.period.Period;
import palmares.rules.board.MemberId;
import palmares.testing.Line;
import palmares.testing.Records;

/** Compares what is published, owned, exported and explained with what a model says. */
final class HistoryComparison {
  private static final String NET =
      """
      select account || ' ' || rule || ' ' || currency || ' ' || sum(amount) from entry
      where period_id = ? and kind = 'member'
      group by account, rule, currency
      having sum(amount) <> 0
      """;

  private static final String AWARDS =
      """
      select member || ' ' || rule || ' ' || currency || ' ' || credits
      from award
      join revision on revision.id = outcome
      join period on period.id = revision.period_id and period.revision = revision.revision
      where period.id = ?
      """;

  @Autowired private Records records;
  @Autowired private JdbcClient jdbc;
  @Autowired private Explainer explainer;

  void compareLive(Period period, List<Line> expected, String member) {
    assertThat(untimed(records.live(period))).as("the live board").isEqualTo(untimed(expected));
    int at = 0;
    while (at < expected.size() && !expected.get(at).member().equals(member)) {
      at++;
    }
    if (at < expected.size()) {
      assertThat(untimed(records.around(period, member, 2)))
          .as("around %s", member)
          .isEqualTo(
              untimed(expected.subList(Math.max(0, at - 2), Math.min(expected.size(), at + 3))));
    }
  }

  private static List<Line> untimed(List<Line> lines) {
    return lines.stream().map(Line::untimed).toList();
  }

  void compare(Period period, HistoryOutcome outcome) {
    String revision = "of revision " + period.revision();
    assertThat(records.published(period)).as("lines %s", revision).isEqualTo(outcome.lines());
    assertThat(records.words(AWARDS, period.id().value()))
        .as("awards %s", revision)
        .containsExactlyInAnyOrderElementsOf(words(outcome.credits()));
    if (outcome.rewards().owed().equals("take")) {
      assertThat(records.words(NET, period.id().value()))
          .as("what members own by %s", revision)
          .containsExactlyInAnyOrderElementsOf(words(outcome.credits()));
    }
    for (int i = 0; i < outcome.lines().size(); i += 5) {
      compareExplanation(period, outcome, outcome.lines().get(i));
    }
  }

  private static List<String> words(Map<String, Long> credits) {
    var words = new ArrayList<String>();
    credits.forEach((what, each) -> words.add(what + " " + each));
    return words;
  }

  private void compareExplanation(Period period, HistoryOutcome outcome, Line line) {
    Explanation explained =
        explainer.explain(period, new MemberId(line.member()), 10).orElseThrow();
    Explanation.Standing end =
        explained.ends().stream()
            .filter(each -> each.revision() == period.revision())
            .findFirst()
            .orElseThrow();
    assertThat(end.place()).isEqualTo(line.place());
    assertThat(end.rank()).isEqualTo(line.rank() == 0 ? null : line.rank());
    assertThat(end.points()).isEqualTo(line.points());
    assertThat(end.reachedAt()).isEqualTo(line.reachedAt());
    assertThat(end.excluded() != null).isEqualTo(outcome.levels().containsKey(line.member()));
    var prizes = new TreeMap<String, Long>();
    end.prizes().forEach(prize -> prizes.put(prize.rule(), prize.credits()));
    assertThat(prizes).as("explained to %s", line).isEqualTo(outcome.creditsOf(line.member()));
    assertThat(end.nothing() == null).isEqualTo(!prizes.isEmpty());
    assertThat(explained.journal().total()).isEqualTo(outcome.model().taken(line.member()));
    assertThat(explained.transfers())
        .as("transfers explained to %s", line)
        .hasSameSizeAs(
            records.words(
                """
                select amount::text from transfer
                where period_id = ? and member = ?
                """,
                period.id().value(),
                line.member()));
  }

  void compareBalances(Map<String, Long> expected) {
    var stored = new TreeMap<String, Long>();
    jdbc.sql("select kind, account, currency, balance from trial_balance where balance <> 0")
        .query(
            row -> {
              stored.put(
                  "" + List.of(row.getString(1), row.getString(2), row.getString(3)),
                  row.getLong(4));
            });
    assertThat(stored).as("balances").isEqualTo(expected);
  }

  void compareExports(HistoryOutcome outcome) {}
}
