package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.ui.ExtendedModelMap;
import org.springframework.ui.Model;
import palmares.api.roles.Caller;
import palmares.console.BoardCards.Card;
import palmares.console.BoardCards.Need;
import palmares.console.PayoutEstimates.Estimate;
import palmares.console.PayoutEstimates.Sum;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.rules.board.Board;
import palmares.rules.payout.RewardRule.PrizeTable;
import palmares.settlement.closing.ClosingSentences;
import palmares.settlement.closing.ClosingSentences.ByRule;
import palmares.settlement.closing.Preview;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What the pages over boards show: their order, their days, and what they would pay. */
@WorldTest
class BoardPagesTest {
  @Autowired private World world;
  @Autowired private BoardPages pages;
  @Autowired private BoardListPages lists;
  @Autowired private PeriodPages periodPages;
  @Autowired private ReportPages reports;
  @Autowired private VerbPages verbs;
  @Autowired private PayoutEstimates estimates;
  @Autowired private Preview preview;

  @BeforeEach
  void signIn() {
    SecurityContextHolder.setContext(new SecurityContextImpl(Caller.local("ann").authentication()));
  }

  @AfterEach
  void signOut() {
    SecurityContextHolder.clearContext();
  }

  /** The cells of a board in the grid, each as the first of its days and its periods. */
  private DayGrid.Row row(Board board, ExtendedModelMap model) {
    lists.grid(model);
    return ((List<?>) Objects.requireNonNull(model.get("rows")))
        .stream()
            .map(DayGrid.Row.class::cast)
            .filter(each -> each.board().id().equals(board.id()))
            .findFirst()
            .orElseThrow();
  }

  private List<String> cells(Board board) {
    ExtendedModelMap model = model(world.now());
    DayGrid.Row row = row(board, model);
    var grid = (DayGrid) Objects.requireNonNull(model.get("grid"));
    assertThat(row.cells().stream().mapToInt(DayGrid.Cell::span).sum()).isEqualTo(grid.days());
    LocalDate day = grid.first();
    var cells = new ArrayList<String>();
    for (DayGrid.Cell cell : row.cells()) {
      for (var period : cell.periods()) {
        cells.add("%s: %s, %d days".formatted(period.period(), day, cell.span()));
      }
      day = day.plusDays(cell.span());
    }
    return cells;
  }

  /** A day in Los Angeles ends on the next day in UTC. */
  @Test
  void aPeriodTakesTheDaysOfItsBoardsOwnZone() {
    Board days = world.board(Rules.day().with("zone: America/Los_Angeles"));
    Board weeks = world.board(Rules.of("week").with("zone: America/Los_Angeles"));
    world.now(Instant.parse("2026-11-13T20:00:00Z"));
    world.open(days);
    world.open(weeks);
    world.now(Instant.parse("2026-11-21T20:00:00Z"));
    world.open(days);
    world.open(weeks);
    assertThat(cells(days))
        .contains("2026-11-13: 2026-11-13, 1 days", "2026-11-21: 2026-11-21, 1 days");
    assertThat(cells(weeks))
        .as("whole weeks from Monday on, and the present one until today")
        .containsExactly("2026-W46: 2026-11-09, 7 days", "2026-W47: 2026-11-16, 6 days");
    world.now(Instant.parse("2026-12-17T20:00:00Z"));
    assertThat(cells(weeks)).contains("2026-W46: 2026-11-13, 3 days");
  }

  @Test
  void aDayThatBeginsAtFourTakesTheDayOfItsName() {
    Board days = world.board(Rules.day().with("starts-at: 04:00"));
    world.now(Instant.parse("2026-11-21T03:00:00Z"));
    world.open(days);
    world.now(Instant.parse("2026-11-21T05:00:00Z"));
    world.open(days);
    assertThat(cells(days))
        .containsExactly("2026-11-20: 2026-11-20, 1 days", "2026-11-21: 2026-11-21, 1 days");
  }

  @Test
  void aDayOfManyHoursShowsThoseThatAreNotSettled() {
    Board hours = world.board(Rules.of("hour"));
    for (int hour = 10; hour < 16; hour++) {
      world.settle(world.open(hours));
    }
    world.open(hours);
    DayGrid.Cell today =
        row(hours, model(world.now())).cells().stream()
            .max(Comparator.comparing(cell -> cell.periods().size()))
            .orElseThrow();
    assertThat(today.periods())
        .extracting(period -> period.period())
        .contains("2026-11-20T10", "2026-11-20T16");
    assertThat(today.shown())
        .extracting(period -> period.period())
        .containsExactly("2026-11-20T16");
  }

