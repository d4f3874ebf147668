package palmares.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output.Format;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.operations.memory.MemoryReport;
import palmares.operations.memory.MemoryUse;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.memory.MemoryUse.PeriodMemory.Fate;
import palmares.operations.memory.Orphans;
import palmares.rules.board.BoardId;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Shows the memory that Redis uses, and removes orphaned keys. */
@Command(
    name = "memory",
    description = {
      "Shows the memory that Redis uses by board and period, and when it is freed.",
      "",
      "Orphans are keys of expired periods, or of periods that this database does not know. The"
          + " keys of adopted boards are shown, and never removed here."
    },
    exitCodeList = {
      "0:shown; with --drop-orphans: removed",
      "1:Redis does not answer",
      "2:bad usage, or an unknown board: nothing was changed"
    },
    footer = {
      "  palmares memory invites",
      "  palmares memory --drop-orphans --reason 'Redis was restored from an old file'"
    })
final class MemoryCommand implements Callable<Integer> {
  private static final double KILOBYTE = 1e3;
  private static final double MEGABYTE = 1e6;

  private static final OutputTable<PeriodMemory> COLUMNS =
      new OutputTable<PeriodMemory>()
          .text("period", PeriodMemory::label)
          .text("state", PeriodMemory::state)
          .number("keys", PeriodMemory::keys)
          .number("members", PeriodMemory::members)
          .number("memory", period -> size(period.bytes()))
          .text("expires", PeriodMemory::leavesAt)
          .text("", period -> period.fate().sentence());

  private final Session session;

  @Mixin private BoardFilter filter = new BoardFilter();

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
          "How many entries of a key its bytes are estimated from (default: 5); 0 for all of them,"
              + " which is exact and slow.")
  private int samples;

  @Option(names = "--drop-orphans", description = "Removes the keys of expired periods, in slices.")
  private boolean dropOrphans;

  @Option(
      names = "--force-unknown",
      description =
          "With --drop-orphans: also removes keys of periods that this database does not know."
              + " Another installation on the same Redis may own them.")
  private boolean forceUnknown;

  @Mixin private OptionalActor actor = new OptionalActor();

  MemoryCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (format == Format.CSV) {
      throw UserError.badUsage("--format is table or json");
    }
    Arguments.atLeast(0, "--samples", samples);
    if (dropOrphans && !actor.isGiven()) {
      throw UserError.badUsage("--drop-orphans needs a --reason");
    }
    if (forceUnknown && !dropOrphans) {
      throw UserError.badUsage("--force-unknown goes with --drop-orphans");
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start("memory", boards)) {
      BoardId board = filter.board(new Arguments(boards, app));
      MemoryUse use = app.get(MemoryReport.class).measure(board, samples);
      if (dropOrphans) {
        drop(app.get(Orphans.class), use);
      } else if (format == Format.JSON) {
        session.print(json(use));
      } else {
        print(use);
      }
    }
    return 0;
  }

  private void drop(Orphans orphans, MemoryUse use) {
    long removed = 0;
    for (PeriodMemory orphan : use.orphans()) {
      if (orphan.fate() == Fate.UNKNOWN && !forceUnknown) {
        session.print(
            "%s is kept: this database does not know the period (--force-unknown removes it)",
            orphan.label());
      } else {
        orphans.drop(orphan, Actor.by(), actor.reason());
        session.print("removed %s: %s", orphan.label(), size(orphan.bytes()));
        removed += orphan.bytes();
      }
    }
    session.print("removed %s altogether", size(removed));
  }

  private void print(MemoryUse use) {
    if (!use.boards().isEmpty()) {
      session.print(COLUMNS.table(use.boards()));
    }
    for (MemoryUse.Other other : use.others()) {
      session.print("%s: %,d keys, %s", other.name(), other.keys(), size(other.bytes()));
    }
    session.print("%s of the %s that Redis uses", size(use.bytes()), size(use.used()));
  }

  private static String json(MemoryUse use) {
    var all = new LinkedHashMap<String, Object>();
    all.put("used", use.used());
    all.put("bytes", use.bytes());
    all.put("boards", use.boards().stream().map(MemoryCommand::fields).toList());
    all.put("others", use.others());
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(all);
  }

  private static Map<String, Object> fields(PeriodMemory period) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("board", period.board().value());
    fields.put("period", period.period().value());
    if (period.state() != null) {
      fields.put("state", period.state());
    }
    fields.put("keys", period.keys());
    fields.put("members", period.members());
    fields.put("bytes", period.bytes());
    if (period.leavesAt() != null) {
      fields.put("leaves_at", period.leavesAt().toString());
    }
    fields.put("fate", period.fate().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    return fields;
  }

  private static String size(long bytes) {
    return bytes < MEGABYTE
        ? String.format(Locale.ROOT, "%.1f KB", bytes / KILOBYTE)
        : String.format(Locale.ROOT, "%,.1f MB", bytes / MEGABYTE);
  }
}
