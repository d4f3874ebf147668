package palmares.operations.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.archive.ArchiveRows.Root;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.time.SqlTime;
import palmares.rules.board.BoardId;
import palmares.settlement.verification.Verification;

/** Archives periods, one at a time, under their lease. */
@Component
@EnableConfigurationProperties(Archives.Settings.class)
public class Archives {
  /** The end of the name of a folder that is not an archive, or not yet. */
  static final String PARTIAL = ".partial";

  private final JdbcClient jdbc;
  private final LeasedWork work;
  private final Verification verification;
  private final ArchiveRows rows;
  private final AuditLog auditLog;
  private final Clock clock;
  private final Settings settings;

  Archives(
      JdbcClient jdbc,
      LeasedWork work,
      Verification verification,
      ArchiveRows rows,
      AuditLog auditLog,
      Clock clock,
      Settings settings) {
    this.jdbc = jdbc;
    this.work = work;
    this.verification = verification;
    this.rows = rows;
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
   * @param folder the period's folder
   * @param rows the number of rows in each file, by the file's name without extension
   * @param bytes the size of all files
   * @param hash SHA-256 of the list of checksums
   * @param dropped the number of rows deleted from the database
   */
  public record Archived(
      Path folder, Map<String, Long> rows, long bytes, String hash, long dropped) {}

  /**
   * The configured folder of archives.
   *
   * @throws WrongState if none is configured
   */
  public Path folder() {
    Path folder = settings.folder();
    if (folder == null || !isConfigured()) {
      throw new WrongState(
          "there is no folder for archives: set palmares.archive.folder where this runs; nothing"
              + " was archived");
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
        .param("time", SqlTime.utc(time))
        .param("board", Optional.ofNullable(board).map(BoardId::value).orElse(null))
        .query((row, i) -> new PeriodId(row.getLong(1)))
        .list();
  }

  /**
   * Writes a period's history into {@code folder/board/period}, and reads it back. An earlier
   * archive there must be the same.
   *
   * @throws palmares.platform.Refusal if the period does not verify
   * @throws WrongState if the files cannot be written and read back
   * @throws palmares.period.PeriodBusy if somebody else works on it
   */
  public Archived write(PeriodId id, Path folder) {
    return work.run(id, (lease, period) -> write(period, folder));
  }

  /**
   * Writes a period's history as {@link #write} does, and deletes the journal from the database, in
   * one transaction. Lines, payments and manifests stay. The audit entry ends with the hash of the
   * archive and the digest of the roots of what stays, which verification derives again.
   *
   * @throws WrongState also if its live keys are still in Redis, an amendment is undecided, late
   *     events that were accepted do not count yet, or there is no manifest to verify the rest by
   */
  public Archived move(PeriodId id, Path folder, String by, String reason) {
    return work.run(
        id,
        (lease, period) -> {
          requireDeletable(id);
          // Before the verification: then nothing that is changed after it has these roots.
          List<Root> roots = rows.roots(id);
          Archived written = write(period, folder);
          Instant now = clock.instant();
          long dropped = delete(period, written, now);
          String digest = rows.keep(id, roots);
          auditLog.append(
              AuditEntry.of(
                  period.board(),
                  period.name(),
                  by,
                  "archive",
                  "%s [%s %s]".formatted(reason, written.hash(), digest)),
              now);
          return new Archived(
              written.folder(), written.rows(), written.bytes(), written.hash(), dropped);
        });
  }

  /**
   * Checks that the journal of a period may be deleted.
   *
   * @throws WrongState if it may not
   */
  public void requireDeletable(PeriodId id) {
    jdbc.sql(
            """
            select board || ' ' || name || ' ' || case
              when archived_at is not null then 'is archived already'
              when state <> 'expired'
                then 'is ' || state || ', and only expired periods lose their journal'
              when exists (
                select from revision
                where period_id = period.id
                  and posted_at is null
                  and verdict is distinct from 'rejected') then 'has an undecided amendment'
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
                then 'has late events that were accepted, and count in no revision: amend it, or'
                  || ' if that would change nothing, dismiss them with --all --change'
              when not exists (
                select from manifest
                where period_id = period.id and manifest.revision = period.revision)
                then 'has no manifest: what remains could not be verified'
              end
            from period
            where id = :id
            """)
        .param("id", id.value())
        .query((row, i) -> Optional.ofNullable(row.getString(1)))
        .single()
        .ifPresent(
            obstacle -> {
              throw new WrongState(obstacle + "; nothing was deleted");
            });
  }

  private long delete(Period period, Archived written, Instant now) {
    long dropped = 0;
    for (Map.Entry<String, String> file : ArchiveRows.DELETED.entrySet()) {
      long deleted = rows.delete(file.getValue(), period.id());
      if (deleted != written.rows().getOrDefault(file.getKey(), 0L)) {
        throw new WrongState(
            "%s: %d rows of %s, but %d are in the archive; nothing was deleted"
                .formatted(
                    period.label(), deleted, file.getValue(), written.rows().get(file.getKey())));
      }
      dropped += deleted;
    }
    jdbc.sql("update period set archived_at = :now, archive_hash = :hash where id = :id")
        .param("now", SqlTime.utc(now))
        .param("hash", written.hash())
        .param("id", period.id().value())
        .update();
    return dropped;
  }

  private Archived write(Period period, Path folder) {
    verification.verify(List.of(period.id())).require();
    Path path = folder.resolve(period.board().value()).resolve(period.name().value());
    try {
      Files.createDirectories(ArchiveFolder.parent(path));
      var partial = new ArchiveFolder(path.resolveSibling(period.name() + PARTIAL));
      partial.delete(); // Of an attempt that was killed.
      Files.createDirectory(partial.path());
      var counts = new LinkedHashMap<String, Long>();
      for (String file : ArchiveRows.FILES.keySet()) {
        counts.put(file, partial.write(file, out -> rows.copy(file, period.id(), out)));
      }
      String hash = partial.seal();
      ArchiveFolder whole = finish(period, partial, path, hash);
      readBack(period, whole, counts);
      return new Archived(path, counts, whole.bytes(), hash, 0);
    } catch (IOException e) {
      throw new WrongState("%s cannot be archived: %s".formatted(period.label(), e), e);
    }
  }

  /** Moves the files to their place. Keeps an earlier archive if it is the same. */
  private static ArchiveFolder finish(Period period, ArchiveFolder partial, Path path, String hash)
      throws IOException {
    if (!Files.exists(path)) {
      return partial.moveTo(path);
    }
    partial.delete();
    var former = new ArchiveFolder(path);
    if (!Files.exists(path.resolve(ArchiveFolder.SUMS)) || !former.hash().equals(hash)) {
      throw new WrongState(
          "%s has another archive in %s: move it away, then archive the period again"
              .formatted(period.label(), path));
    }
    return former;
  }

  private static void readBack(Period period, ArchiveFolder folder, Map<String, Long> counts)
      throws IOException {
    folder.check();
    for (Map.Entry<String, Long> file : counts.entrySet()) {
      long read = folder.rows(file.getKey());
      if (read != file.getValue()) {
        throw new WrongState(
            "%s: %d rows of %s can be read back, but %d were written"
                .formatted(period.label(), read, file.getKey(), file.getValue()));
      }
    }
  }

  boolean isConfigured() {
    Path folder = settings.folder();
    return folder != null && !folder.toString().isBlank();
  }

  /**
   * Finds the folders of archived periods: those that exist, and those that should.
   *
   * @param board only this board's; null for all
   * @throws WrongState if the folder cannot be read
   */
  public List<Path> list(Path folder, @Nullable BoardId board) {
    if (!Files.isDirectory(folder)) {
      throw new WrongState("%s is not a folder".formatted(folder));
    }
    try (Stream<Path> files =
        Files.find(folder, 3, (file, attributes) -> file.endsWith(ArchiveFolder.SUMS))) {
      return Stream.concat(
              archived(folder, board),
              files
                  .map(ArchiveFolder::parent)
                  .filter(period -> !period.toString().endsWith(PARTIAL))
                  .filter(
                      period ->
                          board == null || ArchiveFolder.parent(period).endsWith(board.value())))
          .distinct()
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new WrongState("%s cannot be read: %s".formatted(folder, e), e);
    }
  }

  private Stream<Path> archived(Path folder, @Nullable BoardId board) {
    return jdbc
        .sql(
            """
            select board, name from period
            where archive_hash is not null and (:board::text is null or board = :board)
            """)
        .param("board", board == null ? null : board.value())
        .query((row, n) -> folder.resolve(row.getString("board")).resolve(row.getString("name")))
        .list()
        .stream();
  }

  /**
   * Compares a period's files with their checksums, and the checksums with the hash in the database
   * and in the audit log.
   *
   * @param path the period's folder
   * @throws WrongState naming the first file or hash that differs
   */
  public void check(Path path) {
    try {
      if (!Files.isDirectory(path)) {
        throw new WrongState("%s is missing, though its period is archived".formatted(path));
      }
      var folder = new ArchiveFolder(path);
      folder.check();
      String hash = folder.hash();
      for (Recorded recorded : recorded(path)) {
        if (!recorded.entered().equals(recorded.stored())) {
          throw new WrongState(
              "the hash of the archive in the period is %s, and in the audit log %s: run palmares"
                      .formatted(recorded.stored(), recorded.entered())
                  + " verify, which names what was changed; nothing was compared with "
                  + path);
        }
        if (!hash.equals(recorded.stored())) {
          throw new WrongState(
              "%s is complete, but is not the archive whose rows were deleted".formatted(path));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new WrongState("%s cannot be read: %s".formatted(path, e), e);
    }
  }

  /** The hash of an archive as the period has it, and as the audit log has it. */
  private record Recorded(String stored, String entered) {}

  /** None if the journal of the period was not deleted, or never existed in this database. */
  private List<Recorded> recorded(Path path) {
    return jdbc.sql(
            """
            select
              coalesce(archive_hash, 'none') as stored,
              coalesce(
                string_agg(
                  coalesce(substring(reason from '\\[([0-9a-f]{64}) [0-9a-f]{64}\\]$'), 'unknown'),
                  ', ' order by audit_entry.id),
                'none') as entered
            from period
            left join audit_entry
              on audit_entry.verb = 'archive'
              and audit_entry.board = period.board
              and audit_entry.period = period.name
            where period.board = :board and period.name = :name
            group by period.id
            having archive_hash is not null or count(audit_entry.id) > 0
            """)
        .param("board", String.valueOf(ArchiveFolder.parent(path).getFileName()))
        .param("name", String.valueOf(path.getFileName()))
        .query(Recorded.class)
        .list();
  }
}