  private List<String> titles(String find, String sort) {
    ExtendedModelMap model = model(world.now());
    lists.boards(find, sort, model);
    return ((List<?>) Objects.requireNonNull(model.get("cards")))
        .stream().map(card -> ((Card) card).board().title()).toList();
  }

  @Test
  void boardsThatNeedAPersonComeFirst() {
    Board calm = world.board(Rules.day().with("title: Anagrams"));
    Board wide = world.board(Rules.of("week").with("title: Bridges"));
    Board bad = world.board(Rules.day().with("title: Crosswords"));
    Period day = world.open(bad);
    world.take(Fact.by("ann"));
    world.now(Objects.requireNonNull(day.closesAt()));
    world.close(
        day,
        step -> {
          throw new IllegalStateException("no space left");
        });
    world.open(calm);
    world.open(wide);
    world.take(List.of(Fact.by("ann"), Fact.by("bob")));
    assertThat(titles("", "")).containsExactly("Crosswords", "Anagrams", "Bridges");
    assertThat(titles("", "board")).containsExactly("Anagrams", "Bridges", "Crosswords");
    assertThat(titles("", "closes")).startsWith("Anagrams");
    assertThat(titles(" BRIDGE ", "")).containsExactly("Bridges");
    assertThat(titles(calm.id().value().toUpperCase(Locale.ROOT), "")).contains("Anagrams");

    ExtendedModelMap model = model(world.now());
    lists.boards(null, null, model);
    Card first = (Card) ((List<?>) Objects.requireNonNull(model.get("cards"))).get(0);
    assertThat(first.needs()).containsExactly(new Need("failed", day.name().value()));
    assertThat(first.states()).containsEntry("failed", 1L);
  }

  @Test
  void eachBoardCountsItsOwnPeriodsThatNeedAPerson() {
    Board bad = world.board(Rules.day().with("title: Anagrams"));
    Board worse = world.board(Rules.day().with("title: Bridges"));
    for (int i = 0; i < 12; i++) {
      world.open(worse);
      if (i == 0) {
        world.open(bad);
      }
      world.pass(Duration.ofDays(1));
    }
    ExtendedModelMap model = model(world.now());
    lists.boards(null, "board", model);
    List<?> cards = (List<?>) Objects.requireNonNull(model.get("cards"));
    Card one = (Card) cards.get(0);
    Card many = (Card) cards.get(1);
    assertThat(one.needed()).isEqualTo(one.needs().size()).isOne();
    assertThat(many.needed()).isBetween(11L, 12L);
    assertThat(many.needs()).hasSize(10);
  }

  private MockHttpServletRequest about(Period period) {
    var request = new MockHttpServletRequest();
    request.addParameter("board", period.board().value());
    request.addParameter("period", period.name().value());
    return request;
  }

  @Test
  void pagesAboutOneBoardHaveItsZone() {
    Board board = world.board(Rules.day().with("zone: America/Los_Angeles"));
    Period day = world.open(board);
    String id = board.id().value();
    String name = day.name().value();
    List<Function<Model, String>> all =
        List.of(
            model -> reports.board(id, null, null, 10, null, model),
            model -> reports.payoutOfBoard(id, null, null, null, model),
            model -> reports.payoutOfPeriod(id, name, null, model),
            model -> verbs.form("hold", null, about(day), model));
    for (Function<Model, String> page : all) {
      ExtendedModelMap model = model(world.now());
      String view = page.apply(model);
      assertThat(model.get("show"))
          .as(view)
          .isInstanceOfSatisfying(
              Show.class, show -> assertThat(show.zone()).isEqualTo(board.zone()));
      assertThat(model).as(view).containsEntry("namesZone", true);
    }
  }

  /** A page's model, as {@link PageModel} prepares it. */
  static ExtendedModelMap model(Instant now) {
    var model = new ExtendedModelMap();
    model.addAttribute("show", new Show(Locale.ENGLISH, now));
    return model;
  }

  private List<String> prizes(Board board) {
    ExtendedModelMap model = model(world.now());
    pages.board(board.id().value(), null, Locale.ENGLISH, model);
    return ((List<?>) Objects.requireNonNull(model.get("prizes")))
        .stream()
            .map(PrizeTable.class::cast)
            .flatMap(
                table ->
                    table.prizes().stream()
                        .map(
                            prize ->
                                "%s %s %s: %d %s"
                                    .formatted(
                                        table.rule(),
                                        table.basis(),
                                        prize.who(),
                                        prize.amount(),
                                        table.currency())))
            .toList();
  }

