package palmares.settlement.closing;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.EventOutcome.OnBoard;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.DuePeriods;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.PeriodSentences;
import palmares.period.PeriodState;
import palmares.period.PeriodTimeline;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.verification.Findings;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.LiveContent;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A running period can end later: it closes once, at its new end, and pays its prizes once. */
@WorldTest
class ExtensionsTest {
  private static final Instant END = Instant.parse("2026-11-21T00:00:00Z");
  private static final Instant LATER = Instant.parse("2026-11-22T00:00:00Z");
  private static final Duration GRACE = Duration.ofMinutes(10);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Extensions extensions;
  @Autowired private Closings closings;
  @Autowired private Approvals approvals;
  @Autowired private DuePeriods duePeriods;
  @Autowired private PeriodTimeline timeline;
  @Autowired private Leases leases;
  @Autowired private Exclusions exclusions;
  @Autowired private Rebuild rebuild;
  @Autowired private PlatformTransactionManager transactions;

  private static Rules season(String to) {
    return Rules.of("seasons")
        .with("seasons: [{ name: autumn, from: 2026-11-01, to: %s }]".formatted(to))
        .with("rewards: [{ rule: podium, ranks: { 1: 7000 } }]");
  }

  private void extend(Period period, Instant until) {
    extensions.extend(period.id(), until, "ann", "an outage");
  }

  private void refused(Period period, Instant until, Sentence said) {
    List<String> before = records.words("select period::text from period order by id");
    assertThatThrownBy(() -> extend(period, until))
        .isInstanceOfSatisfying(
            WrongState.class,
            refusal -> assertThat(refusal.said().values()).isEqualTo(said.values()))
        .hasMessage(Texts.english(said));
    assertThat(records.words("select period::text from period order by id"))
        .map(row -> row.replaceAll(",\\d+,0,,,,,0,,$", "")) // without the fence
        .isEqualTo(before.stream().map(row -> row.replaceAll(",\\d+,0,,,,,0,,$", "")).toList());
  }

  private List<String> names(Board board) {
    return records.words(
        "select name || ' ' || (starts_at at time zone 'UTC') from period where board = ?"
            + " order by starts_at",
        board.id().value());
  }

  @Test
  void aSeasonExtendedMinutesBeforeItsEndClosesAndPaysOnceAtItsNewEnd() {
    Board board = world.board(season("2026-11-20"));
    Period autumn = world.open(board);
    world.take(Fact.by("ann").on("a"));
    world.now(END.minus(Duration.ofMinutes(6)));
    board = world.edit(board, season("2026-11-21"));
    timeline.prepare(board);
    assertThat(names(board)).hasSize(2).last().asString().startsWith("autumn.2 ");

    extend(autumn, LATER);

    assertThat(names(board)).as("no second season").hasSize(1);
    world.now(END.plus(GRACE));
    timeline.prepare(board);
    assertThat(names(board)).hasSize(1);
    assertThat(duePeriods.due()).isEmpty();
    assertThatThrownBy(() -> closings.close(autumn.id(), ClosingCause.of("test"), step -> {}))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("cannot be closed yet");
    world.now(LATER.minusMillis(1));
    assertThat(world.take(List.of(Fact.by("bob").on("a"), Fact.by("bob").on("b"))))
        .extracting(EventOutcome::kind)
        .containsOnly(EventOutcome.Kind.APPLIED);
    assertThat(records.live(autumn))
        .extracting(Line::member, Line::reachedAt)
        .first()
        .hasToString("(\"bob\", %s)".formatted(LATER.minusMillis(1)));

    assertThat(world.settle(world.again(autumn)).slot().endsAt()).isEqualTo(LATER);
    timeline.prepare(board);
    assertThat(names(board)).hasSize(1);
    assertThat(records.paid(autumn)).isEqualTo(Map.of("bob podium", 7000L));
    assertThat(records.verify().named()).isEmpty();
    assertThat(
            records.words(
                """
                select concat_ws(' ', by, verb, reason, details->>'until') from audit_entry
                """))
        .containsExactly("ann extend an outage 2026-11-22T00:00:00Z");
    assertThat(records.words("select data::text from fact where type = 'period.extended'"))
        .singleElement()
        .asString()
        .contains("\"endsAt\":\"" + LATER, "\"formerEndsAt\":\"" + END, "\"closesAt\":\"");
  }

