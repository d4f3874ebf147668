package palmares.operations.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.from;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.ClosedMarks;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Rebuild.Acknowledgement;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.operations.rebuild.Rebuild.RebuildResult;
import palmares.operations.report.PeriodNotes;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Population;
import palmares.period.Repair;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.text.SaidBySql;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.closing.Sweep;
import palmares.settlement.lines.Shortfalls;
import palmares.settlement.manifest.Manifests;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.JournalDump;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A period that lost sealed events is paid only if a person acknowledges the loss. */
@WorldTest
class AcknowledgedLossTest {
  private static final LongConsumer NO_WATCHER = done -> {};
  private static final Acknowledgement CONSENT =
      new Acknowledgement("zoe", "the machine of Redis burnt");

  /** Two invitations more than the contest, which the journal in PostgreSQL loses. */
  private static final Population SEALED = new Population(7, 601, 11);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Rebuild rebuild;
  @Autowired private Journal journal;
  @Autowired private ClosedMarks closed;
  @Autowired private Shortfalls shortfalls;
  @Autowired private TransactionTemplate transaction;
  @Autowired private AuditLog auditLog;
  @Autowired private Manifests manifests;
  @Autowired private PeriodNotes notes;
  @Autowired private Sweep sweep;

  private final Fact lost = Fact.by("hal").does("invite").on("h");
  private Period day;

