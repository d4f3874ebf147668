package palmares.operations.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.FileSystemUtils;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.archive.Archives.Archived;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.period.DuePeriods;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Refusal.Reason;
import palmares.settlement.closing.Expiry;
import palmares.settlement.verification.Findings;
import palmares.settlement.verification.Verification;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A journal is deleted only if files have it; what money depends on is never deleted. */
@WorldTest
class ArchivesTest {
  private static final String JOURNAL = "select count(*) from event";

  private static final String WAITING =
      "select count(*) from pg_locks where relation = 'event'::regclass and not granted";

  @Autowired private TransactionTemplate transaction;
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Expiry expiry;
  @Autowired private DuePeriods duePeriods;
  @Autowired private Archives archives;
  @Autowired private Verification verification;
  @Autowired private ArchiveRows rows;
  @Autowired private LateEventDecisions lateEvents;
  @Autowired private Amendments amendments;
  @Autowired private LeasedWork work;
  @Autowired private AuditLog auditLog;
  @Autowired private JdbcClient jdbc;
  @Autowired private Clock clock;

  @TempDir private Path folder;
  private Period day;
  private List<Line> published;

  @BeforeEach
  void anExpiredContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    published = records.published(day);
  }

  @Test
  void anArchiveCanBeReadBackAndNothingIsDeleted() throws IOException {
    Archived archived = archives.write(day.id(), folder);
    long events = records.number(JOURNAL);
    assertThat(archived.rows())
        .containsEntry("journal", events)
        .containsEntry("payments", (long) Contest.PAID.size())
        .containsEntry("lines", (long) published.size())
        .containsEntry("outcomes", 1L)
        .containsEntry("manifests", 1L)
        .containsEntry("definitions", 1L);
    assertThat(text("lines")).startsWith("reached_at,").contains(",ann");
    assertThat(text("payments")).contains(",ann,podium,award,house,rewards:");
    assertThat(records.number(JOURNAL)).isEqualTo(events);
    archives.check(archived.folder());
  }

  /** The zone of the session that writes them does not matter. */
  @Test
  void timesAreWrittenInUtc() throws IOException {
    archives.write(day.id(), folder);
    for (String name : List.of("period", "journal", "outcomes", "lines", "payments")) {
      assertThat(text(name))
          .containsPattern(":\\d\\d(\\.\\d+)?\\+00[,\n]")
          .doesNotContainPattern(":\\d\\d(\\.\\d+)?[+-](?!00[,\n])");
    }
  }

  @Test
  void aConcurrentVerificationSeesAMoveAsAWholeOrNotAtAll() throws Exception {
    expire();
    var verifier = Executors.newSingleThreadExecutor();
    try {
      Future<Findings> findings =
          Objects.requireNonNull(
              transaction.execute(
                  status -> {
                    servers.sql("lock table event in access exclusive mode");
                    Future<Findings> verifying = verifier.submit(records::verify);
                    while (!verifying.isDone() && records.number(WAITING) == 0) {
                      Thread.onSpinWait();
                    }
                    archives.move(day.id(), folder, "zoe", "long ago");
                    return verifying;
                  }));
      assertThat(findings.get().named()).isEmpty();
      assertThat(findings.get().periods()).isEqualTo(1);
    } finally {
      verifier.shutdownNow();
    }
    assertThat(records.verify().named()).isEmpty();
  }

  /** The process dies at the moment at which the rows would go. */
  @Test
  void rowsGoOnlyOnceTheFilesAreCompleteAndADeathThenDropsNothing() throws Exception {
    expire();
    long events = records.number(JOURNAL);
    var mover = Executors.newSingleThreadExecutor();
    try {
      Future<Archived> moving =
          Objects.requireNonNull(
              transaction.execute(
                  status -> {
                    servers.sql("lock table event in share mode"); // Only a deletion waits.
                    Future<Archived> moved =
                        mover.submit(() -> archives.move(day.id(), folder, "zoe", "long ago"));
                    while (!moved.isDone() && records.number(WAITING) == 0) {
                      Thread.onSpinWait();
                    }
                    archives.check(path());
                    records.number(
                        "select count(pg_terminate_backend(pid)) from pg_locks"
                            + " where relation = 'event'::regclass and not granted");
                    return moved;
                  }));
      assertThatThrownBy(moving::get).isInstanceOf(ExecutionException.class);
    } finally {
      mover.shutdownNow();
    }
    assertThat(records.number(JOURNAL)).isEqualTo(events);
    assertThat(archives.before(world.now(), null)).containsExactly(day.id());
    assertThat(archives.move(day.id(), folder, "zoe", "long ago").dropped()).isEqualTo(events);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void rowsStayIfTheirFilesCannotBeReadBack() throws IOException {
    archives.write(day.id(), folder);
    expire();
    long events = records.number(JOURNAL);
    Path journal = path().resolve("journal.csv.gz");
    byte[] whole = Files.readAllBytes(journal);
    Files.write(journal, Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> archives.move(day.id(), folder, "zoe", "long ago"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("journal.csv.gz is not what was archived");
    assertThat(records.number(JOURNAL)).isEqualTo(events);
  }

  @Test
  void aSecondArchiveIsTheSameAndAKilledAttemptLeavesNoTrace() throws IOException {
    Files.createDirectories(path().resolveSibling(day.name() + ".partial"));
    Files.writeString(path().resolveSibling(day.name() + ".partial").resolve("half"), "?");
    Archived first = archives.write(day.id(), folder);
    expire();
    assertThat(archives.write(day.id(), folder).hash()).isEqualTo(first.hash());
    try (Stream<Path> files = Files.list(path().getParent())) {
      assertThat(files).containsExactly(path());
    }
  }

  /** Checks of the journal concern no outcome then, so they must not lock all of history. */
  @Test
  void verifyingAnArchivedPeriodLocksNoTablesOfOthers() {
    expire();
    archives.move(day.id(), folder, "zoe", "long ago");
    Long locked =
        transaction.execute(
            status -> {
              verification.verify(List.of(day.id())).require();
              return records.number(
                  "select count(*) from pg_locks where pid = pg_backend_pid()"
                      + " and relation in ('line'::regclass, 'payment'::regclass)");
            });
    assertThat(locked).isZero();
  }

  @Test
  void anArchivedPeriodKeepsItsResultAndPaymentsAndVerifies() {
    expire();
    Archived moved = archives.move(day.id(), folder, "zoe", "long ago");
    assertThat(moved.dropped()).isPositive();
    assertThat(records.number(JOURNAL)).isZero();
    assertThat(records.published(day)).isEqualTo(published);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.words("select by || ' ' || verb || ' ' || reason from audit_entry"))
        .singleElement()
        .asString()
        .matches("zoe archive long ago \\[" + moved.hash() + " [0-9a-f]{64}]");
    assertThat(archives.before(world.now(), null)).isEmpty();
    archives.check(path());
  }

  @Test
  void withoutAFolderNothingIsArchived() {
    var settings = new Archives.Settings(null);
    var without = new Archives(jdbc, work, verification, rows, auditLog, clock, settings);
    assertThatThrownBy(without::folder)
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("set palmares.archive.folder where this runs");
  }

  @Test
  void anArchiveThatIsGoneIsNamed() throws IOException {
    expire();
    archives.move(day.id(), folder, "zoe", "long ago");
    assertThat(archives.list(folder, null)).containsExactly(path());
    FileSystemUtils.deleteRecursively(path());
    assertThat(archives.list(folder, day.board())).containsExactly(path());
    assertThatThrownBy(() -> archives.check(path()))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is missing");
  }

  @Test
  void tamperingWithAnArchivedPeriodIsFound() {
    expire();
    archives.move(day.id(), folder, "zoe", "long ago");
    for (String tampering :
        List.of(
            "update line set points = points + 1 where member = 'ann'",
            "update line set place = 99 where member = 'ann'",
            "update payment set amount = amount + 1 where member = 'bob' and rule = 1",
            "delete from payment where member = 'ann'",
            "update prize set currency = 'gems' where rule = 1",
            "delete from manifest")) {
      assertThat(servers.tampered(tampering, records::verify).clean()).as(tampering).isFalse();
    }
  }

  @Test
  void anUnexpiredPeriodOrOneWithAnUndecidedAmendmentIsNotArchived() {
    assertThatThrownBy(() -> archives.move(day.id(), folder, "zoe", "too soon"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is settled, and only expired periods lose their journal");
    expire();
    amend();
    assertThatThrownBy(() -> archives.move(day.id(), folder, "zoe", "too soon"))
        .hasMessageContaining("has an undecided amendment");
    assertThat(records.number(JOURNAL)).isPositive();
    assertThat(path()).doesNotExist();
  }

  /** Without the journal they could not count any more, though a person has said that they will. */
  @Test
  void aJournalIsKeptUntilEveryAcceptedLateEventCounts() {
    Period second = world.open(world.board(Rules.day().with("clock: event")));
    Instant noon = second.slot().startsAt().plus(Duration.ofHours(12));
    world.now(noon);
    world.take(Fact.by("ann").on("post-1").at(noon));
    second = world.settle(second);
    Fact late = Fact.by("bob").on("post-2").at(noon);
    world.take(late);
    lateEvents.decide(
        second,
        List.of(late.id()),
        new Choice(Verdict.ACCEPTED, "zoe", "the gateway was down", false));
    world.now(second.expiresAt());
    expiry.expire(duePeriods.expirableOnDemand());
    PeriodId id = second.id();
    assertThatThrownBy(() -> archives.move(id, folder, "zoe", "too soon"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("has late events that were accepted, and count in no revision");
    amendments.prepare(id, new AmendmentRequest("zoe", "the gateway was down", null, Map.of()));
    amendments.approve(id, null, "bob", "right so");
    assertThat(archives.move(id, folder, "zoe", "long ago").dropped()).isEqualTo(1);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aLateEventOfAnArchivedPeriodWithoutEventsIsNotAccepted() {
    Period quiet = world.open(world.board(Rules.day().with("clock: event")));
    Instant noon = quiet.slot().startsAt().plus(Duration.ofHours(12));
    quiet = world.settle(quiet);
    Fact late = Fact.by("bob").on("post").at(noon);
    world.take(late);
    world.now(quiet.expiresAt());
    expiry.expire(duePeriods.expirableOnDemand());
    archives.move(quiet.id(), folder, "zoe", "long ago");
    Period archived = world.again(quiet);
    var choice = new Choice(Verdict.ACCEPTED, "zoe", "the gateway was down", false);
    assertThatThrownBy(() -> lateEvents.decide(archived, List.of(late.id()), choice))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is archived, so its late events cannot");
  }

  @Test
  void anArchivedPeriodIsNeverAmended() {
    expire();
    archives.move(day.id(), folder, "zoe", "long ago");
    assertThatThrownBy(this::amend).hasMessageContaining("cannot be amended any more");
  }

  @Test
  void aPeriodThatDoesNotVerifyIsNotArchived() {
    servers.unguarded(() -> servers.sql("update line set points = 201 where member = 'ann'"));
    assertThatThrownBy(() -> archives.write(day.id(), folder))
        .hasFieldOrPropertyWithValue("reason", Reason.NOT_VERIFIED);
    assertThat(path()).doesNotExist();
  }

  @Test
  void aChangedMissingOrForeignFileIsFound() throws IOException {
    expire();
    archives.move(day.id(), folder, "zoe", "long ago");
    Path journal = path().resolve("journal.csv.gz");
    byte[] before = Files.readAllBytes(journal);
    before[before.length / 2] ^= 1;
    Files.write(journal, before);
    assertThatThrownBy(() -> archives.check(path()))
        .hasMessageContaining("journal.csv.gz is not what was archived");
    Files.delete(journal);
    assertThatThrownBy(() -> archives.check(path()))
        .hasMessageContaining("journal.csv.gz is missing");
    Files.delete(path().resolve("SHA256SUMS"));
    new ArchiveFolder(path()).seal();
    assertThatThrownBy(() -> archives.check(path()))
        .hasMessageContaining("is not the archive whose rows were deleted");
  }

  @Test
  void aDifferentArchiveIsNotOverwritten() throws IOException {
    archives.write(day.id(), folder);
    Files.writeString(path().resolve("SHA256SUMS"), "another  list\n");
    expire();
    assertThatThrownBy(() -> archives.move(day.id(), folder, "zoe", "long ago"))
        .hasMessageContaining("has another archive in");
    assertThat(records.number(JOURNAL)).isPositive();
  }

  private void expire() {
    world.now(day.expiresAt());
    expiry.expire(duePeriods.expirableOnDemand());
  }

  private void amend() {
    servers.sql(
        """
        insert into revision (
          id, period_id, revision, base, definition_hash, owed, prepared_by, prepared_at, reason,
          frozen_at)
        select
         nextval('shared_outcome'), period_id, 2, 1, definition_hash, owed,
         prepared_by, prepared_at, 'a cheater', frozen_at
        from revision
        where period_id = ?
        """,
        day.id().value());
  }

  private Path path() {
    return folder.resolve(day.board().value()).resolve(day.name().value());
  }

  private String text(String name) throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(path().resolve(name + ".csv.gz")))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