  /** As one that was that long from the beginning. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "layout: packed",
        "layout: wide",
        "resolution: microsecond",
        "resolution: minute",
        "ranks: dense",
        "ranks: competition",
        "tiebreak: arrival",
        "clock: event",
        "durability: committed",
        "actions: { like: { points: 1, undo: true, once-per: subject-a-day, max-per-period: 3 } }"
      })
  void anExtendedPeriodHasTheLinesOfOneThatWasThatLongFromTheBeginning(String field) {
    List<Board> boards =
        world.boards(
            List.of(
                season("2026-11-20").with(field).text(), season("2026-11-21").with(field).text()));
    Period extended = world.open(boards.get(0));
    Period whole = world.open(boards.get(1));
    like("bob", "ann", "eve");
    world.now(END.minusSeconds(1));
    like("cid", "dan", "dan");

    extend(extended, LATER);

    assertThat(records.live(extended)).isEqualTo(records.live(whole));
    world.now(END);
    like("dan", "fay", "ann");
    world.now(LATER.minusMillis(1));
    like("gus", "cid", "fay");
    assertThat(records.live(extended)).hasSize(7).isEqualTo(records.live(whole));
    world.settle(world.again(extended));
    world.settle(whole);
    assertThat(records.published(extended)).hasSize(7).isEqualTo(records.published(whole));
    assertThat(records.paid(extended)).isEqualTo(records.paid(whole));
    assertThat(records.verify().named()).isEmpty();
  }

  private void like(String... members) {
    for (String member : members) {
      Fact fact = Fact.by(member).on("post-" + world.now() + member).at(world.now());
      assertThat(world.take(List.of(fact, fact.again().on("other-" + fact.subject()))))
          .allMatch(
              outcome -> outcome.boards().stream().map(OnBoard::kind).distinct().count() == 1);
      world.pass(Duration.ofNanos(1_000));
    }
  }

  @Test
  void theNextPeriodBeginsAtTheNewEndAndKeepsItsOwn() {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    timeline.prepare(board);
    Period next = world.period(board, "2026-11-21");
    approvals.hold(next.id(), "bob", "a promotion");

    extend(day, END.plusSeconds(3600));

    assertThat(world.again(next).slot().startsAt()).isEqualTo(END.plusSeconds(3600));
    assertThat(world.again(next).slot().endsAt()).isEqualTo(LATER);
    assertThat(records.number("select count(*) from person_hold")).isEqualTo(1);
    world.now(END.plusSeconds(3599));
    world.take(Fact.by("ann"));
    world.now(END.plusSeconds(3600));
    world.take(Fact.by("bob"));
    assertThat(records.live(day)).extracting(Line::member).containsExactly("ann");
    assertThat(records.live(next)).extracting(Line::member).containsExactly("bob");
  }

  @Test
  void whatCannotBeExtendedIsRefused() {
    Board board = world.board(Rules.day().with("layout: wide"));
    Period day = world.open(board);
    String name = day.label();
    timeline.prepare(board);
    Period next = world.period(board, "2026-11-21");
    refused(day, END, new ExtensionSentences.NotLater(name, END.atZone(UTC), END.atZone(UTC)));
    refused(
        day,
        LATER,
        new PeriodSentences.NothingLeft(name, LATER.atZone(UTC), next.label(), LATER.atZone(UTC)));
    refused(next, LATER.plusSeconds(1), new ExtensionSentences.NotBegun(next.label()));
    world.now(END.minusSeconds(60));
    refused(day, END.plusSeconds(1), new PeriodSentences.NextNotMoved(name, next.label()));
    world.settle(world.again(day));
    refused(day, LATER, new ExtensionSentences.NotOpen(name, PeriodState.SETTLED));
    Period all = world.open(world.board(Rules.of("none").with("starts: 2026-01-01")));
    refused(
        all, Instant.parse("2101-01-01T00:00:00Z"), new PeriodSentences.NeverCloses(all.label()));
  }

  /** A season of 20 days has 31 bits for milliseconds, which are 24.8 days. */
  @Test
  void anEndPastTheBitsOfTheScoresIsRefusedAndTheLatestIsNamed() {
    Period autumn = world.open(world.board(season("2026-11-20").with("layout: packed")));
    Instant latest = autumn.slot().startsAt().plusMillis((1L << 31) - 1).minus(GRACE);
    world.take(Fact.by("ann").on("a"));
    refused(
        autumn,
        latest.plusMillis(1),
        new ExtensionSentences.BeyondScores(
            autumn.label(), latest.plusMillis(1).atZone(UTC), latest.atZone(UTC)));

    extend(autumn, latest);

    world.now(latest.minusMillis(1));
    world.take(Fact.by("bob").on("a"));
    world.settle(world.again(autumn));
    assertThat(records.published(autumn))
        .extracting(Line::reachedAt)
        .containsExactly(World.START, latest.minusMillis(1));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aPeriodInItsGraceIsExtendedIfNoNextOneHasBegun() {
    Period autumn = world.open(world.board(season("2026-11-20")));
    world.take(Fact.by("ann").on("a"));
    world.now(END.plusSeconds(60));
    assertThatThrownBy(() -> extend(autumn, END.plusSeconds(60))).isInstanceOf(WrongState.class);

    extend(autumn, LATER);

    world.take(Fact.by("bob").on("a"));
    assertThat(records.live(autumn)).extracting(Line::member).containsExactly("ann", "bob");
  }

  @Test
  void aClosingThatWasDueAMomentAgoFindsThatThePeriodIsNotOver() {
    Period autumn = world.open(world.board(season("2026-11-20")));
    world.take(Fact.by("ann").on("a"));
    world.now(END.plus(GRACE));
    var apart = new TransactionTemplate(transactions);
    apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    assertThat(duePeriods.due()).containsExactly(autumn.id());

    assertThatThrownBy(
            () ->
                closings.close(
                    autumn.id(),
                    ClosingCause.of("test"),
                    () -> apart.executeWithoutResult(status -> extend(autumn, LATER)),
                    step -> {}))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("cannot be closed yet");

    assertThat(records.number("select count(*) from run")).isZero();
    world.settle(world.again(autumn));
  }

  /** The closing has sealed the live board, and dies before PostgreSQL commits that. */
  @Test
  void aSealThatWasNeverCommittedIsLifted() {
    Period autumn = world.open(world.board(season("2026-11-20")));
    world.take(Fact.by("ann").on("a"));
    String meta = LiveKeys.of(autumn).name("meta");
    new Foreign(servers).run("HSET", meta, "state", "sealed");

    extend(autumn, LATER);

    world.take(Fact.by("bob").on("a"));
    assertThat(records.live(autumn)).hasSize(2);
  }

  @Test
  void ifTheCommitFailsTheLiveBoardGetsItsFormerEndBack() {
    Period autumn = world.open(world.board(season("2026-11-20")));
    world.take(Fact.by("ann").on("a"));
    LiveContent before = LiveContent.of(servers, autumn);
    servers.sql(
        """
        create or replace function outage() returns trigger language plpgsql as $$
        begin
          raise exception 'no room on the disk';
        end $$
        """);
    servers.sql(
        """
        create constraint trigger outage after update on period
        deferrable initially deferred for each row execute function outage()
        """);
    try {
      assertThatThrownBy(() -> extend(autumn, LATER)).hasStackTraceContaining("no room");
    } finally {
      servers.sql("drop trigger outage on period");
    }
    assertThat(world.again(autumn).slot().endsAt()).isEqualTo(END);
    assertThat(LiveContent.of(servers, autumn)).isEqualTo(before);
    extend(autumn, LATER);
    assertThat(LiveContent.of(servers, autumn)).isNotEqualTo(before);
  }

  @Test
  void aDryRunSendsNothingToRedis() {
    Period autumn = world.open(world.board(season("2026-11-20")));
    world.take(Fact.by("ann").on("a"));
    LiveContent before = LiveContent.of(servers, autumn);
    new TransactionTemplate(transactions)
        .executeWithoutResult(
            status -> {
              extend(autumn, LATER);
              status.setRollbackOnly();
            });
    assertThat(LiveContent.of(servers, autumn)).isEqualTo(before);
  }

  @Test
  void aLiveBoardIsRebuiltWithTheNewEnd() {
    Period autumn = world.open(world.board(season("2026-11-20")));
    world.take(Fact.by("ann").on("a"));
    extend(autumn, LATER);
    world.now(LATER.minusMillis(1));
    world.take(Fact.by("bob").on("a"));
    LiveContent before = LiveContent.of(servers, autumn);
    rebuild.run(autumn.id(), Present.REPLACE, null, () -> {}, events -> {});
    assertThat(LiveContent.of(servers, autumn)).isEqualTo(before);
  }

  @Test
  void anExclusionThatBeginsBeforeTheNewEndApplies() {
    Period autumn = world.open(world.board(season("2026-11-20")));
    world.take(Fact.by("ann").on("a"));
    world.pass(Duration.ofSeconds(1));
    world.take(Fact.by("bob").on("a"));
    exclusions.exclude(
        new Terms(new MemberId("ann"), ExclusionLevel.HIDDEN, autumn.board(), END, null),
        "a bot",
        "bob");
    assertThat(records.live(autumn)).extracting(Line::member).containsExactly("ann", "bob");

    extend(autumn, LATER);

    assertThat(records.live(autumn)).extracting(Line::member).containsExactly("bob");
    world.settle(world.again(autumn));
    assertThat(records.paid(autumn)).isEqualTo(Map.of("bob podium", 7000L));
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void theTiersOfAFamilyMoveTogetherOrNoneDoes() {
    String family = "family: { name: league, tier: %d, %s: 1 }";
    List<Board> tiers =
        world.boards(
            List.of(
                season("2026-11-20").with(family.formatted(1, "relegate")).text(),
                season("2026-11-20").with(family.formatted(2, "promote")).text()));
    Period first = world.open(tiers.get(0));
    Period second = world.open(tiers.get(1));
    world.take(Fact.by("ann").on("a").to(tiers.get(0)));
    world.take(Fact.by("bob").on("a").to(tiers.get(1)));
    Lease lease = leases.take(second.id(), "another process").orElseThrow();
    assertThatThrownBy(() -> extend(first, LATER)).isInstanceOf(PeriodBusy.class);
    assertThat(world.again(first).slot().endsAt()).isEqualTo(END);
    leases.release(lease);

    extend(second, LATER);

    assertThat(world.again(first).slot().endsAt()).isEqualTo(LATER);
    assertThat(world.again(second).slot().endsAt()).isEqualTo(LATER);
    assertThat(records.number("select count(*) from audit_entry where verb = 'extend'"))
        .isEqualTo(2);
    world.settle(world.again(first));
    world.settle(world.again(second));
    assertThat(records.number("select count(*) from tier_move")).isEqualTo(2);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aTierThatNobodyHasOpenedIsExtendedWithItsFamily() {
    String family = "family: { name: league, tier: %d, %s: 1 }";
    List<Board> tiers =
        world.boards(
            List.of(
                season("2026-11-20").with(family.formatted(1, "relegate")).text(),
                season("2026-11-20").with(family.formatted(2, "promote")).text()));
    Period first = world.open(tiers.get(0));
    world.take(Fact.by("ann").on("a").to(tiers.get(0)));

    extend(first, LATER);

    assertThat(world.open(tiers.get(1)).slot()).isEqualTo(world.again(first).slot());
  }

  @ParameterizedTest
  @ValueSource(strings = {"points", "time-fraction"})
  void anAdoptedBoardIsReadUntilItsNewEnd(String encoding) {
    var foreign = new Foreign(servers);
    Period day = world.open(world.board(Rules.adopting("lb:{period}", encoding)));
    foreign.zadd(Foreign.recipe(encoding).score(7, World.START), "ann");

    extend(day, END.plusSeconds(7200));

    foreign.zadd(Foreign.recipe(encoding).score(9, END.plusSeconds(7000)), "bob");
    world.settle(world.again(day));
    assertThat(records.published(day)).extracting(Line::member).containsExactly("bob", "ann");
    assertThat(records.paid(day)).isEqualTo(Map.of("bob podium", 100L));
    assertThat(records.verify().named()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "millis-left                       | false",
        "seconds-left                      | false",
        "decimal-seconds-left, digits: 5   | false",
        "appended-seconds-left, digits: 5  | false",
        "millis-left, deadline: end+2h     | true",
        "millis-left, deadline: 2030-01-01T00:00:00Z | true",
      })
  void anAdoptedBoardWhoseScoresCountDownToItsEndIsNotExtended(String encoding, boolean may) {
    Period day = world.open(world.board(Rules.adopting("lb:{period}", encoding)));
    if (may) {
      extend(day, END.plusSeconds(3600));
    } else {
      refused(day, END.plusSeconds(3600), new ExtensionSentences.CountsDown(day.label()));
    }
  }

  /** The closing has renamed the keys, and dies before PostgreSQL commits that. */
  @Test
  void anAdoptedBoardWhoseKeysAreSealedIsNotExtended() {
    Board board = world.board(Rules.adopting("lb:{period}", "points"));
    Period day = world.open(board);
    var foreign = new Foreign(servers);
    foreign.zadd("7", "ann");
    foreign.run("HSET", "{lb:2026-11-20}:palmares-seal", "period", day.label());
    refused(day, END.plusSeconds(3600), new ExtensionSentences.KeysSealed(day.label()));
  }

  @Test
  void aShortPeriodThatNoFileNamesIsHeldIfItPays() {
    Board board = world.board(season("2026-11-20"));
    Period autumn = world.open(board);
    world.take(Fact.by("ann").on("a"));
    board =
        world.edit(
            board,
            season("2026-11-21").with("payout: { release-at: '09:00' , approval: required }"));
    world.settle(world.again(autumn));
    world.now(END);
    Period rest = world.open(board);
    assertThat(rest.name()).hasToString("autumn.2");
    world.take(Fact.by("bob").on("a"));
    ClosingResult held = world.close(rest);
    assertThat(held.outcome()).isEqualTo(Status.HELD);
    assertThat(held.text())
        .contains(
            "no file names it: it is the rest of autumn, which lasts from 2026-11-01 00:00:00+00:00"
                + " to 2026-11-22 00:00:00+00:00, and would pay its prizes again");
    assertThat(records.number("select count(*) from revision where release_at is not null"))
        .as("only a person releases it")
        .isZero();
    assertThat(records.paid(rest)).isEmpty();
    assertThat(records.paid(autumn)).hasSize(1);
  }

  @Test
  void aShortPeriodThatNobodyApprovedIsADifference() {
    Board board = world.board(season("2026-11-20"));
    Period autumn = world.open(board);
    board = world.edit(board, season("2026-11-21"));
    world.settle(world.again(autumn));
    world.now(END);
    Period rest = world.open(board);
    world.take(Fact.by("bob").on("a"));
    assertThat(world.close(rest).outcome()).isEqualTo(Status.HELD);
    approvals.approve(rest.id(), new ApprovalDecision("bob", "so", null));
    world.settle(rest);
    assertThat(records.verify().named()).isEmpty();

    Findings findings =
        servers.tampered("update revision set decided_by = 'the board''s rules'", records::verify);

    assertThat(findings.named())
        .extracting(difference -> Texts.english(difference.said()))
        .anySatisfy(
            found -> assertThat(found).contains(rest.label()).contains("approval of revision 1"));
  }

  @Test
  void aShortPeriodThatPaysNothingIsNotHeld() {
    Board board = world.board(season("2026-11-20"));
    Period autumn = world.open(board);
    board = world.edit(board, season("2026-11-21"));
    world.settle(world.again(autumn));
    world.settle(world.open(board));
  }

  @Test
  void anExtendedPeriodKeepsItsEndUnderAnOlderFileAndALaterOneOpensNoSecondSeason() {
    Board board = world.board(season("2026-11-20"));
    Period autumn = world.open(board);
    extend(autumn, LATER);
    timeline.prepare(board);
    assertThat(world.again(autumn).slot().endsAt()).isEqualTo(LATER);
    board = world.edit(board, season("2026-11-21"));
    timeline.prepare(board);
    assertThat(names(board)).hasSize(1);
    world.now(LATER);
    timeline.prepare(board);
    assertThat(names(board)).hasSize(1);
  }
}
