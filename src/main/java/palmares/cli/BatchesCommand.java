package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.operations.batches.Batch;
import palmares.operations.batches.Batch.Item;
import palmares.operations.batches.Batches;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows acts over many periods, and resumes them. */
@Command(
    name = "batches",
    description = {
      "Lists acts over many periods, or the periods of one.",
      "",
      "'resume' tries what failed again, and what is left after a crash. A scheduler resumes what a"
          + " killed process left, without a command."
    },
    customSynopsis = {
      "palmares batches [OPTIONS] [BATCH]",
      "   or: palmares batches resume [OPTIONS] BATCH"
    },
    exitCodeList = {
      "0:the list is complete, or nothing is left to do",
      "1:after resume: periods failed, were refused, or are held by another process",
      "2:bad usage, or no such batch",
      "3:after resume: outcomes must be approved or rejected"
    },
    footer = {"  palmares batches", "  palmares batches 7", "  palmares batches resume 7"})
final class BatchesCommand implements Callable<Integer> {
  private static final OutputTable<Batch> COLUMNS =
      new OutputTable<Batch>()
          .number("batch", Batch::id)
          .text("verb", batch -> batch.verb().word())
          .text("for", Batch::target)
          .text("made", Batch::madeAt)
          .wrapped("by", Batch::by)
          .wrapped("reason", Batch::reason)
          .number("periods", batch -> batch.counts().all())
          .text("states", batch -> batch.counts().toString())
          .text("ended", Batch::endedAt);

  private final Session session;

  @Parameters(index = "0", arity = "0..1", paramLabel = "BATCH", description = "Its periods.")
  private @Nullable Long id;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only periods in this state: pending, done, unchanged, held, refused or failed.")
  private @Nullable String state;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many batches to show (default: 20).")
  private int count;

  @Mixin private Output output = new Output();

  BatchesCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Arguments.atLeast(1, "--count", count);
    Batch.State only = state(state);
    try (RunningApplication app = session.startWithoutRedis("batches", session.boards())) {
      Batches batches = app.get(Batches.class);
      if (id == null) {
        List<Batch> found = batches.latest(count);
        output.write(
            session, writer -> COLUMNS.write(output, writer, "no batches", found::forEach));
      } else {
        List<Item> items = batches.items(id, only, 0, Batches.MAX_PERIODS);
        output.write(
            session, writer -> BatchWork.ITEMS.write(output, writer, "no periods", items::forEach));
      }
    }
    return 0;
  }

  private static Batch.@Nullable State state(@Nullable String word) {
    try {
      return word == null ? null : Batch.State.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw UserError.badUsage(
          "--state is pending, done, unchanged, held, refused or failed, not '%s'".formatted(word));
    }
  }

  @Command(name = "resume", description = "Tries again what failed or is left.")
  int resume(
      @Parameters(index = "0", paramLabel = "BATCH", description = "The batch's number.")
          long batch) {
    try (RunningApplication app =
        session.start(LaunchOptions.closing("batches"), session.boards())) {
      var work = new BatchWork(session, app);
      return work.run(work.batches().resume(batch));
    }
  }
}
