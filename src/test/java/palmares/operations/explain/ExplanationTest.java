package palmares.operations.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.i18n.LocaleContextHolder;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.text.Texts;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** An explanation names the rule and figures of each prize, and why there is none. */
@WorldTest
class ExplanationTest {
  @Autowired private World world;
  @Autowired private Explainer explainer;
  @Autowired private KnownMembers knownMembers;
  @Autowired private Exclusions exclusions;

  /** Of five members, ann has 9 points, bob and cid 5 each, dan 2, eve 1. */
  private Period settled() {
    Period day =
        world.open(
            world.board(
                Rules.day()
                    .with("ranks: competition")
                    .with(
                        """
                        actions:
                          coin: { points: 1, max-quantity: 9, max-per-day: 9 }
                          like: { points: 1, undo: true }
                        """)
                    .with(
                        """
                        rewards:
                          - { rule: podium, ranks: { 1: 100, 2-3: 30 }, ties: share }
                          - { rule: best, top: { 40%: 7 }, of: ranked, currency: gems }
                          - { rule: steps, points: { 2: 1, 5: 2 } }
                          - { rule: each-like, per: like, credits: 3 }
                        """)));
    coins("ann", 9);
    coins("bob", 5);
    coins("cid", 5);
    coins("dan", 2);
    world.take(Fact.by("eve").on("post"));
    return day;
  }

  private void coins(String member, long count) {
    world.take(Fact.by(member).does("coin").times(count));
  }

  private Explanation explain(Period period, String member) {
    return explainer.explain(period, new MemberId(member), 100).orElseThrow();
  }

  private static List<String> prizes(Explanation explanation) {
    return explanation.ends().get(0).prizes().stream()
        .map(prize -> prize.credits() + " " + prize.currency() + " " + Texts.english(prize.why()))
        .toList();
  }

  @Test
  void eachPrizeIsTracedToItsRuleAndItsFigures() {
    Period day = world.settle(settled());
    assertThat(prizes(explain(day, "bob")))
        .containsExactlyInAnyOrder(
            "30 credits rank 2: 30 for each of the ranks 2 to 3; 2 members have as many points, and"
                + " share the prizes of the places that they take",
            "7 gems rank 2: 7 for the best 40 % of 5 ranked members, which are 2 places; 2 members"
                + " have as many points, and each gets the prize of the rank",
            "2 credits 5 points: 2 for 5 or more");
    assertThat(prizes(explain(day, "eve")))
        .containsExactly("3 credits did 'like' 1 time, at 3 each");
    assertThat(explain(day, "bob").ties().near())
        .singleElement()
        .satisfies(
            tie ->
                assertThat(Texts.english(tie.why())).startsWith("shares the rank, and is placed "));
    assertThat(explain(day, "bob").transfers()).hasSize(3);
  }

  /** Ann is the best of 4, dan the last but paid. */
  @Test
  void ofStepsAndBandsWithEqualPrizesItNamesTheOneThatWasReached() {
    Period day =
        world.open(
            world.board(
                Rules.day()
                    .with("actions: { coin: { points: 1, max-quantity: 9 } }")
                    .with(
                        """
                        rewards:
                          - { rule: best, top: { 25%: 7, 50%: 3, 100%: 7 }, of: ranked }
                          - { rule: steps, points: { 1: 4, 3: 6, 5: 4 } }
                        """)));
    coins("ann", 9);
    coins("bob", 4);
    coins("cid", 3);
    coins("dan", 1);
    world.settle(day);
    assertThat(prizes(explain(day, "ann")))
        .containsExactlyInAnyOrder(
            "7 credits rank 1: 7 for the best 25 % of 4 ranked members, which are 1 place",
            "4 credits 9 points: 4 for 5 or more");
    assertThat(prizes(explain(day, "dan")))
        .containsExactlyInAnyOrder(
            "7 credits rank 4: 7 for the best 100 % of 4 ranked members, which are 4 places",
            "4 credits 1 point: 4 for 1 or more");
  }

  /** But for ids, times and the names of the file. */
  @Test
  void itIsInTheLanguageOfItsReader() {
    Explanation explanation = explain(world.settle(settled()), "bob");
    LocaleContextHolder.setLocale(Locale.CHINESE);
    try {
      assertThat(String.join("\n", ExplanationText.of(explanation)))
          .contains("事件：1", "第 1 版，生效中", "第 2 名，位次 ", "转账")
          .doesNotContainPattern("[a-z]{3,} [a-z]{3,} [a-z]{3,}");
    } finally {
      LocaleContextHolder.resetLocaleContext();
    }
  }

  @Test
  void anExclusionIsNamedWithItsReason() {
    Period day = settled();
    exclusions.exclude(
        new Exclusion.Terms(new MemberId("ann"), ExclusionLevel.NO_PRIZE, null, null, null),
        "two accounts",
        "bob");
    Explanation.Standing end = explain(world.settle(day), "ann").ends().get(0);
    assertThat(end.excluded())
        .isEqualTo(
            new ExplanationSentences.Excluded(ExclusionLevel.NO_PRIZE, "bob", "two accounts"));
    assertThat(end.nothing()).isEqualTo(new ExplanationSentences.NoPrize());
    assertThat(end.prizes()).isEmpty();
  }

  @Test
  void eventsThatDidNotCountAreListedAndLongListsAreCut() {
    Period day = settled();
    coins("ann", 1);
    IntStream.range(0, 600).forEach(n -> world.take(Fact.by("ann").on("post-" + n)));
    day = world.settle(day);
    Explanation.Journal journal =
        explainer.explain(day, new MemberId("ann"), 10).orElseThrow().journal();
    assertThat(journal.total()).isEqualTo(602);
    assertThat(journal.leftOut()).isEqualTo(592);
    assertThat(journal.steps())
        .hasSize(10)
        .last()
        .extracting(Explanation.Step::points)
        .isEqualTo(609L);
    assertThat(journal.curve())
        .hasSizeLessThanOrEqualTo(500)
        .last()
        .extracting(Explanation.CurvePoint::points)
        .isEqualTo(609L);
    assertThat(explain(day, "ann").journal().total()).isEqualTo(602);
    assertThat(explainer.explain(day, new MemberId("ann"), 1000).orElseThrow().journal().steps())
        .anySatisfy(step -> assertThat(step.outcome()).isEqualTo("capped"));
  }

  @Test
  void anUnknownMemberHasNoExplanation() {
    Period day = world.settle(settled());
    assertThat(explainer.explain(day, new MemberId("kim"), 10)).isEmpty();
    world.open(world.board(Rules.day()));
    world.take(Fact.by("kim"));
    assertThat(knownMembers.similar(day, "anna")).containsExactly("ann");
  }
}
