package palmares.operations.archive;

import static palmares.platform.time.SqlTime.nullableInstant;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.LeasedWork;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Refusal;
import palmares.platform.Refusal.Reason;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.verification.Verification;

/**
 * Replaces a forgotten person's id in the archives of the configured folder.
 *
 * <p>The new files of a period are written next to the old ones. One transaction then stores their
 * hash and an audit entry, and the folders are exchanged. If the process dies in between, the next
 * attempt sees by the stored hash which files are the right ones, and exchanges them.
 */
@Component
public class ArchiveRenaming {
  /** Board and period, below the folder. */
  private static final int DEPTH = 2;

  private static final int MAX_NAMED_ARCHIVES = 20;

  private final JdbcClient jdbc;
  private final LeasedWork work;
  private final Periods periods;
  private final Verification verification;
  private final Archives archives;
  private final ArchiveRows rows;
  private final AuditLog auditLog;
  private final Clock clock;

  ArchiveRenaming(
      JdbcClient jdbc,
      LeasedWork work,
      Periods periods,
      Verification verification,
      Archives archives,
      ArchiveRows rows,
      AuditLog auditLog,
      Clock clock) {
    this.jdbc = jdbc;
    this.work = work;
    this.periods = periods;
    this.verification = verification;
    this.archives = archives;
    this.rows = rows;
    this.auditLog = auditLog;
    this.clock = clock;
  }

  /**
   * What became of the archives.
   *
   * @param renamed the periods whose archives were written again
   * @param remains the archives that may have the id, each with why and what to do
   */
  public record Renamed(List<String> renamed, List<String> remains) {}

  private record Order(MemberId member, MemberId pseudonym, String by, String reason) {}

  /**
   * When a person had the id, which others may have had before or have now.
   *
   * @param after when the person before was forgotten; null if there was none
   * @param until when the person was forgotten; null if that is under way
   */
  private record Holding(@Nullable Instant after, @Nullable Instant until) {
    boolean covers(Period period) {
      Instant end = period.slot().endsAt();
      return (after == null || end.isAfter(after)) && (until == null || !end.isAfter(until));
    }
  }

  private Holding holding(MemberId pseudonym) {
    return jdbc.sql(
            """
            select
              (
                select max(at)
                from forgotten_code earlier
                join audit_entry on verb = 'forget' and member = earlier.pseudonym
                where earlier.hash = own.hash and earlier.generation < own.generation
              ) as after,
              (select max(at) from audit_entry where verb = 'forget' and member = :pseudonym)
                as until
            from forgotten_code own
            where pseudonym = :pseudonym
            """)
        .param("pseudonym", pseudonym.value())
        .query(
            (row, n) -> new Holding(nullableInstant(row, "after"), nullableInstant(row, "until")))
        .single();
  }

  /**
   * Replaces an id in the archives of the folder. May be killed and called again.
   *
   * @throws Refusal if somebody else works on a period whose archive has the id
   */
  public Renamed rename(MemberId member, MemberId pseudonym, String by, String reason) {
    var order = new Order(member, pseudonym, by, reason);
    var renamed = new ArrayList<String>();
    var remains = new ArrayList<>(unreachable());
    Holding holding = holding(pseudonym);
    for (Path path : here()) {
      try {
        Period period = period(path).orElse(null);
        if (period == null) {
          if (new ArchiveFolder(path).contains(member.value())) {
            remains.add("%s, whose period this database does not know: delete it".formatted(path));
          }
        } else if (holding.covers(period)) {
          if (rename(period, path, order)) {
            renamed.add(period.label());
          }
        } else if (new ArchiveFolder(path).contains(member.value())) {
          remains.add("%s, whose period ended when somebody else had the id".formatted(path));
        }
      } catch (IOException e) {
        remains.add(notWritten(path, e));
      } catch (Refusal e) {
        if (e.reason() == Reason.PERIOD_BUSY) {
          throw e;
        }
        remains.add(notWritten(path, e));
      }
    }
    return new Renamed(renamed, remains);
  }

  private static String notWritten(Path path, Exception e) {
    return "%s, which was not written again (%s)".formatted(path, String.valueOf(e.getMessage()));
  }

  /**
   * How archives have an id.
   *
   * @param asMember how many have it as a member
   * @param asSubject how many have it as a subject only
   */
  public record Found(int asMember, int asSubject) {}

  /**
   * Finds an id in the archives of the folder, each of which is read.
   *
   * @param read receives how many were read
   * @throws WrongState if one cannot be read
   */
  public Found find(MemberId member, LongConsumer read) {
    int asMember = 0;
    int asSubject = 0;
    long done = 0;
    for (Path path : here()) {
      read.accept(done++);
      var columns = new HashSet<String>();
      for (Path version : List.of(path, Archives.fresh(path), Archives.former(path))) {
        try {
          if (Files.isDirectory(version)) {
            columns.addAll(new ArchiveFolder(version).columnsWith(member));
          }
        } catch (IOException | UncheckedIOException e) {
          throw new WrongState("%s cannot be read: %s".formatted(version, e), e);
        }
      }
      if (columns.contains(ArchiveFolder.MEMBER)) {
        asMember++;
      } else if (columns.contains(ArchiveFolder.SUBJECT)) {
        asSubject++;
      }
    }
    return new Found(asMember, asSubject);
  }

  public boolean isEmpty() {
    return here().isEmpty();
  }

  private List<Path> here() {
    return archives.isConfigured() ? all(archives.folder()) : List.of();
  }

