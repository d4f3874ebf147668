package palmares.operations.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.stereotype.Component;
import palmares.operations.archive.ArchiveFile.Contents;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.rules.board.BoardId;
import palmares.settlement.verification.Verification;

/** Writes the journals of periods into files, one at a time, under the lease of the period. */
@Component
@EnableConfigurationProperties(Archives.Settings.class)
public class Archives {
  /** The tables of the journal, and the columns by which their rows are in order. */
  private static final List<Table> JOURNAL =
      List.of(new Table("event", "seq"), new Table("committed_event", "n"));

  private record Table(String name, String order) {
    /** A row as one line. */
    String line() {
      return "json_build_object('%1$s', %1$s)::text".formatted(name);
    }
  }

  private final JdbcClient jdbc;
  private final DataSource dataSource;
  private final LeasedWork work;
  private final Verification verification;
  private final AuditLog auditLog;
  private final Clock clock;
  private final Settings settings;

  Archives(
      JdbcClient jdbc,
      DataSource dataSource,
      LeasedWork work,
      Verification verification,
      AuditLog auditLog,
      Clock clock,
      Settings settings) {
    this.jdbc = jdbc;
    this.dataSource = dataSource;
    this.work = work;
    this.verification = verification;
    this.auditLog = auditLog;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * Configures archives.
   *
   * @param folder the folder of archives, which callers cannot choose; created if it is missing. If
   *     it is not set, the server refuses to archive
   */
  @ConfigurationProperties("palmares.archive")
  record Settings(@Nullable Path folder) {}

  /**
   * The archive of one period.
   *
   * @param rows the number of rows in the file
   * @param bytes the size of the file
   * @param sha256 of the file
   * @param dropped the number of rows deleted from the database
   */
  public record Archived(Path file, long rows, long bytes, String sha256, long dropped) {}

  /**
   * The configured folder of archives.
   *
   * @throws WrongState if none is configured
   */
  public Path folder() {
    Path folder = settings.folder();
    if (folder == null || !isConfigured()) {
      throw new WrongState(new ArchiveSentences.NoFolder());
    }
    return folder.toAbsolutePath().normalize();
  }

  /**
   * The settled periods that ended by a time and are not archived.
   *
   * @param board only this board's; null for all
   */
  public List<PeriodId> before(Instant time, @Nullable BoardId board) {
    return jdbc.sql(
            """
            select id from period
            where is_settled(state)
              and archived_at is null
              and ends_at <= :time
              and board = coalesce(:board, board)
            order by board, starts_at
            """)
        .param("time", time)
        .param("board", board)
        .query(PeriodId.class)
        .list();
  }

  /**
   * Writes a period's journal into {@code folder/board/period.jsonl.gz}, reads it back, and records
   * its SHA-256 in the audit log. An earlier file there must be the same.
   *
   * @throws palmares.platform.Refusal if the period does not verify
   * @throws WrongState if the file cannot be written and read back
   * @throws palmares.period.PeriodBusy if somebody else works on it
   */
  public Archived write(PeriodId id, Path folder, String by, String reason) {
    return work.run(
        id,
        (lease, period) -> {
          ArchiveFile file = write(period, folder);
          return record(period, file, read(period, file), null, by, reason);
        });
  }

  /**
   * Writes a period's journal as {@link #write(PeriodId, Path, String, String)} does, and deletes
   * it from the database, in one transaction. Lines, payments and manifests stay.
   *
   * @throws WrongState also if its live keys are still in Redis, an amendment is undecided, late
   *     events that were accepted do not count yet, there is no manifest to verify the rest by, or
   *     the rows that go are not those of the file
   */
  public Archived move(PeriodId id, Path folder, String by, String reason) {
    return work.run(
        id,
        (lease, period) -> {
          requireDeletable(id);
          ArchiveFile file = write(period, folder);
          Contents contents = read(period, file);
          delete(period, contents);
          return record(period, file, contents, contents.rows(), by, reason);
        });
  }

  private ArchiveFile write(Period period, Path folder) {
    verification.verify(List.of(period.id())).require();
    var file = ArchiveFile.of(folder, period.board().value(), period.name().value());
    // JSON has times in the session's zone; a row must be the same in every zone.
    jdbc.sql("set local timezone = 'UTC'").update();
    try {
      if (!file.write(out -> copy(period.id(), out))) {
        throw new WrongState(new ArchiveSentences.Another(period.label(), file.path().toString()));
      }
      return file;
    } catch (IOException e) {
      throw refused(period, e);
    }
  }

  /** JSON has no control characters, so that no line is quoted. */
  private void copy(PeriodId period, OutputStream out) throws IOException {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      for (Table table : JOURNAL) {
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut(
                """
                copy (select %s from %s where period_id = %s order by %s)
                to stdout with (format csv, quote E'\\x01', delimiter E'\\x02')
                """
                    .formatted(table.line(), table.name(), period.value(), table.order()),
                out);
      }
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("COPY of a journal", e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private static Contents read(Period period, ArchiveFile file) {
    try {
      return file.read();
    } catch (IOException e) {
      throw refused(period, e);
    }
  }

  /** Deletes the journal if it is what the file has: rows may have come, gone or changed since. */
  private void delete(Period period, Contents contents) {
    long rows = 0;
    BigInteger checksum = BigInteger.ZERO;
    for (Table table : JOURNAL) {
      Deleted deleted =
          jdbc.sql(
                  """
                  with deleted as (
                    delete from %s where period_id = :id returning %s as line
                  )
                  select count(*) as rows, coalesce(sum(first_of_sha256(line)), 0) as checksum
                  from deleted
                  """
                      .formatted(table.name(), table.line()))
              .param("id", period.id())
              .query(Deleted.class)
              .single();
      rows += deleted.rows();
      checksum = checksum.add(deleted.checksum().toBigIntegerExact());
    }
    if (rows != contents.rows() || !checksum.equals(contents.checksum())) {
      throw new WrongState(new ArchiveSentences.OtherRows(period.label(), rows, contents.rows()));
    }
  }

  private record Deleted(long rows, BigDecimal checksum) {}

  private Archived record(
      Period period,
      ArchiveFile file,
      Contents contents,
      @Nullable Long dropped,
      String by,
      String reason) {
    Instant now =
        auditLog.append(
            AuditEntry.of(period.board(), period.name(), by, "archive", reason)
                .with("file", file.path().toString())
                .with("sha256", contents.sha256())
                .with("rows", contents.rows())
                .with("dropped", dropped));
    if (dropped != null) {
      jdbc.sql("update period set archived_at = :now where id = :id")
          .param("now", now)
          .param("id", period.id())
          .update();
    }
    try {
      return new Archived(
          file.path(),
          contents.rows(),
          Files.size(file.path()),
          contents.sha256(),
          dropped == null ? 0 : dropped);
    } catch (IOException e) {
      throw refused(period, e);
    }
  }

  /**
   * Checks that the journal of a period may be deleted.
   *
   * @throws WrongState if it may not
   */
  public void requireDeletable(PeriodId id) {
    jdbc.sql(
            """
            select board || ' ' || name as period, state, case
              when archived_at is not null then 'archived'
              when state <> 'expired' then 'not-expired'
              when exists (
                select from revision
                where period_id = period.id
                  and posted_at is null
                  and verdict is distinct from 'rejected') then 'undecided'
              when exists (
                select from late_event
                where late_event.board = period.board
                  and late_event.period = period.name
                  and late_event.verdict = 'accepted'
                  and not exists (
                    select from correction
                    where correction.period_id = period.id
                      and correction.revision = period.revision
                      and correction.event_id = late_event.id))
                then 'late-events'
              when exists (
                select from withheld_award
                join revision on revision.id = outcome
                left join line_decision
                  on line_decision.period_id = revision.period_id
                  and line_decision.member = withheld_award.member
                where revision.period_id = period.id
                  and revision.revision = period.revision
                  and decision is distinct from 'refuse') then 'withheld'
              when not exists (
                select from manifest
                where period_id = period.id and manifest.revision = period.revision)
                then 'no-manifest'
              end as obstacle
            from period
            where id = :id
            """)
        .param("id", id)
        .query(Deletable.class)
        .single()
        .require();
  }

  private record Deletable(String period, String state, @Nullable String obstacle) {
    void require() {
      if (obstacle != null) {
        throw new WrongState(
            switch (obstacle) {
              case "archived" -> new ArchiveSentences.AlreadyArchived(period);
              case "not-expired" -> new ArchiveSentences.NotExpired(period, state);
              case "undecided" -> new ArchiveSentences.Undecided(period);
              case "withheld" -> new ArchiveSentences.Withheld(period);
              case "late-events" -> new ArchiveSentences.LateEvents(period);
              default -> new ArchiveSentences.NoManifest(period);
            });
      }
    }
  }

  private static WrongState refused(Period period, IOException cause) {
    return new WrongState(new ArchiveSentences.Refused(period.label(), cause.toString()), cause);
  }

  boolean isConfigured() {
    Path folder = settings.folder();
    return folder != null && !folder.toString().isBlank();
  }

  /**
   * An archive as the audit log has it.
   *
   * @param sha256 of the file
   */
  public record Recorded(String board, String period, String sha256) {}

  /**
   * Lists the archives that the audit log has, each as it was recorded last.
   *
   * @param board only this board's; null for all
   */
  public List<Recorded> recorded(@Nullable BoardId board) {
    return jdbc.sql(
            """
            select distinct on (board, period) board, period, details->>'sha256' as sha256
            from audit_entry
            where verb = 'archive' and period is not null and board = coalesce(:board, board)
            order by board, period, id desc
            """)
        .param("board", board)
        .query(Recorded.class)
        .list();
  }

  /**
   * Compares a period's file with the audit log.
   *
   * @throws WrongState if it is missing, cannot be read, or is another one
   */
  public void check(Path folder, Recorded recorded) {
    ArchiveFile file = ArchiveFile.of(folder, recorded.board(), recorded.period());
    if (!Files.exists(file.path())) {
      throw new WrongState(new ArchiveSentences.Missing(file.path().toString()));
    }
    try {
      if (!file.sha256().equals(recorded.sha256())) {
        throw new WrongState(new ArchiveSentences.OtherFile(file.path().toString()));
      }
    } catch (IOException e) {
      throw new WrongState(
          new ArchiveSentences.Unreadable(file.path().toString(), e.toString()), e);
    }
  }
}
