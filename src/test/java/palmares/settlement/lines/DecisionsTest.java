package palmares.settlement.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.SoftAssertions.assertSoftly;
import static palmares.live.journal.Quarantine.Resolution.DISCARDED;
import static palmares.live.journal.Quarantine.Resolution.RELEASED;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.journal.Journal;
import palmares.live.journal.Quarantine;
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.live.journal.Quarantine.Resolution;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodBusy;
import palmares.period.WrongState;
import palmares.platform.text.SaidBySql;
import palmares.platform.text.Texts;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.verification.Findings;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A decision that the rules do not make stops the payment, and is found in what was paid. */
@WorldTest
class DecisionsTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  /** The statement that changes a decided event, and the finding. */
  private static final String WRONG_DECISIONS =
      """
      subject = 'a' where subject = 'b'                                         | ann: derived repeated, stored applied with 2 points
      outcome = 'applied', points = 2 where member = 'ann' and outcome = 'repeated' | ann: derived repeated, stored applied
      subject = 'z' where member = 'ann' and outcome = 'repeated'               | ann: derived counted, stored repeated
      subject = 'z' where member = 'ann' and outcome = 'undone'                 | ann: derived nothing to undo, stored undone
      points = -4 where member = 'ann' and outcome = 'undone'                   | ann: derived undone with -2 points, stored undone with -4
      member = 'ann' where member = 'bob'                                       | ann: derived undone, stored nothing to undo
      occurred_at = occurred_at - interval '1 day' where action = 'visit' and outcome = 'applied' and occurred_at > '2026-11-21Z' | cid: derived repeated, stored applied
      occurred_at = occurred_at + interval '1 day' where action = 'visit' and outcome = 'repeated' | cid: derived counted, stored repeated
      outcome = 'applied', points = 5 where member = 'dan' and outcome = 'repeated' | dan: derived repeated, stored applied
      occurred_at = occurred_at - interval '1 day' where member = 'eve' and outcome = 'applied' and occurred_at > '2026-11-21Z' | eve: derived repeated, stored applied
      occurred_at = occurred_at + interval '1 day' where member = 'eve' and outcome = 'undone' | eve: derived nothing to undo, stored undone
      quantity = 4, points = 4 where member = 'fay' and quantity = 3            | fay: derived refused: at most 3 at once, stored applied
      occurred_at = occurred_at - interval '1 day' where member = 'fay' and quantity = 2 | fay: derived capped, stored applied
      outcome = 'applied', points = 1 where member = 'fay' and outcome = 'capped' and occurred_at < '2026-11-21Z' | fay: derived capped, stored applied
      outcome = 'applied', points = 1 where member = 'fay' and outcome = 'capped' and occurred_at > '2026-11-22Z' | fay: derived capped, stored applied
      occurred_at = occurred_at + interval '3 days' where member = 'fay' and outcome = 'capped' and occurred_at < '2026-11-21Z' | fay: derived counted, stored capped
      action = 'coin' where member = 'dan' and outcome = 'repeated'             | dan: derived counted, stored repeated
      occurred_at = '2026-12-01Z' where member = 'dan' and outcome = 'applied'  | dan: derived refused: the period is from
      occurred_at = '2026-10-31 23:59:59.999999Z' where member = 'dan'          | dan: derived refused: the period is from
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Quarantine quarantine;
  @Autowired private Rebuild rebuild;
  @Autowired private Leases leases;

  private Period month;

  @BeforeEach
  void eventsOfEachRule() {
    month =
        world.open(
            world.board(
                Rules.of("month")
                    .with("clock: event")
                    .with("rewards: [{ rule: podium, ranks: { 1: 100 } }]")
                    .with(
                        """
                        actions:
                          like: { points: 2, undo: true }
                          visit: { points: 1, once-per: day }
                          welcome: { points: 5, once-per: period }
                          read: { points: 1, once-per: subject-a-day, undo: true }
                          coin:
                            points: 1
                            once-per: event
                            max-quantity: 3
                            max-per-day: 4
                            max-per-period: 6
                        """)));
    world.now(day(4));
    Fact like = Fact.by("ann").on("a").at(day(0));
    Fact other = like.on("c").again();
    Fact visit = Fact.by("cid").does("visit").at(day(0));
    Fact welcome = Fact.by("dan").does("welcome").at(day(0));
    Fact read = Fact.by("eve").does("read").on("page").at(day(0));
    Fact coin = Fact.by("fay").does("coin").at(day(0));
    world.take(
        List.of(
            like,
            like.on("b").again(),
            other,
            other.undone(),
            like.again(),
            Fact.by("bob").on("a").at(day(0)).undone(),
            visit,
            visit.again(),
            visit.again().at(day(1)),
            welcome,
            welcome.again(),
            read,
            read.again().at(day(1)),
            read.undone().at(day(1)),
            coin.times(3),
            coin.again(),
            coin.again(),
            coin.again().times(2).at(day(1)),
            coin.again().at(day(2))));
  }

  private static Instant day(int n) {
    return NOON.plus(n, ChronoUnit.DAYS);
  }

  @Test
  void eachWrongDecisionIsFoundInWhatWasPaid() {
    world.settle(month);
    assertThat(records.verify().named()).isEmpty();
    assertSoftly(softly -> WRONG_DECISIONS.lines().forEach(line -> assertFound(softly, line)));
    assertThat(records.verify().named()).as("after the rollbacks").isEmpty();
  }

  private void assertFound(SoftAssertions softly, String line) {
    String[] change = line.split("\\|");
    Findings findings = servers.tampered("update event set " + change[0], records::verify);
    softly
        .assertThat(findings.named())
        .extracting(difference -> Texts.english(difference.said()))
        .as(line)
        .anySatisfy(found -> assertThat(found).contains(" of " + change[1].strip()));
  }

  /** What a lost or discarded event has changed, nobody can derive. */
  @Test
  void decisionsAfterADiscardedEventAreTakenAsTheyAre() {
    world.settle(month);
    String discarded =
        """
        insert into journal_quarantine (period_id, seq, entry, error, quarantined_at,
          resolution, resolved_by, resolved_at, reason)
        select period_id, 2, '', '{}', now(), 'discarded', 'ann', now(), 'x' from event limit 1;
        """;
    Findings findings =
        servers.tampered(
            discarded + "update event set subject = 'a' where subject = 'b'", records::verify);
    assertThat(findings.named())
        .extracting(difference -> Texts.english(difference.said()))
        .noneSatisfy(found -> assertThat(found).contains("derived repeated"));
  }

  /** As any fault that lets the live board forget what it has given. */
  @Test
  void aBoardThatForgotWhatItGavePaysNobody() {
    byte[] given = LiveKeys.of(month).name("given").getBytes();
    servers.redis(
        redis -> {
          // As many entries stay, or the board would be torn.
          for (var field : redis.hashCommands().hGetAll(given).entrySet()) {
            redis.hashCommands().hDel(given, field.getKey());
            redis.hashCommands().hSet(given, ("x" + field).getBytes(), field.getValue());
          }
          return true;
        });
    assertThat(world.take(Fact.by("ann").on("a").at(day(1))).kind()).isEqualTo(Kind.APPLIED);
    assertThat(world.take(Fact.by("fay").does("coin").at(day(1))).kind()).isEqualTo(Kind.APPLIED);

    ClosingResult closed = world.close(month);

    assertThat(closed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(closed.text())
        .contains("nobody is paid: the rules decide otherwise on 2 events, which are quarantined")
        .contains(" of ann was applied with 2 points, and by the rules it is repeated, event ")
        .endsWith(" of fay was applied with 1 point, and by the rules it is capped");
    assertThat(records.number("select count(*) from transfer")).isZero();
  }

  /** The live board forgets what it gave, as in the test before, and a person decides. */
  @ParameterizedTest
  @EnumSource
  void aPersonTakesOrDiscardsWrongDecisions(Resolution resolution) {
    aBoardThatForgotWhatItGavePaysNobody();
    List<QuarantinedEntry> wrong = quarantine.list(month.board(), month.name(), false, null, 10);
    assertThat(wrong).extracting(QuarantinedEntry::number).containsExactly(20L, 21L);
    assertThat(Texts.english(SaidBySql.requireText(wrong.get(0).error())))
        .contains("was applied with 2 points, and by the rules it is repeated");
    assertThat(world.close(month).outcome()).isEqualTo(ClosingResult.Status.FAILED);

    quarantine.resolve(month, 20, resolution, "joe", "looked into");
    assertThat(world.close(month).outcome()).isEqualTo(ClosingResult.Status.FAILED);
    Resolution other = resolution == RELEASED ? DISCARDED : RELEASED;
    assertThatThrownBy(() -> quarantine.resolve(month, 21, other, "joe", "looked into"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("must be resolved as the other events");
    quarantine.resolve(month, 21, resolution, "joe", "looked into");
    if (resolution == DISCARDED) {
      assertThatThrownBy(() -> rebuild.run(month.id(), Present.REPLACE, null, () -> {}, done -> {}))
          .as("only points are fewer")
          .hasMessageContaining("or give up what is lost by a rebuild");
      rebuild.run(
          month.id(), Present.REPLACE, new Acknowledgement("joe", "forged"), () -> {}, done -> {});
    }
    world.settle(month);

    assertThat(records.number("select points from standing where member = 'ann'"))
        .isEqualTo(resolution == RELEASED ? 6 : 4);
    assertThat(records.number("select points from standing where member = 'fay'"))
        .isEqualTo(resolution == RELEASED ? 7 : 6);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.words("select verb from audit_entry"))
        .contains(resolution == RELEASED ? "release-entry" : "discard-entry");
    assertThat(
            servers
                .tampered("update journal_quarantine set by_rules = null", records::verify)
                .named())
        .isNotEmpty();
  }

  @Test
  void aWrongDecisionIsNotResolvedWhileItsPeriodIsClosedOrAfterItWasChanged() {
    aBoardThatForgotWhatItGavePaysNobody();
    Lease lease = leases.take(month.id(), "somebody else").orElseThrow();
    assertThatThrownBy(() -> quarantine.resolve(month, 20, RELEASED, "joe", "looked into"))
        .isInstanceOf(PeriodBusy.class);
    leases.release(lease);
    servers.sql("update event set points = 200 where seq = 20");
    assertThatThrownBy(() -> quarantine.resolve(month, 20, RELEASED, "joe", "looked into"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("has been changed since");
    servers.sql("update event set points = 2 where seq = 20");
    quarantine.resolve(month, 20, RELEASED, "joe", "looked into");
  }

  @Test
  void aWrongDecisionStopsThePayment() {
    journal.drain(month);
    byte[] drained = LiveKeys.of(month).name("journal").getBytes();
    servers.redis(redis -> redis.keyCommands().del(drained));
    String wrong = "update event set subject = ? where period_id = ? and subject = ?";
    servers.unguarded(() -> servers.sql(wrong, "a", month.id().value(), "b"));

    ClosingResult closed = world.close(month);

    assertThat(closed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    assertThat(String.valueOf(closed.text()))
        .contains("nobody is paid: the rules decide otherwise on 1 event, which is quarantined")
        .endsWith(" of ann was applied with 2 points, and by the rules it is repeated");
    assertThat(records.number("select count(*) from transfer")).isZero();
    servers.unguarded(
        () ->
            servers.sql(
                "update event set subject = 'b' where period_id = ? and seq = 2",
                month.id().value()));
    world.settle(month);
    assertThat(records.number("select count(*) from journal_quarantine")).isZero();
  }
}
