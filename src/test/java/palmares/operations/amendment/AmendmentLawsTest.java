package palmares.operations.amendment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.amendment.Amendments.Decision;
import palmares.operations.amendment.RevisionDifferences.MemberDifference;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.PaymentSums.Sum;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.OwnTables;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Seeds;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A settled period is never edited: it is amended, and differences are posted. */
@WorldTest
class AmendmentLawsTest {
  private static final AmendmentRequest REQUEST =
      new AmendmentRequest("ann", "a cheater was found", null, Map.of());
  private static final String NET =
      """
      select account || ' ' || rule, sum(amount)
      from entry
      where period_id = ? and kind = 'member'
      group by 1
      having sum(amount) <> 0
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;
  @Autowired private DryRun dryRun;
  @Autowired private Comparison comparison;
  @Autowired private Revisions revisions;
  @Autowired private Approvals approvals;
  @Autowired private Servers servers;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcClient jdbc;

  private Period settled(Rules rules) {
    Period day = world.open(world.board(rules));
    world.take(Contest.facts());
    return world.settle(day);
  }

  private void exclude(String member, ExclusionLevel level) {
    exclusions.exclude(Terms.always(new MemberId(member), level), "cheats", "ann");
  }

  private Optional<Amendment> amend(Period period) {
    return amendments.prepare(period.id(), REQUEST);
  }

  private void approve(Period period) {
    amendments.approve(period.id(), null, "bob", "right so");
  }

  /** What each member has in the end, by rule. */
  private Map<String, Long> net(Period period) {
    var net = new TreeMap<String, Long>();
    jdbc.sql(NET)
        .param(period.id().value())
        .query(
            row -> {
              net.put(row.getString(1), row.getLong(2));
            });
    return net;
  }

  private List<String> ranks(Period period) {
    return records.published(period).stream()
        .map(line -> "%s %s %d".formatted(line.rank(), line.member(), line.points()))
        .toList();
  }

  private void requireClean() {
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.number("select coalesce(sum(amount), 0) from entry")).isZero();
  }

  @Test
  @Tag(OwnTables.TAG)
  void membersWithEqualPointsAndTimesKeepTheirOrder() {
    Period day = world.open(world.board(Rules.day().with("clock: event")));
    for (String member : List.of("ann", "zed", "bob", "cid")) {
      world.take(Fact.by(member).on("post").at(World.START.minusSeconds(60)));
    }
    world.settle(day);
    assertThat(ranks(day)).containsExactly("1 zed 1", "2 cid 1", "3 bob 1", "4 ann 1");
    exclude("zed", ExclusionLevel.HIDDEN);
    amend(day);
    approve(day);
    assertThat(ranks(day)).containsExactly("1 cid 1", "2 bob 1", "3 ann 1");
    requireClean();
  }

  @ParameterizedTest
  @EnumSource(ExclusionLevel.class)
  void excludingLaterPaysTheSameAsExcludingBeforeTheClosing(ExclusionLevel level) {
    Rules rules = Contest.rules().with("payout: { forfeited: moves-up }");
    Period amended = settled(rules);
    exclude("ann", level);
    Period fresh = settled(rules);
    assertThat(net(amended)).isNotEqualTo(net(fresh));
    assertThat(amend(amended)).isPresent();
    approve(amended);
    assertThat(net(amended)).isEqualTo(net(fresh)).doesNotContainKeys("ann podium");
    assertThat(ranks(amended)).isEqualTo(ranks(fresh));
    requireClean();

    assertThat(amend(amended)).as("again").isEmpty();
    assertThat(world.again(amended).revision()).isEqualTo(2);
    assertThat(net(amended)).isEqualTo(net(fresh));
  }

  static LongStream seeds() {
    return Seeds.from1To(1);
  }

  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @MethodSource("seeds")
  void afterSeveralAmendmentsPaymentsEqualTheAwards(long seed) {
    var random = new Random(seed);
    Rules rules =
        Rules.day()
            .with("ranks: competition")
            .with(
                """
                rewards:
                  - { rule: podium, ranks: { 1: 1001, 2-5: 303 }, ties: share }
                  - { rule: top, top: { 25%: 40, 50%: 7 } }
                  - { rule: thanks, taking-part: 1, currency: gems }
                  - { rule: each, per: like, credits: 3 }
                """)
            .with("payout: { forfeited: moves-up }");
    var facts = new ArrayList<Fact>();
    for (int i = 0; i < 150; i++) {
      facts.add(Fact.by("m" + random.nextInt(24)).on("p" + i));
    }
    Board board = world.board(rules);
    Period period = world.open(board);
    world.takeAll(facts, World.ANYBODY);
    world.settle(period);
    for (int round = 0; round < 6; round++) {
      change(random);
      if (amend(period).isPresent()) {
        approve(period);
      }
      requireClean();
      var wholly = new TreeMap<String, Long>();
      jdbc.sql(
              """
              select member || ' ' || rule, credits from award
              where period_id = ? and revision = (select revision from period where id = ?)
              """)
          .params(period.id().value(), period.id().value())
          .query(
              row -> {
                wholly.put(row.getString(1), row.getLong(2));
              });
      assertThat(net(period)).as("seed %d, round %d", seed, round).isEqualTo(wholly);
    }
  }

  /** Excludes a member, or lifts an exclusion. */
  private void change(Random random) {
    var present = exclusions.page(null, null, false, null, 1_000);
    if (!present.isEmpty() && random.nextInt(3) == 0) {
      exclusions.lift(present.get(random.nextInt(present.size())).id(), "was wrong", "ann");
      return;
    }
    var free = new ArrayList<>(List.of("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"));
    present.forEach(one -> free.remove(one.terms().member().value()));
    if (!free.isEmpty()) {
      exclude(
          free.get(random.nextInt(free.size())),
          ExclusionLevel.values()[random.nextInt(ExclusionLevel.values().length)]);
    }
  }

  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @CsvSource({"take, 0, 0, 0, 0", "write-off, 1040, 1040, 0, 1700", "debt, 1040, 0, 1040, 0"})
  void overpaymentsAreHandledByThePolicyAndRestoredOnce(
      String owed, long keeps, long writtenOff, long owes, long othersKeep) {
    Period day = settled(Contest.rules().with("payout: { owed: " + owed + " }"));
    exclude("ann", ExclusionLevel.HIDDEN);
    amend(day);
    approve(day);
    assertThat(records.balance("ann")).isEqualTo(keeps);
    assertThat(-balances("write-offs:" + day.board())).isEqualTo(writtenOff);
    assertThat(-debt("ann")).isEqualTo(owes);
    requireClean();

    exclusions.lift(
        exclusions.page(new MemberId("ann"), null, true, null, 1).get(0).id(),
        "was innocent",
        "ann");
    amend(day);
    approve(day);
    assertThat(records.balance("ann")).isEqualTo(1040);
    assertThat(-balances("write-offs:" + day.board()))
        .as("what those had got who had moved up")
        .isEqualTo(othersKeep);
    assertThat(debt("ann")).isZero();
    assertThat(balances("rewards:" + day.board())).isEqualTo(-1680);
    requireClean();
  }

  /** On two boards, and by two rules, one of which gives less for more points. */
  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @ValueSource(strings = {"write-off", "debt"})
  void whatWasOverpaidIsRestoredToTheLastCreditBeforeMoreIsPaid(String owed) {
    Rules rules =
        Rules.day()
            .with(
                """
                rewards:
                  - { rule: more, points: { 1: 1, 2: 2, 3: 3 } }
                  - { rule: less, points: { 1: 3, 2: 2, 3: 1 }, currency: gems }
                """)
            .with("payout: { owed: " + owed + " }");
    List<Period> days = Stream.of(rules, rules).map(world::board).map(world::open).toList();
    world.take(List.of(Fact.by("ann").does("coin").times(3), Fact.by("bob").on("post")));
    days.forEach(world::settle);
    long others = 10;
    for (long points : List.of(2, 3, 1, 0, 2, 3)) {
      var byHand = new HashMap<>(Map.of(new MemberId("bob"), others++));
      if (points > 0) {
        byHand.put(new MemberId("ann"), points);
      }
      for (Period day : days) {
        amendments.prepare(day.id(), new AmendmentRequest("ann", "miscounted", null, byHand));
        approve(day);
      }
      requireClean();
    }
    assertThat(days)
        .allSatisfy(
            day ->
                assertThat(net(day))
                    .as("what ann had at most")
                    .containsEntry("ann more", 3L)
                    .containsEntry("ann less", 3L));
  }

  /** Nobody else would say so: no revision in force was ranked with the exclusion. */
  @Test
  void anAmendmentWhoseExclusionWasLiftedSinceIsNotApproved() {
    Period day = settled(Contest.rules());
    Map<String, Long> paid = net(day);
    exclude("ann", ExclusionLevel.HIDDEN);
    amend(day);
    exclusions.liftAll(new MemberId("ann"), null, "was innocent", "ann");
    assertThatThrownBy(() -> approve(day))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("the exclusion of ann, which was lifted since");
    assertThat(net(day)).isEqualTo(paid);
    amendments.reject(day.id(), new Decision(2, null, "bob", "lifted"), () -> {});
    assertThat(amend(day)).isEmpty();
  }

  /** Nobody else would say so: no revision in force has a line of the member. */
  @Test
  @Tag(OwnTables.TAG)
  void anAmendmentWithTheFirstLineOfAMemberWhoWasExcludedSinceIsNotApproved() {
    Board board = world.board(Contest.rules());
    Period day = world.open(board);
    world.take(Contest.facts());
    world.settle(day);
    Period next = world.open(board);
    world.take(Fact.by("zoe").on("post"));
    world.settle(next);
    var added = new AmendmentRequest("ann", "lost events", null, Map.of(new MemberId("zoe"), 500L));
    amendments.prepare(day.id(), added);
    exclude("zoe", ExclusionLevel.NO_PRIZE);
    assertThatThrownBy(() -> approve(day))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("gives zoe a line, and was computed without an exclusion");
    assertThat(net(day)).doesNotContainKey("zoe podium");
    amendments.reject(day.id(), new Decision(2, null, "bob", "a cheater"), () -> {});
    amendments.prepare(day.id(), added);
    exclusions.exclude(
        Terms.always(new MemberId("ann"), ExclusionLevel.HIDDEN), "cheats, too", "ann");
    approve(day);
    assertThat(net(day)).doesNotContainKey("zoe podium");
    requireClean();
  }

  /** The posting of a big period takes minutes. */
  @Test
  void anAmendmentWithTheFirstLineOfAMemberWhoIsExcludedDuringThePostingIsNotApproved() {
    Board board = world.board(Contest.rules());
    Period day = world.open(board);
    world.take(Contest.facts());
    world.settle(day);
    Period next = world.open(board);
    world.take(Fact.by("zoe").on("post"));
    world.settle(next);
    amendments.prepare(
        day.id(),
        new AmendmentRequest("ann", "lost events", null, Map.of(new MemberId("zoe"), 500L)));
    servers.sql(
        """
        create function wait_in_posting() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(7);
          return null;
        end $$
        """);
    servers.sql(
        """
        create trigger waits_in_posting after insert on manifest
        for each row execute function wait_in_posting()
        """);
    try {
      CompletableFuture<?> approving =
          transaction.execute(
              status -> {
                records.number("select 7 from pg_advisory_xact_lock(7)");
                var posting = CompletableFuture.runAsync(() -> approve(day));
                await()
                    .until(
                        () ->
                            records.number(
                                    """
                                    select count(*) from pg_locks
                                    where locktype = 'advisory' and not granted
                                    """)
                                == 1);
                CompletableFuture.runAsync(() -> exclude("zoe", ExclusionLevel.NO_PRIZE)).join();
                return posting;
              });
      assertThatThrownBy(approving::join)
          .hasCauseInstanceOf(WrongState.class)
          .hasMessageContaining("gives zoe a line, and was computed without an exclusion");
    } finally {
      servers.sql("drop function wait_in_posting() cascade");
    }
    assertThat(world.again(day).revision()).isEqualTo(1);
    assertThat(net(day)).doesNotContainKey("zoe podium");
    requireClean();
  }

  /** Who moves to the place of another rule gets its prize, and keeps the former one. */
  @Test
  void whatAPersonIsShownIsWhatIsPaidWhereMembersMoveBetweenRules() {
    Period day =
        settled(
            Contest.rules()
                .with(
                    """
                    rewards:
                      - { rule: first, ranks: { 1: 1000 } }
                      - { rule: next, ranks: { 2-3: 300 } }
                    """)
                .with("payout: { owed: write-off }"));
    exclude("ann", ExclusionLevel.HIDDEN);
    Sum shown = amend(day).orElseThrow().differences().sums().get(0);
    approve(day);
    String posted = "select sum(amount) from transfer where revision = 2 and purpose = '%s'";
    assertThat(shown.gets()).isEqualByComparingTo("" + records.number(posted.formatted("award")));
    assertThat(shown.owes())
        .isEqualByComparingTo("" + records.number(posted.formatted("write-off")));
    assertThat(records.balance("bob")).isEqualTo(1300);
    requireClean();
  }

  private long balances(String house) {
    return records.number(
        "select coalesce(sum(balance), 0) from trial_balance where kind = 'house' and account = ?",
        house);
  }

  private long debt(String member) {
    return records.number(
        "select coalesce(sum(balance), 0) from trial_balance where kind = 'debt' and account = ?",
        member);
  }

  @Test
  @Tag(OwnTables.TAG)
  void nothingIsPaidOrPublishedBeforeApprovalNorAfterRejection() {
    Period day = settled(Contest.rules());
    Map<String, Long> paid = net(day);
    var published = records.published(day);
    exclude("ann", ExclusionLevel.HIDDEN);
    Amendment amendment = amend(day).orElseThrow();
    assertThat(amendment.differences().risen()).isEqualTo(4);
    assertThat(amendment.differences().first().get(0).member()).isEqualTo("ann");
    assertThat(net(day)).isEqualTo(paid);
    assertThat(records.published(day)).isEqualTo(published);
    requireClean();
    assertThatThrownBy(
            () ->
                amendments.reject(
                    day.id(), new Decision(2, "00000000", "bob", "another"), () -> {}))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining(
            "has changed since it was shown with the digest 00000000, which is now %s",
            amendment.revision().digest());
    amendments.reject(
        day.id(),
        new Decision(2, amendment.revision().digest(), "bob", "ann is innocent"),
        () -> {});
    assertThat(net(day)).isEqualTo(paid);
    assertThat(records.published(day)).isEqualTo(published);
    requireClean();
    assertThat(amend(day).orElseThrow().revision().number()).isEqualTo(3);
  }

  @Test
  @Tag(OwnTables.TAG)
  void pointsByHandAndOtherRulesChangeThePayments() {
    Period day = settled(Contest.rules());
    var points =
        new AmendmentRequest("ann", "double count", null, Map.of(new MemberId("dan"), 500L));
    amendments.prepare(day.id(), points);
    approve(day);
    assertThat(net(day)).containsEntry("dan podium", 1000L).containsEntry("ann podium", 300L);
    requireClean();
    Board other =
        palmares.rules.boardfiles.BoardFiles.parse(
            day.board(),
            Contest.rules().with("rewards: [{ rule: podium, ranks: { 1: 1500 } }]").text());
    amendments.prepare(day.id(), new AmendmentRequest("ann", "wrong table", other, Map.of()));
    approve(day);
    assertThat(net(day)).containsExactly(Map.entry("dan podium", 1500L));
    assertThat(amend(day)).as("the other rules are kept").isEmpty();
    requireClean();
  }

  @Test
  void debtsInOneCurrencyAreNotSetOffAgainstAnother() {
    Rules rules = Rules.day().with("payout: { owed: debt }");
    Period day = settled(rules.with("rewards: [{ rule: each, taking-part: 5 }]"));
    other(day, rules.with("rewards: [{ rule: thanks, taking-part: 5 }]"));
    other(day, rules.with("rewards: [{ rule: each, taking-part: 7, currency: gems }]"));
    assertThat(records.words("select distinct purpose from transfer where revision = 3"))
        .containsExactlyInAnyOrder("award", "debt");
    requireClean();
  }

  private void other(Period period, Rules rules) {
    Board board = palmares.rules.boardfiles.BoardFiles.parse(period.board(), rules.text());
    amendments.prepare(period.id(), new AmendmentRequest("ann", "wrong table", board, Map.of()));
    approve(period);
  }

  @Test
  void refusedAmendmentsChangeNothing() {
    Board board = world.board(Contest.rules());
    Period open = world.open(board);
    world.take(Contest.facts());
    assertThatThrownBy(() -> amend(open))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("it is open");
    world.settle(open);
    assertThatThrownBy(() -> amendments.approve(open.id(), null, "bob", "so"))
        .hasMessageContaining(open.label() + " has no undecided amendment");
    assertThatThrownBy(() -> amendments.approve(open.id(), 7, "bob", "so"))
        .hasMessageContaining("has no revision 7");
    assertThatThrownBy(() -> amendments.approve(open.id(), 1, "bob", "so"))
        .hasMessageContaining(
            "revision 1 of " + open.label() + " is not open for a decision: it was approved");
    exclude("ann", ExclusionLevel.HIDDEN);
    amend(open);
    assertThatThrownBy(() -> amend(open)).hasMessageContaining("revision 2 of");
    approve(open);
    assertThatThrownBy(() -> amendments.approve(open.id(), 2, "bob", "so"))
        .hasMessageContaining("it was approved by bob");
    Board gems =
        palmares.rules.boardfiles.BoardFiles.parse(
            open.board(),
            Contest.rules()
                .with("rewards: [{ rule: podium, ranks: { 1: 1500 }, currency: gems }]")
                .text());
    assertThatThrownBy(
            () -> amendments.prepare(open.id(), new AmendmentRequest("ann", "x", gems, Map.of())))
        .hasMessageContaining("give it another name");
    Board longer =
        palmares.rules.boardfiles.BoardFiles.parse(
            open.board(), Contest.rules().with("period: week").text());
    assertThatThrownBy(
            () -> amendments.prepare(open.id(), new AmendmentRequest("ann", "x", longer, Map.of())))
        .hasMessageContaining("the period's boundaries");
    assertThat(records.number("select count(*) from revision")).isEqualTo(2);
    requireClean();
  }

  @Test
  void thePersonWhoPreparedAnAmendmentCannotBeItsSecondApprover() {
    Period day = world.open(world.board(Contest.rules().with("payout: { unusual: 99 }")));
    world.take(Contest.facts());
    world.settle(day);
    Board two =
        palmares.rules.boardfiles.BoardFiles.parse(
            day.board(),
            Contest.rules()
                .with("payout: { approval: two-person }")
                .with("rewards: [{ rule: podium, ranks: { 1: 1500 } }]")
                .text());
    amendments.prepare(day.id(), new AmendmentRequest("ann", "x", two, Map.of()));
    assertThatThrownBy(() -> amendments.approve(day.id(), null, "ann", "mine"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    approve(day);
    assertThat(net(day)).as("one more must approve").isEqualTo(Contest.PAID);
    amendments.approve(day.id(), null, "cid", "right so");
    assertThat(net(day)).containsExactly(Map.entry("ann podium", 1500L));
  }

  @Test
  void anAmendmentCannotRemoveTheSecondApproverOfItsPeriod() {
    Period day = world.open(world.board(Contest.rules().with("payout: { approval: two-person }")));
    world.take(Contest.facts());
    world.close(day);
    approvals.approve(day.id(), new ApprovalDecision("bob", "so", null));
    approvals.approve(day.id(), new ApprovalDecision("cid", "so", null));
    world.settle(day);
    Board alone =
        palmares.rules.boardfiles.BoardFiles.parse(
            day.board(),
            Contest.rules().with("rewards: [{ rule: mine, taking-part: 777 }]").text());
    amendments.prepare(day.id(), new AmendmentRequest("ann", "x", alone, Map.of()));
    assertThatThrownBy(() -> amendments.approve(day.id(), null, "ann", "mine"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON);
    approve(day);
    assertThat(world.again(day).revision()).isEqualTo(1);
    amendments.approve(day.id(), null, "cid", "right so");
    assertThat(world.again(day).revision()).isEqualTo(2);
    requireClean();
  }

  @Test
  @Tag(OwnTables.TAG)
  void heldTiesAreDecidedWhenAnAmendmentIsPrepared() {
    Period day = settled(Contest.rules());
    Board held =
        palmares.rules.boardfiles.BoardFiles.parse(
            day.board(),
            Contest.rules()
                .with("rewards: [{ rule: podium, ranks: { 1: 1000, 2: 300 }, ties: hold }]")
                .text());
    assertThatThrownBy(
            () -> amendments.prepare(day.id(), new AmendmentRequest("ann", "x", held, Map.of())))
        .hasMessageContaining("choose how they are paid");
    AmendmentRequest each = new AmendmentRequest("ann", "x", held, Map.of(), Ties.SHARE);
    assertThat(amendments.prepare(day.id(), each)).isPresent();
    approve(day);
    assertThat(net(day)).containsEntry("bob podium", 150L).containsEntry("cid podium", 150L);
    requireClean();
  }

  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @ValueSource(strings = {"revision", "frozen_exclusion", "line", "payment", "audit_entry"})
  void aFailedPreparationLeavesNoTrace(String table) {
    Period day = settled(Contest.rules());
    exclude("ann", ExclusionLevel.HIDDEN);
    long before = rows();
    outage("insert", table);
    assertThatThrownBy(() -> amend(day)).hasMessageContaining("no room on the disk");
    endOutage(table);
    assertThat(rows()).isEqualTo(before);
    assertThat(amend(day)).isPresent();
    approve(day);
    requireClean();
  }

  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @CsvSource({
    "insert, audit_entry",
    "update, revision",
    "update, period",
    "insert, manifest",
    "insert, fact"
  })
  void aFailedApprovalPaysNothingAndCanBeRepeated(String write, String table) {
    Period day = settled(Contest.rules());
    exclude("ann", ExclusionLevel.HIDDEN);
    amend(day);
    Map<String, Long> paid = net(day);
    long before = rows();
    outage(write, table);
    assertThatThrownBy(() -> approve(day)).hasMessageContaining("no room on the disk");
    endOutage(table);
    assertThat(rows()).isEqualTo(before);
    assertThat(net(day)).isEqualTo(paid);
    assertThat(world.again(day).revision()).isEqualTo(1);
    requireClean();

    approve(day);
    assertThat(world.again(day).revision()).isEqualTo(2);
    assertThat(records.balance("ann")).isZero();
    requireClean();
  }

  /** Makes writes to the table fail, but not the renewal of a lease. */
  void outage(String write, String table) {
    servers.sql(
        """
        create or replace function outage() returns trigger language plpgsql as $$
        begin
          raise exception 'no room on the disk';
        end $$
        """);
    servers.sql(
        "create trigger outage after %s on %s for each row %s execute function outage()"
            .formatted(
                write, table, table.equals("period") ? "when (old.revision <> new.revision)" : ""));
  }

  void endOutage(String table) {
    servers.sql("drop trigger outage on " + table);
  }

  @Test
  @Tag(OwnTables.TAG)
  void ofConcurrentAmendmentsOrApprovalsOneSucceeds() throws Exception {
    Period day = settled(Contest.rules());
    exclude("ann", ExclusionLevel.HIDDEN);
    assertThat(atOnce(() -> amend(day).isPresent())).isEqualTo(1);
    assertThat(records.number("select count(*) from revision")).isEqualTo(2);
    assertThat(
            atOnce(
                () -> {
                  approve(day);
                  return true;
                }))
        .isEqualTo(1);
    assertThat(world.again(day).revision()).isEqualTo(2);
    assertThat(records.balance("ann")).isZero();
    requireClean();
  }

  /** How many of four concurrent calls succeed. */
  private static long atOnce(Callable<Boolean> act) throws Exception {
    var barrier = new CyclicBarrier(4);
    var pool = Executors.newFixedThreadPool(4);
    try {
      var all = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < 4; i++) {
        all.add(
            () -> {
              barrier.await();
              try {
                return act.call();
              } catch (WrongState | PeriodBusy e) {
                return false;
              }
            });
      }
      long through = 0;
      for (var one : pool.invokeAll(all)) {
        through += one.get() ? 1 : 0;
      }
      return through;
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @Tag(OwnTables.TAG)
  void aDryRunShowsTheSameDifferencesAndWritesNothing() {
    Period day = settled(Contest.rules());
    long before = rows();
    Amendment dry = dryRun.run(day.id(), REQUEST, List.of(new MemberId("ann")), 1_000);
    assertThat(rows()).isEqualTo(before);
    exclude("ann", ExclusionLevel.HIDDEN);
    assertThat(amend(day).orElseThrow().differences()).isEqualTo(dry.differences());
  }

  /** Bob shares the second rank with cid, and is placed behind him. */
  @Test
  @Tag(OwnTables.TAG)
  void aMemberWhosePlaceAloneMovesDoesNotChange() {
    Period day = settled(Contest.rules());
    Amendment dry = dryRun.run(day.id(), REQUEST, List.of(new MemberId("cid")), 1_000);
    assertThat(dry.differences().first())
        .extracting(MemberDifference::member)
        .contains("cid", "dan")
        .doesNotContain("bob");
    assertThat(dry.differences().changed()).isEqualTo(dry.differences().first().size());
  }

  @Test
  @Tag(OwnTables.TAG)
  void aMemberIsNamedOnlyForTheCurrenciesThatChange() {
    Rules rules =
        Contest.rules()
            .with(
                """
                rewards:
                  - { rule: podium, ranks: { 1: 1000, 2-3: 300 } }
                  - { rule: thanks, taking-part: 1, currency: gems }
                """);
    Period day = settled(rules);
    Amendment dry = dryRun.run(day.id(), REQUEST, List.of(new MemberId("ann")), 1_000);
    assertThat(dry.differences().first())
        .filteredOn(change -> change.member().equals("bob"))
        .extracting(
            MemberDifference::currency,
            MemberDifference::awardedBefore,
            MemberDifference::awardedAfter)
        .containsExactly(tuple("credits", 300L, 1000L));
    assertThat(dry.differences().first())
        .filteredOn(change -> change.member().equals("ann"))
        .extracting(MemberDifference::currency)
        .containsExactly("credits", "gems");
  }

  @Test
  void aDryRunHidesExcludedMembersNextToAnUndecidedAmendment() {
    Period day = settled(Contest.rules());
    exclude("ann", ExclusionLevel.UNRANKED);
    exclude("bob", ExclusionLevel.HIDDEN);
    amend(day);
    var without = List.of(new MemberId("ann"), new MemberId("bob"));
    Amendment dry = dryRun.run(day.id(), REQUEST, without, 1_000);
    assertThat(dry.differences().first())
        .filteredOn(change -> change.pointsAfter() == null)
        .extracting(MemberDifference::member)
        .containsOnly("ann", "bob");
    assertThat(amendments.undecided(day).orElseThrow().number()).isEqualTo(2);
    assertThatThrownBy(() -> dryRun.run(day.id(), REQUEST, List.of(new MemberId("an")), 1_000))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("there is no member 'an'");
  }

  @Test
  @Tag(OwnTables.TAG)
  void aDryRunBlocksNoExclusionClosingOrDecision() {
    Period day = settled(Contest.rules());
    List<String> locks =
        transaction.execute(
            status -> {
              status.setRollbackOnly();
              dryRun.run(day.id(), REQUEST, List.of(new MemberId("ann")), 1_000);
              return records.words(
                  """
                  select concat_ws(' ', locktype, relation::regclass, mode) from pg_locks
                  where pid = pg_backend_pid()
                    and (mode like 'Share%' or mode like '%Exclusive%')
                    and (locktype = 'advisory'
                      or relation in ('audit_entry'::regclass, 'exclusion'::regclass))
                  """);
            });
    assertThat(locks).isEmpty();
  }

  /** To store the rules would wait for the other transaction, which may take minutes. */
  @Test
  @Tag(OwnTables.TAG)
  void dryRunsByTheSameNewRulesDoNotWaitForEachOther() {
    Period day = settled(Contest.rules());
    Board other =
        palmares.rules.boardfiles.BoardFiles.parse(
            day.board(),
            Contest.rules().with("rewards: [{ rule: podium, ranks: { 1: 1500 } }]").text());
    var request = new AmendmentRequest("ann", "wrong table", other, Map.of());
    transaction.executeWithoutResult(
        status -> {
          status.setRollbackOnly();
          var first = dryRun.run(day.id(), request, List.of(), 1_000).differences();
          assertThat(first.none()).isFalse();
          assertThat(
                  CompletableFuture.supplyAsync(
                      () -> dryRun.run(day.id(), request, List.of(), 1_000).differences()))
              .succeedsWithin(Duration.ofSeconds(20))
              .isEqualTo(first);
        });
    amendments.prepare(day.id(), request);
    approve(day);
    requireClean();
  }

  private long rows() {
    return records.number(
        """
        select (select count(*) from revision) + (select count(*) from standing)
          + (select count(*) from award) + (select count(*) from transfer)
          + (select count(*) from exclusion) + (select count(*) from frozen_exclusion)
          + (select count(*) from audit_entry) + (select count(*) from definition)
        """);
  }

  /** The planner has no statistics of new rows: it would take a million for a few. */
  @Test
  @Tag(OwnTables.TAG)
  void aComparisonLooksUpNoSingleLine() {
    Period day = settled(Contest.rules());
    exclude("ann", ExclusionLevel.HIDDEN);
    amend(day);
    OutcomeTables tables = OutcomeTables.of(revisions.outcome(day.id(), 2));
    for (String statement : Comparison.STATEMENTS) {
      List<String> plan =
          jdbc.sql("explain " + tables.in(statement))
              .params(comparison.parameters(day.id(), 1, 2, 10))
              .query(String.class)
              .list();
      assertThat(plan)
          .noneMatch(step -> step.contains("SubPlan"))
          .noneMatch(step -> step.matches(".*(Index Cond|Join Filter): .*member\\)? = .*"));
    }
  }
}
