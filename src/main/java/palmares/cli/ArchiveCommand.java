package palmares.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.api.ops.ArchiveResource;
import palmares.api.ops.ArchiveResource.ArchiveCheck;
import palmares.api.ops.ArchiveResource.ArchiveRequest;
import palmares.cli.terminal.CommandSentences.NameOneOf;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.CommandSentences.TakesNo;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes old journals into files and drops them. */
@Command(
    name = "archive",
    description = {
      "Writes the journal of each settled period that ended before a day into one file,"
          + " FOLDER/BOARD/PERIOD.jsonl.gz, and reads it back. The audit log has its SHA-256.",
      "",
      "--drop also deletes the journal from the database: of expired periods only, and never while"
          + " an amendment is undecided. Lines, payments and manifests stay in the database."
          + " The period can then no longer be amended, nor explained event by event.",
      "",
      "A server writes into its own folder, palmares.archive.folder. May be killed and run again."
    },
    customSynopsis = {
      "palmares archive [OPTIONS] BOARD|--all --before DAY --reason TEXT [--drop]",
      "   or: palmares archive [OPTIONS] [BOARD] --check"
    },
    exitCodeList = {
      "0:all of it is archived, or matches the archive",
      "1:a period was not archived, or a file is missing or changed; the others are fine",
      "2:bad usage, an unknown board, or no folder: nothing was changed"
    },
    footer = "  palmares archive --all --before 2025-01-01 --drop --reason 'two years old'")
final class ArchiveCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private BoardFilter filter = new BoardFilter();

  @Option(
      names = "--before",
      paramLabel = "DAY",
      description = "Periods that had ended when this day began, in UTC: 2026-01-01.")
  private @Nullable String before;

  @Option(names = "--all", description = "With --before: the periods of all boards.")
  private boolean all;

  @Option(names = "--drop", description = "Deletes the journal from the database.")
  private boolean drop;

  @Option(names = "--check", description = "Reads the files and compares them with the audit log.")
  private boolean check;

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  @Override
  public Integer call() {
    if (check && (before != null || drop || all)) {
      throw UserError.badUsage(TakesNo.of("--check", "--before", "--drop", "--all"));
    }
    if (!check && before == null) {
      throw UserError.badUsage(NameOneOf.of("--before DAY", "--check"));
    }
    if (!check && !acting.hasReason()) {
      throw UserError.badUsage(Needs.of("--before", "--reason"));
    }
    Arguments.time("--before", before);
    String reason = acting.reason("palmares archive --check");
    String until = check ? "" : Objects.requireNonNull(before);
    return act(
        acting,
        ArchiveResource.class,
        (archives, call) ->
            check
                ? archives.check(new ArchiveCheck(reason, filter.board()), call)
                : archives.archive(
                    new ArchiveRequest(reason, filter.board(), all, until, drop), call));
  }
}
