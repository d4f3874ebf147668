package palmares.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.terminal.Terminal;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.operations.archive.ArchiveRefused;
import palmares.operations.archive.Archives;
import palmares.operations.archive.Archives.Archived;
import palmares.operations.report.PeriodHistory;
import palmares.period.PeriodBusy;
import palmares.period.PeriodId;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import palmares.settlement.verification.VerificationFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Moves old history into files. */
@Command(
    name = "archive",
    description = {
      "Writes the history of settled periods that ended before a day into DIR/BOARD/PERIOD, as CSV"
          + " with a list of checksums (sha256sum -c SHA256SUMS), and reads it back.",
      "",
      "--drop also deletes the journal from the database: of expired periods only, never while an"
          + " amendment waits. Lines, payments and manifests stay in the database as well; the"
          + " period cannot be amended or explained event by event any more."
    },
    customSynopsis = {
      "palmares archive [OPTIONS] [BOARD] --before DAY --to DIR --reason TEXT [--drop]",
      "   or: palmares archive [OPTIONS] --check DIR"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all of it is archived, or as it was archived",
      "1:a period could not be, or a file is missing or changed; the others are",
      "2:bad usage, or an unknown board: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer =
        "  palmares archive --before 2025-01-01 --to /archive --drop --reason 'kept for two years'")
final class ArchiveCommand implements Callable<Integer> {
  private static final double MEGABYTE = 1e6;

  private final Session session;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "BOARD",
      description = "Only this board's periods.")
  private @Nullable String board;

  @Option(
      names = "--before",
      paramLabel = "DAY",
      description = "Periods that had ended when this day began, in UTC: 2026-01-01.")
  private @Nullable String before;

  @Option(names = "--to", paramLabel = "DIR", description = "Where the files go.")
  private @Nullable Path to;

  @Option(names = "--drop", description = "Deletes the journal from the database.")
  private boolean drop;

  @Option(names = "--check", paramLabel = "DIR", description = "Reads an archive, and compares.")
  private @Nullable Path check;

  @Mixin private OptionalActor actor = new OptionalActor();

  @Spec private CommandSpec spec = CommandSpec.create();

  ArchiveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (check == null ? before == null || to == null : before != null || to != null || drop) {
      throw usage("name --before DAY and --to DIR, or --check DIR");
    }
    if (check == null && !actor.says()) {
      throw usage("--before and --to need a --reason");
    }
    Instant time = before == null ? Instant.EPOCH : day(before);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("archive"), boards)) {
      BoardId only =
          board == null
              ? null
              : new ArgumentLookup(boards, app.get(PeriodHistory.class)).board(board);
      Archives archives = app.get(Archives.class);
      return check != null
          ? check(archives, check, only)
          : archive(archives, archives.before(time, only));
    }
  }

  private int archive(Archives archives, List<PeriodId> periods) {
    Terminal terminal = session.terminal();
    int failed = 0;
    for (PeriodId period : periods) {
      try {
        terminal.print(told(one(archives, period)));
      } catch (ArchiveRefused | VerificationFailed | PeriodBusy e) {
        failed++;
        terminal.note("palmares: " + TerminalText.of(String.valueOf(e.getMessage())));
      }
    }
    terminal.print(
        "%s periods archived, %s left"
            .formatted(
                DisplayFormat.number(periods.size() - failed), DisplayFormat.number(failed)));
    return failed == 0 ? 0 : UserError.FAILED;
  }

  private Archived one(Archives archives, PeriodId period) {
    Path folder = Objects.requireNonNull(to);
    return drop
        ? archives.move(period, folder, actor.by(), actor.reason())
        : archives.write(period, folder);
  }

  private static String told(Archived archived) {
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

  private int check(Archives archives, Path folder, @Nullable BoardId only) throws IOException {
    int wrong = 0;
    int seen = 0;
    for (Path period : periods(folder, only)) {
      seen++;
      try {
        archives.check(period);
      } catch (ArchiveRefused e) {
        wrong++;
        session.terminal().print(TerminalText.of(String.valueOf(e.getMessage())));
      }
    }
    session
        .terminal()
        .print(
            "%s periods read, %s wrong"
                .formatted(DisplayFormat.number(seen), DisplayFormat.number(wrong)));
    return wrong == 0 ? 0 : UserError.FAILED;
  }

  private static List<Path> periods(Path folder, @Nullable BoardId only) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw UserError.badInput("%s is no folder".formatted(folder));
    }
    try (Stream<Path> files = Files.find(folder, 3, (file, is) -> file.endsWith("SHA256SUMS"))) {
      return files
          .map(Path::getParent)
          .filter(path -> only == null || path.resolveSibling("").endsWith(only.value()))
          .sorted()
          .toList();
    }
  }

  private Instant day(String text) {
    try {
      return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException e) {
      throw usage("--before is a day as 2026-01-01, not " + text);
    }
  }

  private ParameterException usage(String userError) {
    return new ParameterException(spec.commandLine(), userError);
  }
}