  @BeforeEach
  void aContestWithTwoMoreInvitations() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.take(Fact.by("fay").does("invite").on("x"));
    world.take(Fact.by("gus").does("invite").on("y"));
  }

  /** Seals the board, and loses it with the end of its journal. */
  private void loseAfterTheSeal() {
    loseAt("drain");
  }

  private void loseAt(String step) {
    assertThat(world.close(day, entered -> dieAt(step, entered)).outcome())
        .isEqualTo(Status.FAILED);
    servers.flush();
    goBack(day, 9);
  }

  /** Restores PostgreSQL to a journal of this many events. */
  private void goBack(Period period, long events) {
    servers.sql("delete from event where period_id = ? and seq > ?", period.id().value(), events);
    servers.sql(
        """
        update journal_position
        set drained = ?, checksum = (
          select sum(event_hash(event)) from event
          where event.period_id = journal_position.period_id)
        where period_id = ?
        """,
        events,
        period.id().value());
  }

  @Test
  void aRebuildThatLacksSealedEventsIsRefusedWithFiguresAndChangesNothing() {
    loseAfterTheSeal();
    assertThatThrownBy(() -> rebuild(null))
        .hasFieldOrPropertyWithValue("problem", Problem.EVENTS_MISSING)
        .hasMessageContaining("of 11 events at the seal the journal has 9, of 7 members 5")
        .hasMessageContaining("or give up what is lost by a rebuild");
    assertThat(keys()).isEmpty();
    assertThat(world.again(day).population()).isEqualTo(SEALED);
    assertThat(world.close(day).outcome()).isEqualTo(Status.FAILED);
    assertThat(records.paid(day)).isEmpty();
    assertThat(records.number("select count(*) from audit_entry")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"drain", "fill"})
  void anAcknowledgedLossIsRecordedInManifestReportAndAuditLog(String step) {
    loseAt(step);
    assertThat(rebuild(CONSENT)).isPresent();
    assertThat(world.again(day).population()).isEqualTo(new Population(5, 401, 9));
    world.settle(day);

    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
    assertThat(sealed()).isEqualTo(SEALED);
    assertThat(auditLog.list(day.board().value(), day.name().value(), null, 10))
        .extracting(
            kept -> kept.entry().verb() + " " + kept.entry().by() + ": " + kept.entry().reason())
        .containsExactly("accept-loss zoe: the machine of Redis burnt");
    assertThat(manifests.find(day, 1).orElseThrow().body())
        .contains("sealed-events: 11\n", "rebuilt-events: 9\n")
        .contains("acknowledged-loss: 5 members, 401 points and 9 events were left, as zoe");
    assertThat(SaidBySql.text(notes.of(day.board(), day.name())))
        .contains("closed with 9 of 11 sealed events and 5 of 7 sealed members, which zoe");
    for (String change : TAMPERED) {
      assertThat(servers.tampered(change, records::verify).clean()).as(change).isFalse();
    }
  }

  private static final List<String> TAMPERED =
      List.of(
          "update acknowledged_loss set reason = 'x'",
          "update acknowledged_loss set given_up = '{}'",
          "update acknowledged_loss set made_by = 'x'",
          "update acknowledged_loss set members = members - 1",
          "delete from acknowledged_loss",
          "update period set rebuilt_events = null, rebuilt_members = null, rebuilt_points = null",
          "update period set sealed_events = 9, sealed_members = 5, sealed_points = 401",
          "delete from audit_entry");

  @Test
  void aLossIsAcknowledgedOnce() {
    loseAfterTheSeal();
    rebuild(CONSENT);
    servers.flush();
    assertThat(rebuild(null)).isPresent();
    world.settle(day);
    assertThat(records.number("select count(*) from acknowledged_loss")).isEqualTo(1);
    assertThat(records.verify().named()).isEmpty();
  }

  /** The lost events may be restored after somebody has given them up. */
  @Test
  void aLossThatALaterRebuildDoesNotHaveIsInNoNoteAndNoManifest() {
    assertThat(world.close(day, step -> dieAt("fill", step)).outcome()).isEqualTo(Status.FAILED);
    servers.sql("create table backup as select * from event");
    servers.flush();
    goBack(day, 9);
    rebuild(CONSENT);
    assertThat(records.words("select note from period_note")).hasSize(1);
    servers.flush();
    servers.sql("insert into event select * from backup where seq > 9");
    servers.sql("drop table backup");
    goBack(day, 11);
    assertThat(rebuild(null)).isPresent();
    assertThat(world.again(day).population()).isEqualTo(SEALED);
    world.settle(day);
    assertThat(manifests.find(day, 1).orElseThrow().body()).doesNotContain("were left");
    assertThat(records.words("select note from period_note")).isEmpty();
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aCompleteRebuildRecordsNoAcknowledgement() {
    assertThat(world.close(day, step -> dieAt("fill", step)).outcome()).isEqualTo(Status.FAILED);
    servers.flush();
    rebuild(CONSENT);
    assertThat(world.again(day).population()).isEqualTo(SEALED);
    world.settle(day);
    assertThat(records.number("select count(*) from audit_entry")).isZero();
    assertThat(records.words("select note from period_note")).isEmpty();
  }

  @Test
  void theDatabaseKeepsSealedFiguresAndRefusesUnacknowledgedLosses() {
    loseAfterTheSeal();
    Map.of(
            "update period set sealed_events = 9", "sealed figures",
            "update period set sealed_at = sealed_at + interval '1 hour'", "sealed figures",
            "update period set rebuilt_members = 5, rebuilt_points = 401, rebuilt_events = 9",
                "nobody has acknowledged",
            "update period set rebuilt_members = 7, rebuilt_points = 600, rebuilt_events = 11",
                "nobody has acknowledged")
        .forEach(
            (change, why) ->
                assertThatThrownBy(() -> servers.sql(change))
                    .isInstanceOf(DataIntegrityViolationException.class)
                    .hasMessageContaining(why));
    rebuild(CONSENT);
    for (String table : List.of("acknowledged_loss")) {
      assertThatThrownBy(() -> servers.sql("delete from " + table))
          .isInstanceOf(DataIntegrityViolationException.class);
    }
  }

  /**
   * Events 12 and 13 are in neither store: PostgreSQL came back as it was before them. Returns what
   * it had.
   */
  private JournalDump loseAHole() {
    journal.drain(day);
    JournalDump before = JournalDump.of(records, day);
    world.take(lost);
    world.take(Fact.by("ida").does("invite").on("i"));
    journal.drain(day);
    JournalDump complete = JournalDump.of(records, day);
    servers.redis(connection -> connection.keyCommands().del(key("journal")));
    before.restore(servers);
    return complete;
  }

  /** An undo of what is lost, a repeat of it, and two others. */
  private void goOn() {
    world.take(Fact.by("hal").on("post"));
    world.take(Fact.by("ida").does("invite").on("i"));
    world.take(lost.undone());
    world.take(Fact.by("jon").does("invite").on("j"));
  }

  @Test
  void aHoleOfAnOpenPeriodIsGivenUpAndAllBehindItIsKept() {
    loseAHole();
    goOn();
    assertThatThrownBy(() -> journal.drain(day))
        .hasMessageContaining("neither PostgreSQL nor Redis has events 12–13")
        .asInstanceOf(type(Repair.Needed.class))
        .returns(Repair.ACCEPT_LOSS, from(Repair.Needed::repair));
    assertThatThrownBy(() -> rebuild(Present.REPLACE, null))
        .hasFieldOrPropertyWithValue("problem", Problem.EVENTS_MISSING)
        .hasMessageContaining("has events 12–13, which the live board has decided")
        .hasMessageContaining("the last event that PostgreSQL has is number 11, of 2026-11-20");
    assertThat(records.number("select count(*) from acknowledged_loss")).isZero();

    RebuildResult rebuilt = rebuild(Present.REPLACE, CONSENT).orElseThrow();
    assertThat(rebuilt.events()).isEqualTo(11);
    assertThat(rebuilt.strays()).isEqualTo(4);
    assertThat(Objects.requireNonNull(rebuilt.givenUp()).events().count()).isEqualTo(2);
    assertThat(records.points(day, "hal")).isEqualTo(1);
    assertThat(records.points(day, "ida")).as("its repeat is the first one now").isEqualTo(100);
    assertThat(records.points(day, "jon")).isEqualTo(100);
    assertThat(world.take(lost.again()).kind()).isEqualTo(Kind.APPLIED);

    String given = "events 12–13 given up (2 events); members with other points since: none";
    assertThat(
            records.words(
                "select concat_ws(' ', reason, details->>'missing', details->'missingEvents')"
                    + " from audit_entry where verb = 'accept-loss'"))
        .containsExactly("the machine of Redis burnt {[12,14)} 2");
    assertThat(
            records.words(
                "select concat_ws(' ', missing, missing_events, changed_members, events)"
                    + " from acknowledged_loss"))
        .containsExactly("{[12,14)} 2 0 15");
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
    assertThat(manifests.find(day, 1).orElseThrow().body()).contains("acknowledged-loss: ", given);
    assertThat(SaidBySql.text(notes.of(day.board(), day.name())))
        .contains("zoe acknowledged a loss: ", given);
    for (String change :
        List.of(
            "update acknowledged_loss set missing = '{[12,13)}'",
            "update acknowledged_loss set missing_events = 1",
            "update acknowledged_loss set changed_members = 1")) {
      assertThat(servers.tampered(change, records::verify).clean()).as(change).isFalse();
    }
  }

  @Test
  void whatOnlyTheBoardKnowsIsGivenUpAndItsMembersAreNamed() {
    loseAHole();
    assertThatThrownBy(() -> rebuild(Present.REPLACE, null))
        .hasMessageContaining("has events 12–13, which the live board has decided");
    RebuildResult rebuilt = rebuild(Present.REPLACE, CONSENT).orElseThrow();
    assertThat(Texts.english(Objects.requireNonNull(rebuilt.givenUp()).said()))
        .startsWith("events 12–13 given up (2 events); members with other points since: ")
        .contains("hal", "ida");
    assertThat(world.take(lost).kind()).isEqualTo(Kind.APPLIED);
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anInterruptedRebuildDoesNotForgetThatItGivesEventsUp() {
    loseAHole();
    goOn();
    assertThatThrownBy(
            () ->
                rebuild.run(
                    day.id(),
                    Present.REPLACE,
                    CONSENT,
                    () -> {},
                    done -> {
                      throw new IllegalStateException("killed at " + done);
                    }))
        .hasMessage("killed at 11");
    assertThatThrownBy(() -> rebuild(Present.REFUSE, null)).hasMessageContaining("events 12–13");
    rebuild(Present.REFUSE, CONSENT);
    assertThat(records.points(day, "jon")).isEqualTo(100);
    assertThat(records.words("select missing || ' ' || changed_members from acknowledged_loss"))
        .containsExactly("{[12,14)} 0");
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  /** PostgreSQL is restored to a later point after somebody has begun to give its events up. */
  @Test
  void anInterruptedRebuildGivesUpOnlyWhatIsStillMissing() {
    JournalDump complete = loseAHole();
    world.take(Fact.by("jon").does("invite").on("j"));
    assertThatThrownBy(
            () ->
                rebuild.run(
                    day.id(),
                    Present.REPLACE,
                    CONSENT,
                    () -> {},
                    done -> {
                      throw new IllegalStateException("killed at " + done);
                    }))
        .hasMessage("killed at 11");
    complete.restore(servers);
    rebuild(Present.REFUSE, null);
    assertThat(records.points(day, "hal")).isEqualTo(100);
    assertThat(records.points(day, "jon")).isEqualTo(100);
    assertThat(records.number("select count(*) from acknowledged_loss")).isZero();
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aHoleOfASealedPeriodIsOneAcknowledgedLoss() {
    loseAHole();
    goOn();
    assertThat(world.close(day).text()).contains("has events 12–13");
    assertThat(world.again(day).state()).isEqualTo(PeriodState.OPEN);
    rebuild(Present.REPLACE, CONSENT);
    world.pass(Duration.ofSeconds(1));
    assertThat(world.close(day, entered -> dieAt("drain", entered)).outcome())
        .isEqualTo(Status.FAILED);
    servers.redis(connection -> connection.keyCommands().del(key("journal")));
    goBack(day, 11);
    assertThat(world.close(day).text()).contains("has events 12–15");
    rebuild(Present.REPLACE, CONSENT);
    world.settle(day);
    assertThat(records.words("select missing::text from acknowledged_loss order by fence"))
        .containsExactly("{[12,14)}", "{[12,16)}");
    assertThat(records.verify().named()).isEmpty();
  }

  /** Nothing is lost, and nobody was paid. */
  @Test
  void aSealThatPostgresForgotIsMadeAgain() {
    forgetTheSeal();
    world.settle(day);
    assertThat(records.paid(day)).isNotEmpty();
    assertThat(records.number("select count(*) from acknowledged_loss")).isZero();
    assertThat(sealed()).isEqualTo(SEALED);
    assertThat(records.verify().named()).isEmpty();
    assertThat(closed.forgotten(day)).contains(PeriodState.SETTLED);
  }

  @Test
  void aProcessThatHungWhileAnotherOnePaidFindsNothingForgotten() {
    Period before = world.again(day);
    world.settle(day);
    assertThat(closed.forgotten(before)).as("by what it has read").contains(PeriodState.SETTLED);
    assertThatCode(() -> closed.requireNoneForgotten(before)).doesNotThrowAnyException();
  }

  private void forgetTheSeal() {
    assertThat(world.close(day, entered -> dieAt("fill", entered)).outcome())
        .isEqualTo(Status.FAILED);
    servers.unguarded(
        () ->
            servers.sql(
                """
                update period
                set state = 'open', sealed_at = null, sealed_members = null, sealed_points = null,
                  sealed_events = null
                """));
  }

  @Test
  void aSealThatPostgresForgotWhileItPaidIsMadeAgainOnlyByConsent() {
    forgetTheSeal();
    transaction.executeWithoutResult(status -> closed.markPaying(day));
    closed.mark(day, PeriodState.SEALED); // by an attempt after it
    assertForgotten("sealed");

    assertThat(rebuild(Present.REPLACE, CONSENT).orElseThrow().state()).isEqualTo(PeriodState.OPEN);
    assertThat(records.words("select reason || ' ' || (details->>'forgotten') from audit_entry"))
        .containsExactly("the machine of Redis burnt sealed");
    world.settle(day);
    assertThat(closed.forgotten(day)).contains(PeriodState.SETTLED);
    assertShowsForgotten("sealed");
  }

  @Test
  void aPaymentThatPostgresForgotIsMadeAgainOnlyByConsent() {
    assertThat(world.close(day, entered -> dieAt("pay", entered)).outcome())
        .isEqualTo(Status.FAILED);
    closed.mark(day, PeriodState.SETTLED);
    assertForgotten("settled");

    assertThat(rebuild(Present.REPLACE, CONSENT).orElseThrow().state())
        .isEqualTo(PeriodState.FILLED);
    world.settle(day);
    assertShowsForgotten("settled");
  }

  @Test
  void aProcessThatDiesBetweenTheMarkOfAPaymentAndItsCommitIsFollowedByOnePayment() {
    assertThat(world.close(day, entered -> dieAt("pay", entered)).outcome())
        .isEqualTo(Status.FAILED);
    markPaymentThatIsRolledBack();
    assertThat(records.paid(day)).isEmpty();
    world.settle(day);
    assertThat(records.paid(day)).isNotEmpty();
    assertThat(records.number("select count(*) from acknowledged_loss")).isZero();
    assertThat(records.verify().named()).isEmpty();
  }

  /** Members in excess that have no event were forged. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, false",
    "0, 1, 0, true",
    "0, 0, 1, true",
    "1, 1, 0, true",
    "0, 0, 0, false"
  })
  void fewerPointsOrEventsAreLost(int members, int points, int events, boolean lost) {
    assertThat(world.close(day, entered -> dieAt("fill", entered)).outcome())
        .isEqualTo(Status.FAILED);
    var rebuilt =
        new Population(
            SEALED.members() - members, SEALED.points() - points, SEALED.events() - events);
    assertThat(shortfalls.find(world.again(day), rebuilt))
        .matches(found -> found.isPresent() == lost);
  }

  private void markPaymentThatIsRolledBack() {
    transaction.executeWithoutResult(
        status -> {
          closed.markPaying(day);
          status.setRollbackOnly();
        });
  }

  /** The process died between the commit and the mark of it, and PostgreSQL went back to before. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          another transaction has its number, 0,          true
          it was incomplete on a standby,     0000000A,   false
          its server says no timeline,        ?,          false
          no transaction has its number yet,  9999999999, false
          """)
  void aPaymentWhoseEndPostgresDoesNotKnowIsMadeAgainOnlyByConsent(
      String why, String other, boolean isCommitted) {
    assertThat(world.close(day, entered -> dieAt("pay", entered)).outcome())
        .isEqualTo(Status.FAILED);
    markPaymentThatIsRolledBack();
    if (isCommitted) {
      transaction.executeWithoutResult(status -> closed.markPaying(day));
    } else {
      servers.redis(
          connection -> {
            byte[] field = "payment".getBytes(UTF_8);
            String[] known =
                new String(connection.hashCommands().hGet(key("meta"), field), UTF_8).split(" ");
            String unknown =
                switch (other.length()) {
                  case 1 -> " " + known[1];
                  case 8 -> known[0].replaceFirst("/.*", "/" + other) + " " + known[1];
                  default -> known[0] + " " + other;
                };
            return connection.hashCommands().hSet(key("meta"), field, unknown.getBytes(UTF_8));
          });
    }
    assertForgotten("settled");
    rebuild(Present.REPLACE, CONSENT);
    world.settle(day);
    assertShowsForgotten("settled");
  }

  private void assertShowsForgotten(String state) {
    String forgotten = "PostgreSQL has forgotten that it was " + state;
    assertThat(records.words("select forgotten from acknowledged_loss")).containsExactly(state);
    assertThat(manifests.find(day, 1).orElseThrow().body())
        .containsPattern("acknowledged-loss: .*: " + state);
    assertThat(SaidBySql.text(notes.of(day.board(), day.name())))
        .contains("zoe acknowledged a loss: " + forgotten);
    assertThat(records.verify().named()).isEmpty();
    assertThat(
            servers
                .tampered("update acknowledged_loss set forgotten = null", records::verify)
                .clean())
        .isFalse();
  }

  @Test
  void theMarkOfASettledPeriodThatAnOutagePreventedIsMadeBySweeps() {
    Period before = world.again(day);
    world.settle(day);
    closed.mark(day, PeriodState.SEALED);
    sweep.prepare();
    assertThat(closed.forgotten(before)).contains(PeriodState.SETTLED);
    servers.flush();
    sweep.prepare();
    assertThat(closed.forgotten(before)).as("only boards that exist are marked").isEmpty();
  }

  private void assertForgotten(String state) {
    String forgotten = "PostgreSQL has forgotten that %s was %s".formatted(day.label(), state);
    assertThat(world.close(day).text()).contains(forgotten);
    assertThat(records.number("select count(*) from transfer")).isZero();
    assertThatThrownBy(() -> rebuild(Present.REPLACE, null)).hasMessageContaining(forgotten);
    assertThat(records.number("select count(*) from acknowledged_loss")).isZero();
  }

  private byte[] key(String part) {
    return LiveKeys.of(day).name(part).getBytes(UTF_8);
  }

  @Test
  void aSealedCommittedBoardThatIsLostLacksNothingThatWasCommitted() {
    Board board = world.board(Contest.rules().with("durability: committed"));
    Period safe = world.open(board);
    world.take(Contest.facts().stream().map(fact -> fact.to(board)).toList());
    assertThat(world.close(safe, step -> dieAt("fill", step)).outcome()).isEqualTo(Status.FAILED);
    servers.flush();
    goBack(safe, 3);

    assertThat(rebuild.run(safe.id(), Present.REFUSE, null, () -> {}, NO_WATCHER)).isPresent();

    world.settle(safe);
    assertThat(records.paid(safe)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  private Period drained(Board board) {
    Period period = world.open(board);
    world.take(Contest.facts().stream().map(fact -> fact.to(board)).toList());
    journal.drain(period);
    return period;
  }

  private void deleteJournal(Period period) {
    String key = LiveKeys.of(period).name("journal");
    servers.redis(connection -> connection.keyCommands().del(key.getBytes(UTF_8)));
  }

  /** Their entries are in no journal, but the events are committed. */
  @Test
  void aHoleInTheJournalOfACommittedBoardIsFilledWithoutConsent() {
    Board board = world.board(Contest.rules().with("durability: committed"));
    Period safe = drained(board);
    world.take(lost.to(board));
    deleteJournal(safe);
    assertThatThrownBy(() -> journal.drain(safe)).hasMessageContaining("has event 10");

    assertThat(rebuild.run(safe.id(), Present.REPLACE, null, () -> {}, NO_WATCHER)).isPresent();

    assertThat(records.points(safe, "hal")).isEqualTo(100);
    world.settle(safe);
    assertThat(records.number("select count(*) from acknowledged_loss")).isZero();
    assertThat(records.verify().named()).isEmpty();
  }

  /** As {@link #aHoleInTheJournalOfACommittedBoardIsFilledWithoutConsent}; one is not committed. */
  @Test
  void anUncommittedEventOfACommittedBoardIsGivenUpOnlyByConsent() {
    Board board = world.board(Contest.rules().with("durability: committed"));
    Period safe = drained(board);
    JournalDump before = JournalDump.of(records, safe);
    world.take(lost.to(board));
    deleteJournal(safe);
    before.restore(servers);

    assertThatThrownBy(() -> rebuild.run(safe.id(), Present.REPLACE, null, () -> {}, NO_WATCHER))
        .hasMessageContaining("has event 10");
    assertThat(rebuild.run(safe.id(), Present.REPLACE, CONSENT, () -> {}, NO_WATCHER)).isPresent();
  }

  private Optional<RebuildResult> rebuild(@Nullable Acknowledgement acknowledged) {
    return rebuild(Present.REFUSE, acknowledged);
  }

  private Optional<RebuildResult> rebuild(Present present, @Nullable Acknowledgement acknowledged) {
    return rebuild.run(day.id(), present, acknowledged, () -> {}, NO_WATCHER);
  }

  private Population sealed() {
    return new Population(
        records.number("select sealed_members from period"),
        records.number("select sealed_points from period"),
        records.number("select sealed_events from period"));
  }

  private Set<byte[]> keys() {
    return servers.redis(
        connection ->
            Objects.requireNonNull(connection.keyCommands().keys("palmares:{*".getBytes(UTF_8))));
  }

  private static void dieAt(String step, String entered) {
    if (entered.equals(step)) {
      throw new IllegalStateException("killed at " + step);
    }
  }
}
