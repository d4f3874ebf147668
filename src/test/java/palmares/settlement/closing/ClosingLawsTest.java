package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.period.DuePeriods;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.WrongState;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** The outcome of a closing that succeeds. */
@WorldTest
class ClosingLawsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Closings closings;

  @Test
  void aContestPaysItsPrizesByRankAndItsActionsByCount() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.balance("ann")).isEqualTo(1040);
    assertThat(records.published(day).stream().map(Line::rank)).containsExactly(1L, 2L, 2L, 4L, 5L);
    assertThat(Texts.english(records.verify().summary()))
        .isEqualTo("verified: 1 period, 5 lines, 6 payments; 0 missing, 0 extra, 0 unequal");
  }

  @Test
  void closingTwicePaysOnce() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    assertThat(world.close(day).outcome()).isEqualTo(Status.ALREADY_SETTLED);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.number("select count(*) from run")).isEqualTo(1);
  }

  @Test
  void whatRulesAwardTogetherMustFitIntoAnAccount() {
    Rules rules =
        Rules.day()
            .with("max-points: 1024")
            .with("actions: { coin: { points: 1, max-quantity: 1024 } }")
            .with("rewards: [{ rule: each-coin, per: coin, credits: 9007199254740991 }]");
    Period day = world.open(world.board(rules));
    world.take(List.of(Fact.by("ann").does("coin").times(1024), Fact.by("bob").does("coin")));
    ClosingResult closed = world.close(day);
    assertThat(closed.outcome()).isEqualTo(Status.FAILED);
    assertThat(closed.text())
        .contains("the rules each-coin award 9232379236109515775 credits together");
    assertThat(records.published(day)).isEmpty();
  }

  @Test
  void aPeriodIsDueExactlyWhenItsGraceIsOver() {
    Period day = world.open(world.board(Contest.rules()));
    world.now(day.slot().endsAt().plusSeconds(600).minusNanos(1_000));
    assertThat(duePeriods.due()).isEmpty();
    assertThatThrownBy(() -> closings.close(day.id(), ClosingCause.of("test"), step -> {}))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("2026-11-21 00:10:00+00:00");
    assertThat(world.again(day).state()).isEqualTo(PeriodState.OPEN);
    world.now(day.slot().endsAt().plusSeconds(600));
    assertThat(duePeriods.due()).containsExactly(day.id());
  }

  @Test
  void aBoardThatNeverClosesIsNeverDue() {
    Board board =
        world.board(Rules.of("none").with("starts: 2020-01-01").with("resolution: minute"));
    Period all = world.open(board);
    world.now(all.slot().endsAt());
    assertThat(duePeriods.due()).isEmpty();
    assertThatThrownBy(() -> closings.close(all.id(), ClosingCause.of("test"), step -> {}))
        .isInstanceOf(WrongState.class);
  }

  @Test
  void aPeriodWithoutEventsSettlesAndPaysNobody() {
    Period day = world.open(world.board(Contest.rules()));
    world.settle(day);
    assertThat(records.published(day)).isEmpty();
    assertThat(records.paid(day)).isEmpty();
  }

  @Test
  void aPeriodWithOnlyRefusedEventsSettlesAndPaysNobody() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Fact.by("ann").on("post").undone());
    world.settle(day);
    assertThat(records.published(day)).isEmpty();
    assertThat(records.verify().clean()).isTrue();
  }

  @Test
  void aMemberWithoutPointsIsRankedButWinsNoPrize() {
    Period day = world.open(world.board(Contest.rules()));
    Fact like = Fact.by("eve").on("post");
    world.take(List.of(like, like.undone()));
    world.settle(day);
    assertThat(records.published(day).stream().map(Line::rank)).containsExactly(1L);
    assertThat(records.paid(day)).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aPeriodWithOneMemberPaysTheFirstPrize() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Fact.by("ann"));
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Map.of("ann podium", 1000L));
  }

  @ParameterizedTest
  @CsvSource({"unique, 5", "competition, 12", "dense, 12"})
  void whenAllPointsAreEqualTheRankMethodDecidesWhoIsPaid(String ranks, int paid) {
    Rules rules = Rules.day().with("ranks: " + ranks);
    String bands = ranks.equals("unique") ? "1-5: 10" : "1: 10, 2-12: 99";
    Period day =
        world.open(world.board(rules.with("rewards: [{ rule: top, ranks: { " + bands + " } }]")));
    world.take(IntStream.range(0, 12).mapToObj(n -> Fact.by("m" + n)).toList());
    world.settle(day);
    assertThat(records.paid(day))
        .hasSize(paid)
        .allSatisfy((who, sum) -> assertThat(sum).isEqualTo(10));
  }

  @Test
  void underDenseRanksABandPaysAllWhoShareARank() {
    Rules rules = Rules.day().with("ranks: dense");
    Period day =
        world.open(world.board(rules.with("rewards: [{ rule: two, ranks: { 1-2: 10 } }]")));
    world.take(
        List.of(
            Fact.by("a").does("invite"), Fact.by("b").does("invite"), Fact.by("c"), Fact.by("d")));
    world.settle(day);
    assertThat(records.paid(day)).hasSize(4);
  }

  @Test
  void aBoardWithoutRewardsSettlesWithoutATransfer() {
    Period day = world.open(world.board(Rules.day()));
    world.take(Fact.by("ann"));
    world.settle(day);
    assertThat(records.number("select count(*) from transfer")).isZero();
    assertThat(records.published(day)).hasSize(1);
  }

  @Test
  void aPeriodClosesUnderTheRulesThatItOpenedUnder() {
    Board board = world.board(Contest.rules());
    Period first = world.open(board);
    world.take(Fact.by("ann"));
    world.edit(
        board,
        Contest.rules()
            .with("max-points: 99")
            .with("actions: { like: 7 }")
            .with("rewards: [{ rule: podium, ranks: { 1: 5 } }]"));
    world.take(Fact.by("ann"));
    world.settle(first);
    assertThat(records.published(first).get(0).points()).isEqualTo(2);
    assertThat(records.paid(first)).isEqualTo(Map.of("ann podium", 1000L));

    world.take(Fact.by("ann"));
    Period next = world.period(board, "2026-11-21");
    world.settle(next);
    assertThat(records.published(next).get(0).points()).isEqualTo(7);
    assertThat(records.paid(next)).isEqualTo(Map.of("ann podium", 5L));
    assertThat(records.verify().clean()).isTrue();
  }
}
