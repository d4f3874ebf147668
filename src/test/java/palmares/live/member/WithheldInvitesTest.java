package palmares.live.member;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static palmares.live.member.InviteBoard.named;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.journal.Journal;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.explain.Explainer;
import palmares.operations.inbox.Inbox;
import palmares.operations.report.MonthReport;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.withheld.WithheldLines;
import palmares.operations.withheld.WithheldLines.Decision;
import palmares.operations.withheld.WithheldLines.WithheldLine;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.Problem;
import palmares.platform.text.Money;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.Preview;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Fact;
import palmares.testing.OwnTables;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What flagged lines of inviters are awarded is withheld until a person releases it. */
@WorldTest
class WithheldInvitesTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Members members;
  @Autowired private WithheldLines lines;
  @Autowired private Amendments amendments;
  @Autowired private Approvals approvals;
  @Autowired private Revisions revisions;
  @Autowired private Qualifications qualifications;
  @Autowired private Explainer explainer;
  @Autowired private Exclusions exclusions;
  @Autowired private Preview previews;
  @Autowired private Journal journal;
  @Autowired private Inbox inbox;
  @Autowired private MonthReport months;
  @Autowired private TransactionTemplate transaction;

  private static Rules rules(String review) {
    return Rules.of("week")
        .with("durability: committed")
        .with("actions: { invite: { points: 100, undo: true } }")
        .with("invites: { action: invite%s }".formatted(review))
        .with(
            """
            rewards:
              - { rule: podium, ranks: { 1: 1000, 2-3: 300 } }
              - { rule: each-invite, per: invite, credits: 20, currency: gems }
            """);
  }

  private Period open(String review) {
    Board board = world.board(rules(", review: { " + review + " }"));
    return world.open(board);
  }

  private InviteCode register(
      String member, @Nullable InviteCode code, @Nullable String address, @Nullable String device) {
    Registration plain = named(member, code);
    InviteCode own =
        members
            .register(
                new Registration(
                    plain.externalId(),
                    plain.nickname(),
                    plain.inviteCode(),
                    plain.member(),
                    address,
                    device))
            .profile()
            .inviteCode();
    world.pass(Duration.ofSeconds(1));
    return own;
  }

  /** Each invites the next. */
  private void chain(String... names) {
    InviteCode code = null;
    for (String name : names) {
      code = register(name, code, null, null);
    }
  }

  /** An inviter of members from these addresses. */
  private void inviter(String name, String... addresses) {
    InviteCode code = register(name, null, null, null);
    for (int i = 0; i < addresses.length; i++) {
      register(name + i, code, addresses[i], null);
    }
  }

  private List<String> flags(Period period) {
    return records.words(
        """
        select concat_ws(' ', member, 'chain', coalesce(chain, 0), 'address',
          coalesce(same_address, 0), 'device', coalesce(same_device, 0))
        from flagged_line where period_id = ? order by member
        """,
        period.id().value());
  }

  private List<String> withheld(Period period) {
    return lines.list(period.board(), period.name(), null, false, null, 100).stream()
        .map(WithheldInvitesTest::text)
        .toList();
  }

  private static String text(WithheldLine line) {
    return (line.member() + " " + line.state().word() + " " + text(line.withheld())).strip();
  }

  private void assertVerified() {
    assertThat(records.verify().named()).isEmpty();
  }

  private Amendment prepare(Period period) {
    return amendments
        .prepare(period.id(), new AmendmentRequest("ann", "a look", null, Map.of()))
        .orElseThrow();
  }

  private void amend(Period period) {
    prepare(period);
    amendments.approve(period.id(), null, "boss", "looked at it");
  }

  private boolean wouldChange(Period period) {
    var request = new AmendmentRequest("ann", "a look", null, Map.of());
    return amendments.prepare(period.id(), request).isPresent();
  }

  private void decide(Period period, Decision decision, String... who) {
    lines.decide(world.again(period), List.of(who), decision, "kim", "looked at it");
  }

  @Test
  void aChainOfInvitesIsFlaggedFromItsLengthOnAndNobodyElseIs() {
    Period week = open("chain: 3");
    chain("a0", "a1", "a2", "a3", "a4");
    chain("b0", "b1", "b2");
    world.settle(week);
    assertThat(flags(week))
        .containsExactly(
            "a0 chain 4 address 0 device 0",
            "a1 chain 4 address 0 device 0",
            "a2 chain 4 address 0 device 0",
            "a3 chain 4 address 0 device 0");
    assertVerified();
  }

  /** A branch that is shorter is no part of the longer chain. */
  @Test
  void onlyTheInvitersOfTheLongBranchAreFlagged() {
    Period week = open("chain: 3");
    InviteCode root = register("root", null, null, null);
    InviteCode left = register("left", root, null, null);
    register("left1", register("left0", left, null, null), null, null);
    register("right0", register("right", root, null, null), null, null);
    world.settle(week);
    assertThat(flags(week))
        .containsExactly(
            "left chain 3 address 0 device 0",
            "left0 chain 3 address 0 device 0",
            "root chain 3 address 0 device 0");
    assertVerified();
  }

  /** As on paper: what is above an inviter, and the most that is below it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void chainsOfAnyInvitesAreAsLongAsTheirLongestBranch(int seed) {
    Period week = open("chain: 4");
    var random = new Random(seed);
    Map<String, InviteCode> codes = new LinkedHashMap<>();
    Map<String, String> inviters = new LinkedHashMap<>();
    for (int i = 0; i < 24; i++) {
      String name = "m%02d".formatted(i);
      String inviter = i < 2 ? null : "m%02d".formatted(Math.max(0, i - 1 - random.nextInt(5)));
      if (inviter != null) {
        inviters.put(name, inviter);
      }
      codes.put(name, register(name, inviter == null ? null : codes.get(inviter), null, null));
    }
    world.settle(week);
    Map<String, Integer> longest = new TreeMap<>();
    for (String name : inviters.keySet()) {
      List<String> above =
          Stream.iterate(inviters.get(name), Objects::nonNull, inviters::get).toList();
      above.forEach(inviter -> longest.merge(inviter, above.size(), Math::max));
    }
    assertThat(flags(week))
        .containsExactlyElementsOf(
            longest.entrySet().stream()
                .filter(chain -> chain.getValue() >= 4)
                .map(
                    chain ->
                        "%s chain %d address 0 device 0"
                            .formatted(chain.getKey(), chain.getValue()))
                .toList());
    assertVerified();
  }

  @Test
  void aCreditThatWasTakenBackIsNotReviewed() {
    Board shop =
        world.board(Rules.of("month").with("actions: { purchase: { points: 1, undo: true } }"));
    Period week =
        open(
            "same-address: 2 }, qualifies: { action: purchase, board: %s, within: 3d"
                .formatted(shop.id()));
    Period month = world.open(shop);
    inviter("ann", "10.0.0.1", "10.0.0.1");
    inviter("bob", "10.0.0.1", "10.0.0.1");
    for (String newcomer : List.of("ann0", "ann1", "bob0", "bob1")) {
      world.take(Fact.by(newcomer).does("purchase").on("order"));
    }
    journal.drain(month);
    while (qualifications.judge(null)) {}
    assertThat(records.points(week, "ann")).isEqualTo(200);
    world.take(Fact.by("ann1").does("purchase").on("order").undone());
    world.settle(week);
    assertThat(records.points(week, "ann")).isEqualTo(100);
    assertThat(flags(week)).containsExactly("bob chain 0 address 2 device 0");
    assertVerified();
  }

  @Test
  void invitersAreFlaggedByMembersOfOneAddressOrDevice() {
    Period week = open("same-address: 3, same-device: 2");
    inviter("ann", "10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2");
    inviter("bob", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.2");
    InviteCode cid = register("cid", null, null, null);
    register("cid0", cid, "10.0.0.1", "phone-1");
    register("cid1", cid, null, "phone-1");
    InviteCode dan = register("dan", null, null, null);
    register("dan0", dan, "phone-1", null);
    register("dan1", dan, null, "phone-1");
    world.settle(week);
    assertThat(flags(week))
        .containsExactly("ann chain 0 address 3 device 0", "cid chain 0 address 0 device 2");
    assertVerified();
  }

  @Test
  void nothingButAKeyedHashOfAnInvitedMembersTagsIsStoredAndForgettingDeletesIt() {
    Period week = open("same-address: 2");
    inviter("ann", "10.0.0.1", "10.0.0.1");
    assertThat(records.words("select kind || hash from registration_tag"))
        .hasSize(2)
        .allMatch(text -> text.matches("address[0-9a-f]{64}"));
    world.settle(week);
    transaction.executeWithoutResult(
        status -> members.forget(new MemberId("ann0"), "asked for it", "kim"));
    assertThat(records.words("select member from registration_tag")).containsExactly("ann1");
    assertThat(flags(week)).containsExactly("ann chain 0 address 2 device 0");
    assertVerified();
  }

  @Test
  void whoForgetsInvitedMembersBeforeTheClosingKeepsNoInviterFromReview() {
    Period week = open("same-address: 2");
    inviter("ann", "10.0.0.1", "10.0.0.1");
    for (String each : List.of("ann0", "ann1")) {
      transaction.executeWithoutResult(
          status -> members.forget(new MemberId(each), "asked for it", "kim"));
    }
    members.prune();
    world.settle(week);
    assertThat(flags(week)).containsExactly("ann chain 0 address 2 device 0");
    assertVerified();
    members.prune();
    assertThat(records.words("select member from registration_tag")).isEmpty();
    assertVerified();
  }

  /** Its only period is never settled. */
  @Test
  void aBoardWithoutEndKeepsNoHashOfAForgottenMember() {
    Period always =
        world.open(
            world.board(
                Rules.of("none").with("starts: 2020-01-01").with("actions: { invite: 1 }")));
    Period week = open("same-address: 2");
    inviter("ann", "10.0.0.1", "10.0.0.1");
    transaction.executeWithoutResult(
        status -> members.forget(new MemberId("ann0"), "asked for it", "kim"));
    world.settle(week);
    journal.drain(always);
    assertThat(records.number("select count(*) from event where period_id = " + always.id()))
        .isEqualTo(2);
    members.prune();
    assertThat(records.words("select member from registration_tag")).containsExactly("ann1");
  }

  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @ValueSource(
      strings = {
        // Computed line by line.
        "ranks: unique / rewards: [{ rule: podium, ranks: { 1: 1000, 2-3: 300 } }]",
        // By SQL, as places move up, or a share of all lines is paid.
        "ranks: competition"
            + " / rewards: [{ rule: podium, ranks: { 1: 1000, 2-3: 300 }, ties: share }]",
        "rewards: [{ rule: top, top: { 60%: 7 } }, { rule: part, taking-part: 3 }]",
        // Only one rule pays a member.
        "payout: { match: first } / rewards: [{ rule: podium, ranks: { 1: 1000 } },"
            + " { rule: part, taking-part: 3 }]"
      })
  void theOthersArePaidAsIfNothingWereWithheld(String rewards) {
    Period week = world.open(world.board(with(rules(", review: { same-address: 3 }"), rewards)));
    Period plain = world.open(world.board(with(rules(""), rewards)));
    playThree();
    world.settle(plain);
    world.settle(week);
    Map<String, Long> all = records.paid(plain);
    assertThat(all.keySet()).anyMatch(key -> key.startsWith("ann "));
    assertThat(records.paid(week)).isEqualTo(without("ann", all)).isNotEmpty();
    assertThat(records.published(week)).isEqualTo(records.published(plain));
    assertVerified();
    decide(week, Decision.RELEASE, "ann");
    amend(week);
    assertThat(records.paid(week)).isEqualTo(all);
    assertVerified();
  }

  /** What was there before reviews is as it was: each row, sum and field. */
  @Test
  @Tag(OwnTables.TAG)
  void aReviewThatFlagsNobodyChangesNothing() {
    Period plain = world.open(world.board(rules("")));
    Period week = open("chain: 9, same-address: 9, same-device: 9");
    playThree();
    world.settle(plain);
    world.settle(week);
    assertThat(outcome(plain)).hasSizeGreaterThan(20).anyMatch(row -> row.startsWith("payment "));
    assertThat(outcome(week)).isEqualTo(outcome(plain));
    assertThat(records.number("select count(*) from flagged_line")).isZero();
    assertThat(records.number("select count(*) from withheld_award")).isZero();
    assertVerified();
  }

  /** All of an outcome that does not name its board, the outcome or the rules. */
  private List<String> outcome(Period period) {
    String of = period.id().toString();
    return records.words(
        """
        select concat_ws(' ', 'revision', lines, line_sum, payments, payment_sum, held_for, owed)
        from revision where period_id = :id
        union all
        select concat_ws(' ', 'line', place, rank, member, points, reached_at) from standing
        where period_id = :id
        union all
        select concat_ws(' ', 'payment', member, rule, purpose, amount) from posted_payment
        where period_id = :id
        union all
        select concat_ws(' ', 'entry', account, sum(amount)) from entry
        where period_id = :id and kind = 'member' group by account
        union all
        select 'manifest ' || line
        from manifest, regexp_split_to_table(body, E'\\n') line
        where period_id = :id
          and line !~ '^(board|definition|rules|frozen-at|follows-audit-entry): '
        order by 1
        """
            .replace(":id", of));
  }

  private static Rules with(Rules rules, String fields) {
    Rules all = rules;
    for (String field : fields.split(" / ")) {
      all = all.with(field);
    }
    return all;
  }

  /** The address of three that ann invites is one. */
  private void playThree() {
    inviter("ann", "10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2");
    inviter("bob", "10.0.0.1", "10.0.0.2", "10.0.0.3");
    inviter("cid", "10.0.0.1");
  }

  private static Map<String, Long> without(String member, Map<String, Long> all) {
    var others = new TreeMap<>(all);
    others.keySet().removeIf(key -> key.startsWith(member + " "));
    return others;
  }

  private Period settled() {
    Period week = open("same-address: 3");
    playThree();
    return world.settle(week);
  }

  @Test
  void whatIsWithheldIsStatedAndNeverPaidByTime() {
    Period week = settled();
    assertThat(withheld(week)).containsExactly("ann undecided 1000 credits, 80 gems");
    assertThat(records.balance("ann")).isZero();
    assertThat(wouldChange(week)).isFalse();
    world.pass(Duration.ofDays(30));
    world.sweep();
    assertThat(records.balance("ann")).isZero();
    assertThat(withheld(week)).containsExactly("ann undecided 1000 credits, 80 gems");
  }

  @Test
  @Tag(OwnTables.TAG)
  void whatIsReleasedIsPaidByTheNextAmendmentOnce() {
    Period week = settled();
    decide(week, Decision.RELEASE, "ann");
    assertThat(withheld(week)).containsExactly("ann released 1000 credits, 80 gems");
    assertThat(records.balance("ann")).isZero();
    Amendment prepared = prepare(week);
    assertThat(prepared.differences().changed()).isOne();
    assertThat(records.balance("ann")).as("prepared").isZero();
    amendments.approve(week.id(), null, "boss", "looked at it");
    assertThat(records.paid(week))
        .containsEntry("ann podium", 1000L)
        .containsEntry("ann each-invite", 80L);
    assertThat(withheld(week)).containsExactly("ann paid");
    assertThat(records.balance("ann")).isEqualTo(1080);
    assertThat(wouldChange(week)).isFalse();
    assertThat(records.balance("ann")).isEqualTo(1080);
    assertVerified();
  }

  private void outage(String write, String table) {
    servers.sql(
        """
        create or replace function outage() returns trigger language plpgsql as $$
        begin
          raise exception 'no room on the disk';
        end $$
        """);
    servers.sql(
        "create trigger outage after %s on %s for each row execute function outage()"
            .formatted(write, table));
  }

  @AfterEach
  void endOutage() {
    servers.sql("drop function if exists outage cascade");
  }

  @ParameterizedTest
  @Tag(OwnTables.TAG)
  @ValueSource(strings = {"flagged_line", "withheld_award", "manifest"})
  void aClosingThatDiesPaysAndWithholdsTheSameOnceItIsRepeated(String table) {
    Period week = open("same-address: 3");
    playThree();
    outage("insert", table);
    world.close(week);
    assertThat(records.number("select count(*) from transfer")).isZero();
    endOutage();
    world.pass(Duration.ofHours(1));
    world.settle(week);
    assertThat(withheld(week)).containsExactly("ann undecided 1000 credits, 80 gems");
    assertThat(records.balance("ann")).isZero();
    assertThat(records.balance("bob")).isEqualTo(360);
    assertVerified();
  }

  @ParameterizedTest
  @CsvSource({
    "insert, line_decision, decide",
    "insert, audit_entry, decide",
    "insert, revision, prepare",
    "insert, audit_entry, prepare",
    "update, revision, approve",
    "insert, audit_entry, approve",
    "insert, manifest, approve",
    "insert, fact, approve"
  })
  void aReleaseThatDiesAnywhereIsPaidOnceItIsRepeated(String write, String table, String at) {
    Period week = settled();
    Map<String, Runnable> steps = new LinkedHashMap<>();
    steps.put("decide", () -> decide(week, Decision.RELEASE, "ann"));
    steps.put("prepare", () -> prepare(week));
    steps.put("approve", () -> amendments.approve(week.id(), null, "boss", "yes"));
    steps.forEach(
        (name, step) -> {
          if (name.equals(at)) {
            outage(write, table);
            assertThatThrownBy(step::run).hasMessageContaining("no room on the disk");
            endOutage();
            assertThat(records.balance("ann")).isZero();
            assertVerified();
          }
          step.run();
        });
    assertThat(records.balance("ann")).isEqualTo(1080);
    assertThat(withheld(week)).containsExactly("ann paid");
    assertVerified();
  }

  @Test
  void theInboxAsksForADecisionThenForAnAmendmentAndThenForItsApproval() {
    Period week = settled();
    assertThat(inbox(week)).containsExactly("withheld: release-withheld refuse-withheld");
    decide(week, Decision.RELEASE, "ann");
    assertThat(inbox(week)).containsExactly("released: amend");
    prepare(week);
    assertThat(inbox(week)).containsExactly("amendment: approve reject");
    amendments.approve(week.id(), null, "boss", "looked at it");
    assertThat(inbox(week)).isEmpty();
  }

  private List<String> inbox(Period period) {
    return inbox.items(period.board()).stream()
        .map(
            item ->
                item.kind().word()
                    + ": "
                    + item.next().stream().map(Next::verb).collect(Collectors.joining(" ")))
        .toList();
  }

  @Test
  void aMonthSaysWhatItWithholdsUntilThatIsPaidOrRefused() {
    Period week = settled();
    var month = new Month(YearMonth.from(world.now().atZone(ZoneOffset.UTC)), ZoneOffset.UTC);
    assertThat(withheldIn(month)).containsExactly("credits 1000", "gems 80");
    decide(week, Decision.RELEASE, "ann");
    assertThat(withheldIn(month)).containsExactly("credits 1000", "gems 80");
    amend(week);
    assertThat(withheldIn(month)).containsExactly("credits null", "gems null");
  }

  private List<String> withheldIn(Month month) {
    return months.sums(month).stream()
        .filter(sum -> sum.board() == null)
        .map(sum -> sum.currency() + " " + sum.withheld())
        .toList();
  }

  @Test
  @Tag(OwnTables.TAG)
  void whatIsRefusedStaysUnpaidInEachLaterRevision() {
    Period week = settled();
    assertThat(undecided(week)).isEqualTo("1000 credits, 80 gems");
    decide(week, Decision.REFUSE, "ann");
    assertThat(withheld(week)).containsExactly("ann refused 1000 credits, 80 gems");
    assertThat(undecided(week)).isEmpty();
    exclusions.exclude(Terms.always(new MemberId("bob"), ExclusionLevel.UNRANKED), "bot", "kim");
    amend(week);
    assertThat(records.balance("ann")).isZero();
    assertThat(records.balance("cid")).isEqualTo(320);
    assertThat(withheld(week)).containsExactly("ann refused 1000 credits, 80 gems");
    assertVerified();
  }

  private static String text(List<Money> withheld) {
    return Money.list(withheld, BigDecimal::toPlainString);
  }

  private String undecided(Period week) {
    return previews.ask(week, forecast -> text(forecast.withheld()));
  }

  @Test
  void aDecisionIsFinalAndNamesOnlyFlaggedLinesOfSettledPeriods() {
    Period week = open("same-address: 3");
    playThree();
    assertThatThrownBy(() -> decide(week, Decision.RELEASE))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is not settled yet");
    world.settle(week);
    assertThatThrownBy(() -> decide(week, Decision.RELEASE, "ann", "bob"))
        .hasMessageContaining("no flagged line of bob");
    assertThat(withheld(week)).containsExactly("ann undecided 1000 credits, 80 gems");
    decide(week, Decision.REFUSE);
    assertThatThrownBy(() -> decide(week, Decision.RELEASE, "ann"))
        .hasMessageContaining("was refused by kim")
        .hasMessageContaining("that is final");
    assertThatThrownBy(() -> decide(week, Decision.RELEASE))
        .hasMessageContaining("no withheld line without a decision");
    assertThat(records.number("select count(*) from audit_entry where verb like '%-withheld'"))
        .isOne();
  }

  @Test
  @Tag(OwnTables.TAG)
  void fourReleasesAndAmendmentsAtOncePayOnce() {
    Period week = settled();
    long released =
        atOnce(
            () -> {
              decide(week, Decision.RELEASE, "ann");
              return true;
            });
    assertThat(released).isOne();
    atOnce(() -> wouldChange(week));
    long approved =
        atOnce(() -> amendments.approve(week.id(), null, "boss", "yes").transfers() != null);
    assertThat(approved).isOne();
    assertThat(records.balance("ann")).isEqualTo(1080);
    assertVerified();
  }

  /** Returns how many of four have succeeded. */
  private static long atOnce(Supplier<Boolean> action) {
    var calls =
        IntStream.range(0, 4)
            .mapToObj(
                n ->
                    CompletableFuture.supplyAsync(action)
                        .handle((done, failed) -> failed == null && done))
            .toList();
    return calls.stream().filter(CompletableFuture::join).count();
  }

  /** An amendment that was prepared before a decision does not have it; the next one does. */
  @Test
  void aReleaseCountsInNoAmendmentThatWasPreparedBefore() {
    Period week = settled();
    exclusions.exclude(Terms.always(new MemberId("bob"), ExclusionLevel.UNRANKED), "bot", "kim");
    prepare(week);
    decide(week, Decision.RELEASE, "ann");
    amendments.approve(week.id(), null, "boss", "yes");
    assertThat(records.balance("ann")).isZero();
    assertThat(withheld(week)).containsExactly("ann released 1000 credits, 80 gems");
    assertVerified();
    amend(week);
    assertThat(records.balance("ann")).isEqualTo(1080);
    assertVerified();
  }

  @Test
  void anExclusionAndAReleaseGiveTheSameInBothOrders() {
    Period week = settled();
    decide(week, Decision.RELEASE, "ann");
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.UNRANKED), "bot", "kim");
    amend(week);
    assertThat(records.balance("ann")).isZero();
    assertThat(withheld(week)).as("is paid nothing").containsExactly("ann excluded");
    long exclusion = records.number("select max(id) from exclusion");
    exclusions.lift(exclusion, "no bot", "kim");
    amend(week);
    assertThat(withheld(week)).containsExactly("ann paid");
    assertThat(records.balance("ann")).isEqualTo(1080);
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.UNRANKED), "bot", "kim");
    amend(week);
    assertThat(records.balance("ann")).isZero();
    assertVerified();
  }

  @Test
  void anExcludedMemberHasNothingThatIsWithheld() {
    Period week = settled();
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.UNRANKED), "bot", "kim");
    amend(week);
    assertThat(withheld(week)).containsExactly("ann undecided");
    assertThat(lines.open(week.board())).isEmpty();
    decide(week, Decision.RELEASE, "ann");
    assertThat(wouldChange(week)).isFalse();
    assertThat(records.balance("ann")).isZero();
    assertVerified();
  }

  @Test
  @Tag(OwnTables.TAG)
  void correctedPointsOfAWithheldLineAreWithheldToo() {
    Period week = settled();
    var more = new AmendmentRequest("ann", "more", null, Map.of(new MemberId("ann"), 1L));
    assertThat(amendments.prepare(week.id(), more)).isPresent();
    amendments.approve(week.id(), null, "boss", "yes");
    assertThat(records.balance("ann")).isZero();
    assertThat(records.balance("bob")).isEqualTo(1060);
    assertVerified();
  }

  @Test
  void aBudgetCountsWhatIsWithheldOnceItIsReleased() {
    Period week =
        world.open(
            world.board(
                rules(", review: { same-address: 3 }")
                    .with("payout: { budget: { credits: { period: 700 } } }")));
    playThree();
    world.settle(week);
    assertThat(records.paid(week)).containsEntry("bob podium", 300L);
    decide(week, Decision.RELEASE, "ann");
    Amendment prepared = prepare(week);
    assertThat(prepared.revision().heldFor()).isNotEmpty();
  }

  @Test
  void aClosingThatFailsAndOneThatIsRestartedFlagTheSameLines() {
    Period week = open("same-address: 3");
    playThree();
    world.close(
        week,
        step -> {
          if (step.equals("pay")) {
            throw new IllegalStateException("a test");
          }
        });
    assertThat(flags(week)).containsExactly("ann chain 0 address 3 device 0");
    assertThat(records.number("select count(*) from transfer")).isZero();
    world.pass(Duration.ofHours(1));
    world.settle(week);
    assertThat(withheld(week)).containsExactly("ann undecided 1000 credits, 80 gems");
    assertVerified();
  }

  @Test
  @Tag(OwnTables.TAG)
  void aRejectedClosingThatIsRestartedFlagsByWhatIsKnownThen() {
    Period week = openAnd("payout: { approval: required }");
    playThree();
    inviter("dan", "10.0.0.1", "10.0.0.1", "10.0.0.1");
    world.close(week);
    assertThat(flags(week)).hasSize(2);
    approvals.reject(week.id(), new ApprovalDecision("boss", "a look first", null));
    transaction.executeWithoutResult(
        status -> members.forget(new MemberId("ann0"), "asked for it", "kim"));
    servers.sql("delete from registration_tag where member = 'ann0'"); // as versions before did
    approvals.restart(week.id(), new ApprovalDecision("kim", "again", null));
    world.close(week);
    assertThat(flags(week)).containsExactly("dan chain 0 address 3 device 0");
    String digest = revisions.find(week.id(), 1).orElseThrow().digest();
    approvals.approve(week.id(), new ApprovalDecision("boss", "fine", null, digest));
    world.settle(week);
    assertThat(records.paid(week)).containsEntry("ann each-invite", 80L);
    assertThat(records.balance("dan")).isZero();
    assertVerified();
  }

  private Period openAnd(String field) {
    return world.open(world.board(rules(", review: { same-address: 3 }").with(field)));
  }

  @Test
  @Tag(OwnTables.TAG)
  void tiesThatAPersonDecidesAreWithheldAsDecided() {
    Period week =
        world.open(
            world.board(
                with(
                    rules(", review: { same-address: 3 }"),
                    "ranks: competition / rewards:"
                        + " [{ rule: podium, ranks: { 1: 1000, 2: 500 }, ties: hold }]")));
    inviter("ann", "10.0.0.1", "10.0.0.1", "10.0.0.1");
    inviter("bob", "10.0.0.1", "10.0.0.2", "10.0.0.3");
    world.close(week);
    assertThat(withheld(week)).containsExactly("ann undecided 750 credits");
    approvals.approve(week.id(), new ApprovalDecision("boss", "both", Ties.EACH));
    world.settle(week);
    assertThat(withheld(week)).containsExactly("ann undecided 1000 credits");
    assertThat(records.paid(week)).containsExactly(Map.entry("bob podium", 1000L));
    assertVerified();
    decide(week, Decision.RELEASE, "ann");
    amend(week);
    assertThat(records.paid(week)).containsEntry("ann podium", 1000L).hasSize(2);
    assertVerified();
  }

  @Test
  void whoReleasedALineIsNeitherOfTheTwoWhoApproveWhatPaysIt() {
    Period week = openAnd("payout: { approval: two-person }");
    playThree();
    world.close(week);
    for (String person : List.of("kim", "boss")) {
      approvals.approve(week.id(), new ApprovalDecision(person, "fine", null));
    }
    world.settle(week);
    decide(week, Decision.RELEASE, "ann");
    prepare(week);
    assertThatThrownBy(() -> amendments.approve(week.id(), null, "kim", "mine"))
        .hasFieldOrPropertyWithValue("problem", Problem.SAME_PERSON)
        .hasMessageContaining("by a decision on a flagged line");
    assertThat(amendments.approve(week.id(), null, "boss", "yes").transfers()).isNull();
    assertThat(records.balance("ann")).isZero();
    assertThat(amendments.approve(week.id(), null, "zoe", "yes").transfers()).isNotNull();
    assertThat(records.balance("ann")).isEqualTo(1080);
    assertVerified();
  }

  @Test
  void anExplanationSaysWhatIsWithheldAndWhoRefusedIt() {
    Period week = settled();
    assertThat(why(week))
        .isEqualTo(
            "1,000 credits, 80 gems withheld: the review of the board's invites has flagged the"
                + " line");
    decide(week, Decision.REFUSE, "ann");
    assertThat(why(week)).endsWith("and kim refused it: looked at it");
  }

  private String why(Period week) {
    Sentence nothing =
        explainer.explain(week, new MemberId("ann"), 10).orElseThrow().ends().get(0).nothing();
    return Texts.english(requireNonNull(nothing));
  }

  /** A member that has nothing of the first outcome would lose what a correction gives it. */
  @Test
  void aFlagOnABoardWithoutAReviewIsFound() {
    Period week = world.open(world.board(rules("")));
    playThree();
    register("eve", null, null, null);
    world.settle(week);
    String change =
        "insert into flagged_line (period_id, member, chain) select id, 'eve', 9 from period";
    assertThat(servers.tampered(change, records::verify).named())
        .extracting(found -> Texts.english(found.what()))
        .contains("flagged line of eve");
  }

  @Test
  @Tag(OwnTables.TAG)
  void aPreviewWithholdsAsTheClosingWill() {
    Period week = open("same-address: 3");
    playThree();
    journal.drain(week);
    String rules =
        previews.ask(
            week,
            forecast ->
                forecast.rules().stream()
                    .map(rule -> rule.rule() + " " + rule.members() + " " + rule.amount())
                    .toList()
                    .toString());
    assertThat(rules).isEqualTo("[each-invite 2 80, podium 2 600]");
    assertThat(flags(week)).isEmpty();
  }

  @Test
  @Tag(OwnTables.TAG)
  void tamperingWithFlagsDecisionsAndWithheldAwardsIsFound() {
    Period week = settled();
    decide(week, Decision.RELEASE, "ann");
    amend(week);
    assertVerified();
    for (String change :
        List.of(
            "delete from line_decision",
            "update line_decision set since_revision = 3",
            "update line_decision set decision = 'refuse'",
            "update line_decision set made_by = 'eve'",
            "update flagged_line set same_address = 4",
            "insert into flagged_line (period_id, member, chain) select period_id, 'bob', 9"
                + " from flagged_line",
            "update withheld_award set amount = amount + 1",
            "delete from withheld_award")) {
      assertThat(servers.tampered(change, records::verify).named()).as(change).isNotEmpty();
      assertVerified();
    }
  }

  @Test
  void postgresRefusesFlagsAndDecisionsThatWouldChangeWhatIsPaid() {
    Period week = settled();
    for (String change :
        List.of(
            "delete from flagged_line",
            "update flagged_line set same_address = null, chain = 3",
            "insert into flagged_line (period_id, member, chain) select period_id, 'bob', 9"
                + " from flagged_line",
            "insert into line_decision select period_id, member, 'release', 1, 'eve', now(), 'x'"
                + " from flagged_line",
            "delete from withheld_award",
            "update withheld_award set amount = 1")) {
      assertThatThrownBy(() -> servers.sql(change))
          .as(change)
          .isInstanceOf(DataIntegrityViolationException.class);
    }
    decide(week, Decision.REFUSE, "ann");
    assertThatThrownBy(() -> servers.sql("delete from line_decision"))
        .isInstanceOf(DataIntegrityViolationException.class);
    assertThatThrownBy(() -> servers.sql("update line_decision set decision = 'release'"))
        .isInstanceOf(DataIntegrityViolationException.class);
  }
}
