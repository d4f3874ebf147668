package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.board.BoardId;
import palmares.catalogue.Catalogue;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.output.Format;
import palmares.cli.output.Spoken;
import palmares.memory.Held;
import palmares.memory.Held.Fate;
import palmares.memory.Holdings;
import palmares.memory.Memory;
import palmares.memory.Orphans;
import palmares.report.PeriodHistory;
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

  @Mixin private MaybeResponsible responsible = new MaybeResponsible();

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
    if (dropOrphans && !responsible.says()) {
      throw usage("--drop-orphans needs a --reason");
    }
    if (forceUnknown && !dropOrphans) {
      throw usage("--force-unknown goes with --drop-orphans");
    }
    Catalogue boards = session.boards();
    try (Running app = session.start(Launch.of("memory"), boards)) {
      BoardId only =
          board == null ? null : new Names(boards, app.get(PeriodHistory.class)).board(board);
      Holdings holdings = app.get(Memory.class).look(only, samples);
      if (dropOrphans) {
        drop(app.get(Orphans.class), holdings);
      } else if (format == Format.JSON) {
        session.terminal().print(json(holdings));
      } else {
        print(holdings);
      }
    }
    return 0;
  }

  private void drop(Orphans orphans, Holdings holdings) {
    long removed = 0;
    for (Held held : holdings.orphans()) {
      if (held.fate() == Fate.UNKNOWN && !forceUnknown) {
        session
            .terminal()
            .print(held.label() + " is left: this database knows no such period (--force-unknown)");
      } else {
        orphans.drop(held, responsible.by(), responsible.reason());
        session.terminal().print("removed %s: %s".formatted(held.label(), size(held.bytes())));
        removed += held.bytes();
      }
    }
    session.terminal().print("removed %s altogether".formatted(size(removed)));
  }

  private void print(Holdings holdings) {
    if (!holdings.boards().isEmpty()) {
      session.terminal().print(table(holdings.boards()));
    }
    for (Holdings.Other other : holdings.others()) {
      session
          .terminal()
          .print(
              "%s: %s keys, %s"
                  .formatted(other.name(), Spoken.number(other.keys()), size(other.bytes())));
    }
    session
        .terminal()
        .print(
            "%s of the %s that Redis uses"
                .formatted(size(holdings.bytes()), size(holdings.used())));
  }

  private static String table(List<Held> lines) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            lines,
            List.of(
                Columns.whole("period").<Held>with(Held::label),
                Columns.whole("state").with(line -> line.state() == null ? "" : line.state()),
                Columns.number("keys").with(line -> Spoken.number(line.keys())),
                Columns.number("members").with(line -> Spoken.number(line.members())),
                Columns.number("memory").with(line -> size(line.bytes())),
                Columns.whole("leaves").with(MemoryCommand::leaves),
                Columns.whole("").with(line -> line.fate().sentence())))
        .asString();
  }

  private static String leaves(Held line) {
    return line.leavesAt() == null ? "" : line.leavesAt().truncatedTo(ChronoUnit.SECONDS) + "";
  }

  private static String json(Holdings holdings) {
    var all = new LinkedHashMap<String, Object>();
    all.put("used", holdings.used());
    all.put("bytes", holdings.bytes());
    all.put("boards", holdings.boards().stream().map(MemoryCommand::fields).toList());
    all.put("others", holdings.others());
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(all);
  }

  private static Map<String, Object> fields(Held held) {
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
