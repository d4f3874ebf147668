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
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
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
import palmares.platform.Problem;
import palmares.rules.board.Board;
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
  @Autowired private DataSource dataSource;
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
  void anArchiveHasEachRowOfTheJournalAndNothingIsDeleted() throws IOException {
    Archived archived = archives.write(day.id(), folder, "zoe", "a copy");
    long events = records.number(JOURNAL);
    assertThat(archived.file()).isEqualTo(path());
    assertThat(archived.rows()).isEqualTo(events);
    assertThat(text().lines())
        .hasSize((int) events)
        .allMatch(line -> line.startsWith("{\"event\""));
    assertThat(
            jdbc.sql(
                    """
                    select count(*) from unnest(string_to_array(rtrim(:lines, E'\\n'), E'\\n')) line
                    join event
                      on event is not distinct from
                        json_populate_record(null::event, line::json->'event')
                    """)
                .param("lines", text())
                .query(Long.class)
                .single())
        .as("rows that can be made again")
        .isEqualTo(events);
    assertThat(records.number(JOURNAL)).isEqualTo(events);
    check();
  }

  @Test
  void aCommittedBoardIsArchivedWithWhatWasCommitted() throws IOException {
    Board board = world.board(Contest.rules().with("durability: committed"));
    Period committed = world.open(board);
    world.take(Fact.by("ann").on("a \"b\" \\c, é").to(board));
    day = world.settle(committed);
    expire();
    assertThat(archives.move(day.id(), folder, "zoe", "long ago").dropped()).isEqualTo(2);
    assertThat(text().lines()).hasSize(2);
    assertThat(text()).contains("{\"committed_event\"");
    assertThat(records.verify().named()).isEmpty();
  }

  /** The zone of the session that writes them does not matter. */
  @Test
  void timesAreWrittenInUtc() throws IOException {
    archives.write(day.id(), folder, "zoe", "a copy");
    assertThat(text())
        .containsPattern(":\\d\\d(\\.\\d+)?\\+00:00\"")
        .doesNotContainPattern(":\\d\\d(\\.\\d+)?[+-](?!00:00)\\d\\d:");
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
                    assertThat(path()).exists();
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

  /** The journal changes between the copy and the deletion. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "update event set action = 'x' where seq = 1",
        "delete from event where seq = 1",
        "insert into event (period_id, seq, quantity, points, occurred_at, outcome, member, action,"
            + " id) select period_id, seq + 1000, quantity, points, occurred_at, outcome, member,"
            + " action, id || 'x' from event where seq = 1",
      })
  void exactlyTheRowsOfTheFileAreDropped(String change) throws Exception {
    expire();
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
                    servers.sql(change);
                    return moved;
                  }));
      assertThatThrownBy(moving::get)
          .cause()
          .isInstanceOf(WrongState.class)
          .hasMessageContaining("in the archive; nothing was deleted");
    } finally {
      mover.shutdownNow();
    }
    assertThat(records.number(JOURNAL)).isPositive();
    assertThat(records.number("select count(*) from audit_entry")).isZero();
    assertThat(archives.before(world.now(), null)).containsExactly(day.id());
  }

  @Test
  void rowsStayIfTheirFileCannotBeWritten() throws IOException {
    expire();
    Files.writeString(folder.resolve(day.board().value()), "no folder");
    assertThatThrownBy(() -> archives.move(day.id(), folder, "zoe", "long ago"))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("cannot be archived");
    assertThat(records.number(JOURNAL)).isPositive();
  }

  @Test
  void aFileThatIsCutShortCannotBeReadBack() throws IOException {
    archives.write(day.id(), folder, "zoe", "a copy");
    byte[] whole = Files.readAllBytes(path());
    Files.write(path(), Arrays.copyOf(whole, whole.length - 1));
    assertThatThrownBy(() -> new ArchiveFile(path()).read()).isInstanceOf(IOException.class);
  }

  @Test
  void aSecondArchiveIsTheSameAndAKilledAttemptLeavesNoTrace() throws IOException {
    Files.createDirectories(path().getParent());
    Files.writeString(path().resolveSibling(path().getFileName() + ".partial"), "?");
    Archived first = archives.write(day.id(), folder, "zoe", "a copy");
    expire();
    assertThat(archives.move(day.id(), folder, "zoe", "long ago").sha256())
        .isEqualTo(first.sha256());
    try (Stream<Path> files = Files.list(path().getParent())) {
      assertThat(files).containsExactly(path());
    }
    check();
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
    assertThat(
            records.words(
                "select concat_ws(' ', by, verb, reason, details->>'sha256', details->'dropped')"
                    + " from audit_entry"))
        .containsExactly("zoe archive long ago %s %d".formatted(moved.sha256(), moved.dropped()));
    assertThat(records.verify().archived()).isOne();
    assertThat(archives.before(world.now(), null)).isEmpty();
    check();
  }

  @Test
  void withoutAFolderNothingIsArchived() {
    var settings = new Archives.Settings(null);
    var without = new Archives(jdbc, dataSource, work, verification, auditLog, clock, settings);
    assertThatThrownBy(without::folder)
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("set palmares.archive.folder where this runs");
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
            "delete from manifest",
            "update period set archived_at = archived_at + interval '1 s'",
            "update period set archived_at = null",
            "delete from audit_entry where verb = 'archive'",
            "update audit_entry set details = details - 'sha256' where verb = 'archive'",
            "update audit_entry set details = details - 'dropped' where verb = 'archive'",
            """
            insert into audit_entry (at, by, verb, board, period, reason, details)
            select at, by, verb, board, period, reason, details from audit_entry
            """)) {
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
    assertThatThrownBy(() -> archives.write(day.id(), folder, "zoe", "a copy"))
        .hasFieldOrPropertyWithValue("problem", Problem.NOT_VERIFIED);
    assertThat(path()).doesNotExist();
  }

  @Test
  void aChangedOrMissingFileIsFound() throws IOException {
    expire();
    archives.move(day.id(), folder, "zoe", "long ago");
    byte[] before = Files.readAllBytes(path());
    before[before.length / 2] ^= 1;
    Files.write(path(), before);
    assertThatThrownBy(this::check)
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is not what was archived");
    Files.delete(path());
    assertThatThrownBy(this::check)
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is missing");
  }

  @Test
  void aDifferentArchiveIsNotOverwritten() throws IOException {
    Files.createDirectories(path().getParent());
    Files.writeString(path(), "another one");
    expire();
    assertThatThrownBy(() -> archives.move(day.id(), folder, "zoe", "long ago"))
        .hasMessageContaining("has another archive in");
    assertThat(records.number(JOURNAL)).isPositive();
    assertThat(path()).hasContent("another one");
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
    return folder.resolve(day.board().value()).resolve(day.name() + ".jsonl.gz");
  }

  private void check() {
    List<Archives.Recorded> recorded = archives.recorded(day.board());
    assertThat(recorded).hasSize(1);
    archives.check(folder, recorded.get(0));
  }

  private String text() throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(path()))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
