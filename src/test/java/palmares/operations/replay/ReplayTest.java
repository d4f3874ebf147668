package palmares.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.replay.Replays.Part;
import palmares.operations.replay.Replays.Replay;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Refusal;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.BoardFiles;
import palmares.settlement.reward.ReplayedAwards;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Other rules over settled periods cost what an amendment by them would pay, and write nothing. */
@WorldTest
class ReplayTest {
  private static final String MORE =
      """
      rewards:
        - { rule: podium, ranks: { 1: 2000, 2-3: 100 } }
        - { rule: each-invite, per: invite, credits: 20 }
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Replays replays;
  @Autowired private ReplayedAwards awards;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private TransactionTemplate transaction;

  private Board board;
  private final List<Period> days = new ArrayList<>();

  @BeforeEach
  void aBoard() {
    board = world.board(Contest.rules());
  }

  private void settle(Rules rules, int count) {
    board = world.board(rules);
    for (int i = 0; i < count; i++) {
      Period day = world.open(board);
      world.take(Contest.facts());
      days.add(world.settle(day));
    }
  }

  private Board rules(String text) {
    return BoardFiles.parse(board.id(), text);
  }

  private Replay replay(Rules rules) {
    return replays.of(board.id(), rules(rules.text()), null, null, 3);
  }

  private static List<String> rows(Replay replay, Part part) {
    return replay.rows().stream()
        .filter(row -> row.part() == part)
        .map(row -> row.name() + " " + row.paid() + " " + row.would() + " " + row.difference())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "payout: { match: all }",
        "payout: { match: first }",
        "payout: { forfeited: moves-up }"
      })
  void theRulesInForceCostWhatWasPaid(String payout) {
    settle(Contest.rules().with(payout), 2);
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.NO_PRIZE), "cheats", "zoe");
    amendments.prepare(days.get(0).id(), new AmendmentRequest("zoe", "cheats", null, Map.of()));
    amendments.approve(days.get(0).id(), null, "bob", "right so");
    Replay same = replay(Contest.rules().with(payout));
    assertThat(same.rows())
        .isNotEmpty()
        .allMatch(row -> requireNonNull(row.difference()).signum() == 0);
    assertThat(paid(same))
        .isEqualTo(
            records.number(
                """
                select sum(case purpose when 'return' then -amount else amount end)
                from transfer
                """));
    assertThat(same.notes().stream().map(Texts::english))
        .anyMatch(note -> note.contains("1 period was amended"));
  }

  private static long paid(Replay replay) {
    return replay.rows().stream()
        .filter(row -> row.part() == Part.TOTAL)
        .map(row -> requireNonNull(row.paid()))
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .longValueExact();
  }

  @Test
  void itSaysWhatOtherRulesWouldCostAndWhoGainsAndLoses() {
    settle(Contest.rules(), 2);
    Replay other = replay(Contest.rules().with(MORE));
    assertThat(rows(other, Part.TOTAL)).containsExactly(" 3360 4560 1200");
    assertThat(rows(other, Part.RULE))
        .containsExactly("each-invite 160 160 0", "podium 3200 4400 1200");
    assertThat(rows(other, Part.GAIN)).containsExactly("ann 2080 4080 2000");
    assertThat(rows(other, Part.LOSS)).containsExactly("bob 640 240 -400", "cid 640 240 -400");
    assertThat(rows(other, Part.MONTH)).containsExactly("2026-11 3360 4560 1200");
  }

  @Test
  void budgetsThatWouldHaveHeldAreNamed() {
    settle(Contest.rules(), 2);
    Replay other =
        replay(
            Contest.rules()
                .with(MORE)
                .with("payout: { budget: { credits: { period: 2279, month: 4560 } } }"));
    assertThat(rows(other, Part.BUDGET))
        .containsExactly(
            days.get(0).name() + " 1680 2280 600", days.get(1).name() + " 1680 2280 600");
    Replay month =
        replay(
            Contest.rules()
                .with(MORE)
                .with("payout: { budget: { credits: { period: 2280, month: 4559 } } }"));
    assertThat(rows(month, Part.BUDGET)).containsExactly("2026-11 3360 4560 1200");
  }

  @Test
  void whatCannotBeComparedIsNamedWithTheReason() {
    settle(Contest.rules(), 2);
    servers.unguarded(
        () ->
            servers.sql(
                """
                update period
                set state = 'expired', expired_at = now(), archived_at = now()
                where id = ?
                """,
                days.get(0).id().value()));
    assertThat(skipped(replay(Contest.rules())))
        .containsExactly(
            days.get(0).name() + ": its events are archived, and the rule each-invite counts them");
    assertThat(
            skipped(
                replay(
                    Contest.rules()
                        .with("rewards: [ { rule: podium, ranks: { 1: 1000, 2-3: 300 } } ]"))))
        .as("the lines are enough")
        .isEmpty();
    assertThat(skipped(replay(Contest.rules().with("actions: { invite: 7 }"))))
        .hasSize(2)
        .allMatch(row -> row.contains("the rules change what actions are worth"));
    assertThat(skipped(replay(Contest.rules().with("ranks: dense"))))
        .hasSize(2)
        .allMatch(row -> row.contains("the rules change ranks"));
    Period open = world.open(board);
    assertThat(replay(Contest.rules()).notes().stream().map(Texts::english))
        .as("" + open.name())
        .anyMatch(note -> note.contains("1 period of the range is not settled"));
  }

  /** What its program has written is all that is known of it: no rule can count actions. */
  @Test
  void aPeriodOfAnAdoptedBoardIsComparedByItsLines() {
    Rules rules = Rules.adopting("lb:{period}", "points");
    board = world.board(rules);
    Period day = world.open(board);
    servers.redis(
        redis -> {
          for (int points = 1; points <= 3; points++) {
            redis
                .zSetCommands()
                .zAdd(("lb:" + day.name()).getBytes(UTF_8), points, ("m" + points).getBytes(UTF_8));
          }
          return true;
        });
    world.settle(day);
    assertThat(rows(replay(rules), Part.TOTAL)).containsExactly(" 100 100 0");
    Replay other = replay(rules.with("rewards: [{ rule: podium, ranks: { 1: 70, 2-3: 40 } }]"));
    assertThat(rows(other, Part.TOTAL)).containsExactly(" 100 150 50");
    assertThat(rows(other, Part.GAIN)).containsExactly("m1 0 40 40", "m2 0 40 40");
    assertThat(rows(other, Part.LOSS)).containsExactly("m3 100 70 -30");
    assertThat(other.notes().stream().map(Texts::english))
        .anyMatch(note -> note.contains("1 period is of an adopted board"));
    assertThat(skipped(replay(rules.with("adopt: { key: 'lb:{period}', encoding: millis-left }"))))
        .singleElement()
        .asString()
        .contains("the rules change");
  }

  private static List<String> skipped(Replay replay) {
    return replay.rows().stream()
        .filter(row -> row.part() == Part.SKIPPED)
        .map(row -> row.name() + ": " + Texts.english(requireNonNull(row.detail())))
        .toList();
  }

  @Test
  void withoutASettledPeriodThereIsNothingToCompare() {
    world.open(board);
    assertThatThrownBy(() -> replay(Contest.rules()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no period of the range is settled");
  }

  @Test
  void theTransactionCanWriteNothing() {
    settle(Contest.rules(), 1);
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      awards.begin();
                      servers.sql("update period set failures = 0");
                    }))
        .hasMessageContaining("read-only transaction");
  }

  /** As many lines as {@code tests.replay} says; a campaign measures a million. */
  @Test
  void manyLinesAreComparedByStatements() {
    int members = Integer.getInteger("tests.replay", 2_000);
    Rules rules = Rules.day().with("rewards: [ { rule: thanks, per: like, credits: 5 } ]");
    board = world.board(rules);
    Period day = world.open(board);
    int batch = 1_000;
    for (int from = 0; from < members; from += batch) {
      world.take(
          IntStream.range(from, Math.min(from + batch, members))
              .mapToObj(i -> Fact.by("member-" + i).on("post"))
              .toList());
    }
    world.settle(day);
    long started = System.nanoTime();
    Replay other =
        replay(
            rules.with(
                """
                rewards:
                  - { rule: top, top: { 10%: 7, 50%: 3 } }
                  - { rule: thanks, per: like, credits: 6 }
                """));
    long millis = (System.nanoTime() - started) / 1_000_000;
    System.out.printf("compared %d lines in %d ms%n", members, millis);
    assertThat(rows(other, Part.RULE)).hasSize(2);
    assertThat(paid(other)).isEqualTo(5L * members);
  }
}