  /** The archives that replace deleted journals, and that are not in the configured folder. */
  public List<String> unreachable() {
    List<String> labels =
        jdbc
            .sql(
                """
                select board, name as period, coalesce(archive_hash, '') as hash
                from period
                where archived_at is not null
                order by board, name
                """)
            .query(Place.class)
            .list()
            .stream()
            .filter(place -> !exists(place))
            .map(place -> place.board() + " " + place.period())
            .toList();
    if (labels.isEmpty()) {
      return List.of();
    }
    int more = labels.size() - MAX_NAMED_ARCHIVES;
    return List.of(
        "the archives of %s%s, if they name the person, because they are not in %s"
            .formatted(
                String.join(", ", labels.subList(0, Math.min(labels.size(), MAX_NAMED_ARCHIVES))),
                more > 0 ? " and %,d more".formatted(more) : "",
                archives.isConfigured()
                    ? archives.folder()
                    : "a folder of this server: palmares.archive.folder is not set"));
  }

  private record Place(String board, String period, String hash) {}

  private boolean exists(Place place) {
    if (!archives.isConfigured()) {
      return false;
    }
    Path path = archives.folder().resolve(place.board()).resolve(place.period());
    try {
      return Files.exists(path)
          || Files.exists(Archives.former(path))
          || new ArchiveFolder(Archives.fresh(path)).isSealedAs(place.hash());
    } catch (IOException e) {
      return false;
    }
  }

  /** The folders of periods, also those between whose two versions a process has died. */
  private static List<Path> all(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> found =
        Files.find(folder, DEPTH, (file, attributes) -> attributes.isDirectory())) {
      var all = new TreeSet<Path>();
      found
          .filter(path -> folder.relativize(path).getNameCount() == DEPTH)
          .map(Archives::place)
          .filter(path -> !path.toString().endsWith(Archives.PARTIAL))
          .forEach(all::add);
      return List.copyOf(all);
    } catch (IOException e) {
      throw new WrongState("%s cannot be read: %s".formatted(folder, e), e);
    }
  }

  private Optional<Period> period(Path path) {
    try {
      return periods.find(
          new BoardId(String.valueOf(ArchiveFolder.parent(path).getFileName())),
          new PeriodName(String.valueOf(path.getFileName())));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private boolean rename(Period period, Path path, Order order) throws IOException {
    exchange(period, path);
    var former = new ArchiveFolder(path);
    if (!former.contains(order.member().value())) {
      return false;
    }
    boolean isChanged = work.run(period.id(), (lease, present) -> write(present, former, order));
    exchange(period, path);
    return isChanged;
  }

  /** Under the lease, so that it is not done while another process writes new files. */
  private void exchange(Period period, Path path) {
    if (Files.exists(Archives.fresh(path)) || Files.exists(Archives.former(path))) {
      work.run(
          period.id(),
          (lease, present) -> {
            try {
              complete(present, path);
              return true;
            } catch (IOException e) {
              throw new WrongState(e.toString(), e);
            }
          });
    }
  }

  /** Exchanges the folders if the new one counts, and removes the other. */
  private void complete(Period period, Path path) throws IOException {
    var fresh = new ArchiveFolder(Archives.fresh(path));
    var former = new ArchiveFolder(Archives.former(path));
    if (Files.exists(fresh.path())) {
      String stored = archives.hash(period.id());
      boolean counts =
          stored == null ? !Files.exists(path) && fresh.isSealed() : fresh.isSealedAs(stored);
      if (counts && Files.exists(path)) {
        new ArchiveFolder(path).moveTo(former.path());
      }
      if (counts) {
        fresh.moveTo(path);
      } else {
        fresh.delete();
      }
    }
    if (!Files.exists(path) && Files.exists(former.path())) {
      former.moveTo(path);
    }
    former.delete();
  }

  /** Writes the new files, and records them; false if they are the same as the old ones. */
  private boolean write(Period period, ArchiveFolder former, Order order) {
    try {
      archives.check(former.path());
      // What is not in the files alone is written again from rows, so these must be right.
      verification.verify(List.of(period.id())).require();
      var fresh = new ArchiveFolder(Archives.fresh(former.path()));
      Files.createDirectory(fresh.path());
      @Nullable String stored = archives.hash(period.id());
      for (String file : ArchiveRows.FILES.keySet()) {
        if (stored != null && ArchiveRows.DELETED.containsKey(file)) {
          long count = renamed(fresh, former, file, order);
          if (count != former.rows(file)) {
            throw new WrongState("%s has %d rows now".formatted(file, count));
          }
        } else {
          fresh.write(file, out -> rows.copy(file, period.id(), out));
        }
      }
      String hash = fresh.seal();
      fresh.check();
      if (hash.equals(former.hash())) {
        fresh.delete();
        return false;
      }
      if (stored == null) {
        // No hash is stored, so that only a folder that is complete and alone counts.
        former.moveTo(Archives.former(former.path()));
      } else {
        record(period, former.hash(), hash, order);
      }
      return true;
    } catch (IOException e) {
      throw new WrongState(e.toString(), e);
    }
  }

  private long renamed(ArchiveFolder fresh, ArchiveFolder former, String file, Order order)
      throws IOException {
    return fresh.write(
        file,
        out -> {
          try (var csv = former.read(file)) {
            return rows.rename(csv, out, order.member(), order.pseudonym());
          }
        });
  }

  private void record(Period period, String former, String hash, Order order) {
    jdbc.sql("update period set archive_hash = :hash where id = :id")
        .param("hash", hash)
        .param("id", period.id().value())
        .update();
    auditLog.append(
        new AuditEntry(
            order.by(),
            "rewrite-archive",
            period.board().value(),
            period.name().value(),
            null,
            order.pseudonym().value(),
            "%s [%s %s]".formatted(order.reason(), former, hash)),
        clock.instant());
  }
}