  @Test
  void prizesThatDifferAreInATable() {
    Board board =
        world.board(
            Rules.day()
                .with(
                    """
                    rewards:
                      - { rule: podium, ranks: { 1: 5000, 2-1000: 500 } }
                      - { rule: best, top: { 0.5%: 30, 10%: 20 }, currency: gems }
                      - { rule: goal, points: { 1000: 7 } }
                      - { rule: each, per: invite, credits: 20 }
                      - { rule: all, taking-part: 1 }
                    """));
    assertThat(prizes(board))
        .containsExactly(
            "podium rank 1: 5000 credits",
            "podium rank 2–1,000: 500 credits",
            "best top 0.5 %: 30 gems",
            "best top 10 %: 20 gems",
            "goal points 1,000: 7 credits");
    Board race =
        world.board(
            Rules.day()
                .with("scoring: lowest-best")
                .with("actions: { lap: {} }")
                .with("rewards: [{ rule: fast, points: { 900: 5 } }]"));
    assertThat(prizes(race)).containsExactly("fast fewest 900: 5 credits");
  }

  @Test
  void anEstimateIsWhatTheClosingWouldPay() {
    Board board =
        world.board(Contest.rules().with("payout: { budget: { credits: { period: 2000 } } }"));
    Period day = world.open(board);
    assertThat(estimates.applies(day)).isTrue();
    world.takeAll(Contest.facts(), World.ANYBODY);
    Estimate estimate = estimates.of(day);
    assertThat(estimate.rules())
        .containsExactlyInAnyOrder(
            new ByRule("podium", BigDecimal.valueOf(1600), "credits", 3),
            new ByRule("each-invite", BigDecimal.valueOf(80), "credits", 3));
    assertThat(estimate.sums())
        .containsExactly(new Sum("credits", BigDecimal.valueOf(1680), null, 0, 2000L));
    assertThat(estimate.sums().get(0).percent()).isEqualTo(84);

    world.take(Fact.by("zoe").does("invite").on("uma"));
    assertThat(estimates.of(day)).as("kept for a while").isSameAs(estimate);
    world.pass(Duration.ofMinutes(30));
    Estimate later = estimates.of(day);
    assertThat(later.asOf()).isEqualTo(world.now());
    assertThat(later.members()).isEqualTo(estimate.members() + 1);

    world.settle(day);
    assertThat(estimates.applies(world.again(day))).isFalse();
  }

  @Test
  void anEstimateThatIsRefusedIsTheLastOneOrThePageSaysWhy() {
    Period day = world.open(world.board(Contest.rules()));
    world.takeAll(Contest.facts(), World.ANYBODY);
    whileAnotherIsComputed(
        day,
        () ->
            assertThatThrownBy(() -> estimates.of(day))
                .isInstanceOf(PeriodBusy.class)
                .hasMessageContaining(day.label()));
    Estimate last = estimates.of(day);
    world.pass(Duration.ofMinutes(30));
    whileAnotherIsComputed(day, () -> assertThat(estimates.of(day)).isSameAs(last));
    assertThat(estimates.of(day).asOf()).isEqualTo(world.now());

    world.settle(day);
    ExtendedModelMap model = model(world.now());
    periodPages.estimate(day.board().value(), day.name().value(), model);
    assertThat(model)
        .doesNotContainKey("estimate")
        .containsEntry("refusal", new ClosingSentences.NotEstimated(day.label()));
  }

  private void whileAnotherIsComputed(Period day, Runnable look) {
    preview.ask(
        day,
        forecast -> {
          CompletableFuture.runAsync(look).join();
          return forecast;
        });
  }

  @Test
  void whatIsUsualIsTheMedianOfThreePeriodsOrMore() {
    Board board = world.board(Contest.rules());
    for (int i = 0; i < 3; i++) {
      Period day = world.open(board);
      world.takeAll(Contest.facts().subList(0, 1 + i), World.ANYBODY);
      world.pass(Duration.ofDays(1));
      world.settle(day);
    }
    Period day = world.open(board);
    ExtendedModelMap model = model(world.now());
    pages.board(board.id().value(), null, Locale.ENGLISH, model);
    assertThat((List<?>) model.get("charts"))
        .hasSize(2)
        .anySatisfy(
            chart ->
                assertThat(((Charts.Drawing) chart).desk())
                    .contains("credits: from 1,020 to 3,060, at the end 3,060.</desc>"))
        .allSatisfy(
            chart ->
                assertThat(((Charts.Drawing) chart).phone())
                    .containsPattern("from \\S+ to \\S+, at the end \\S+\\.</desc>"));
    Sum sum = estimates.of(day).sums().get(0);
    assertThat(sum.amount()).isZero();
    assertThat(sum.periods()).isEqualTo(3);
    assertThat(sum.usual()).as("of 1,020, 2,040 and 3,060").isEqualByComparingTo("2040");
  }
}
