package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.Format;
import palmares.operations.memory.MemoryReport;
import palmares.operations.memory.MemoryUse;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.memory.MemoryUse.PeriodMemory.Fate;
import palmares.operations.memory.Orphans;
import palmares.operations.report.PeriodHistory;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Shows what Redis holds, and removes what belongs to nobody. */
@Command(
    name = "memory",
    description = {
      "Shows what Redis holds by board and period, and what of it leaves when.",
      "",
      "Orphans are keys whose period is expired, or of which this database knows no period. The"
          + " keys of adopted boards are shown, and never removed here."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:shown; with --drop-orphans: removed",
      "1:Redis does not answer",
      "2:bad usage, or an unknown board: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares memory invites",
      "  palmares memory --drop-orphans --reason 'Redis was restored from an old file'"
    })
final class MemoryCommand implements Callable<Integer> {
  private static final double KILOBYTE = 1e3;
  private static final double MEGABYTE = 1e6;

  private final Session session;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "BOARD",
      description = "Only this board's periods.")
  private @Nullable String board;

  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table (for people; the default) or json.")
  private Format format = Format.TABLE;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Of how many entries of a key its bytes are estimated (default: 5); 0 for all of them,"
              + " which is exact and slow.")
  private int samples;

  @Option(names = "--drop-orphans", description = "Removes the keys of expired periods, in slices.")
  private boolean dropOrphans;

  @Option(
      names = "--force-unknown",
      description =
          "With --drop-orphans: those of periods that this database does not know, too. Another"
              + " installation on the same Redis may have them.")
  private boolean forceUnknown;

  @Mixin private OptionalActor actor = new OptionalActor();

  @Spec private CommandSpec spec = CommandSpec.create();

  MemoryCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (format == Format.CSV) {
      throw usage("--format is table or json");
    }
    if (samples < 0) {
      throw usage("--samples is 0 or more, not " + samples);
    }
    if (dropOrphans && !actor.says()) {
      throw usage("--drop-orphans needs a --reason");
    }
    if (forceUnknown && !dropOrphans) {
      throw usage("--force-unknown goes with --drop-orphans");
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LaunchOptions.of("memory"), boards)) {
      BoardId only =
          board == null
              ? null
              : new ArgumentLookup(boards, app.get(PeriodHistory.class)).board(board);
      MemoryUse memoryUse = app.get(MemoryReport.class).measure(only, samples);
      if (dropOrphans) {
        drop(app.get(Orphans.class), memoryUse);
      } else if (format == Format.JSON) {
        session.terminal().print(json(memoryUse));
      } else {
        print(memoryUse);
      }
    }
    return 0;
  }

  private void drop(Orphans orphans, MemoryUse memoryUse) {
    long removed = 0;
    for (PeriodMemory held : memoryUse.orphans()) {
      if (held.fate() == Fate.UNKNOWN && !forceUnknown) {
        session
            .terminal()
            .print(held.label() + " is left: this database knows no such period (--force-unknown)");
      } else {
        orphans.drop(held, actor.by(), actor.reason());
        session.terminal().print("removed %s: %s".formatted(held.label(), size(held.bytes())));
        removed += held.bytes();
      }
    }
    session.terminal().print("removed %s altogether".formatted(size(removed)));
  }

  private void print(MemoryUse memoryUse) {
    if (!memoryUse.boards().isEmpty()) {
      session.terminal().print(table(memoryUse.boards()));
    }
    for (MemoryUse.Other other : memoryUse.others()) {
      session
          .terminal()
          .print(
              "%s: %s keys, %s"
                  .formatted(
                      other.name(), DisplayFormat.number(other.keys()), size(other.bytes())));
    }
    session
        .terminal()
        .print(
            "%s of the %s that Redis uses"
                .formatted(size(memoryUse.bytes()), size(memoryUse.used())));
  }

  private static String table(List<PeriodMemory> lines) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            lines,
            List.of(
                Columns.whole("period").<PeriodMemory>with(PeriodMemory::label),
                Columns.whole("state").with(line -> line.state() == null ? "" : line.state()),
                Columns.number("keys").with(line -> DisplayFormat.number(line.keys())),
                Columns.number("members").with(line -> DisplayFormat.number(line.members())),
                Columns.number("memory").with(line -> size(line.bytes())),
                Columns.whole("leaves").with(MemoryCommand::leaves),
                Columns.whole("").with(line -> line.fate().sentence())))
        .asString();
  }

  private static String leaves(PeriodMemory line) {
    return line.leavesAt() == null ? "" : line.leavesAt().truncatedTo(ChronoUnit.SECONDS) + "";
  }

  private static String json(MemoryUse memoryUse) {
    var all = new LinkedHashMap<String, Object>();
    all.put("used", memoryUse.used());
    all.put("bytes", memoryUse.bytes());
    all.put("boards", memoryUse.boards().stream().map(MemoryCommand::fields).toList());
    all.put("others", memoryUse.others());
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(all);
  }

  private static Map<String, Object> fields(PeriodMemory held) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("board", held.board().value());
    fields.put("period", held.period().value());
    if (held.state() != null) {
      fields.put("state", held.state());
    }
    fields.put("keys", held.keys());
    fields.put("members", held.members());
    fields.put("bytes", held.bytes());
    if (held.leavesAt() != null) {
      fields.put("leaves_at", held.leavesAt().toString());
    }
    fields.put("fate", held.fate().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    return fields;
  }

  private static String size(long bytes) {
    return bytes < MEGABYTE
        ? String.format(Locale.ROOT, "%.1f KB", bytes / KILOBYTE)
        : String.format(Locale.ROOT, "%,.1f MB", bytes / MEGABYTE);
  }

  private ParameterException usage(String complaint) {
    return new ParameterException(spec.commandLine(), complaint);
  }
}
