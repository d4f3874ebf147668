package palmares.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.api.security.Caller;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.operations.archive.ArchiveRefused;
import palmares.operations.archive.Archives;
import palmares.operations.archive.Archives.Archived;
import palmares.operations.report.PeriodHistory;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.platform.output.DisplayFormat;
import palmares.platform.output.TerminalText;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.verification.VerificationFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes old history into files and drops its journal. */
@Command(
    name = "archive",
    description = {
      "Writes the history of settled periods that ended before a day into DIR/BOARD/PERIOD, as CSV"
          + " with a list of checksums (sha256sum -c SHA256SUMS), and reads it back.",
      "",
      "--drop also deletes the journal from the database: of expired periods only, and never while"
          + " an amendment is undecided. Lines, payments and manifests stay in the database."
          + " The period can then no longer be amended, nor explained event by event."
    },
    customSynopsis = {
      "palmares archive [OPTIONS] [BOARD] --before DAY --to DIR --reason TEXT [--drop]",
      "   or: palmares archive [OPTIONS] --check DIR"
    },
    exitCodeList = {
      "0:all of it is archived, or matches the archive",
      "1:a period was not archived, or a file is missing or changed; the others are fine",
      "2:bad usage, or an unknown board: nothing was changed"
    },
    footer =
        "  palmares archive --before 2025-01-01 --to /archive --drop --reason 'kept for two years'")
final class ArchiveCommand implements Callable<Integer> {
  private static final double MEGABYTE = 1e6;

  private final Session session;

  @Mixin private BoardFilter filter = new BoardFilter();

  @Option(
      names = "--before",
      paramLabel = "DAY",
      description = "Periods that had ended when this day began, in UTC: 2026-01-01.")
  private @Nullable String before;

  @Option(names = "--to", paramLabel = "DIR", description = "The folder of the archive.")
  private @Nullable Path to;

  @Option(names = "--drop", description = "Deletes the journal from the database.")
  private boolean drop;

  @Option(
      names = "--check",
      paramLabel = "DIR",
      description = "Reads an archive and compares it with its checksums and the database.")
  private @Nullable Path check;

  @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit log.")
  private @Nullable String reason;

  ArchiveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (check == null ? before == null || to == null : before != null || to != null || drop) {
      throw UserError.badUsage("name --before DAY and --to DIR, or --check DIR");
    }
    if (check == null && reason == null) {
      throw UserError.badUsage("--before and --to need a --reason");
    }
    if (reason != null) {
      Acting.checked(reason);
    }
    Instant time = TimeArgument.of("--before", before, ZoneOffset.UTC);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("archive", boards)) {
      BoardId board = board(boards, app);
      Archives archives = app.get(Archives.class);
      return check != null
          ? check(archives, check, board)
          : archive(
              archives, archives.before(Objects.requireNonNull(time), board), Caller.get().name());
    }
  }

  /** Finds the board, which may have lost its file; null if the call names none. */
  private @Nullable BoardId board(Catalogue boards, RunningApplication app) {
    String word = filter.board();
    if (word == null) {
      return null;
    }
    try {
      var id = new BoardId(word);
      if (app.get(PeriodHistory.class).knows(id)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      // No board is named so.
    }
    return Arguments.inForce(boards, word).id();
  }

  private int archive(Archives archives, List<PeriodId> periods, String by) {
    int failed = 0;
    for (PeriodId period : periods) {
      try {
        session.print(describe(archive(archives, period, by)));
      } catch (ArchiveRefused | VerificationFailed | PeriodBusy e) {
        failed++;
        session.note("palmares: " + TerminalText.of(String.valueOf(e.getMessage())));
      }
    }
    session.print("%,d periods archived, %,d left", periods.size() - failed, failed);
    return failed == 0 ? 0 : UserError.FAILED;
  }

  private Archived archive(Archives archives, PeriodId period, String by) {
    Path folder = Objects.requireNonNull(to);
    return drop
        ? archives.move(period, folder, by, Objects.requireNonNull(reason).strip())
        : archives.write(period, folder);
  }

  private static String describe(Archived archived) {
    return String.format(
        Locale.ROOT,
        "%s: %s rows, %.1f MB%s",
        archived.folder(),
        DisplayFormat.number(archived.rows().values().stream().mapToLong(Long::longValue).sum()),
        archived.bytes() / MEGABYTE,
        archived.dropped() == 0
            ? ""
            : ", " + DisplayFormat.number(archived.dropped()) + " dropped from the database");
  }

  private int check(Archives archives, Path folder, @Nullable BoardId board) throws IOException {
    int wrong = 0;
    List<Path> periods = periods(folder, board);
    for (Path period : periods) {
      try {
        archives.check(period);
      } catch (ArchiveRefused e) {
        wrong++;
        session.print(TerminalText.of(String.valueOf(e.getMessage())));
      }
    }
    session.print("%,d periods read, %,d wrong", periods.size(), wrong);
    return wrong == 0 ? 0 : UserError.FAILED;
  }

  private static List<Path> periods(Path folder, @Nullable BoardId board) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw UserError.badInput("%s is not a folder", folder);
    }
    try (Stream<Path> files =
        Files.find(folder, 3, (file, attributes) -> file.endsWith("SHA256SUMS"))) {
      return files
          .map(Path::getParent)
          .filter(path -> board == null || path.resolveSibling("").endsWith(board.value()))
          .sorted()
          .toList();
    }
  }
}
