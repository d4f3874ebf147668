package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.Listing;
import palmares.api.ops.ReasonRequest;
import palmares.cli.launch.Client;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.CommandSentences.TakesNo;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows tasks and their periods, and resumes and cancels batches. */
@Command(
    name = "tasks",
    description = {
      "Lists tasks (operations that somebody called), or the periods of a batch (one verb over many"
          + " periods).",
      "",
      "'resume' tries what failed again. A scheduler goes on with what a killed process left,"
          + " without a command."
    },
    customSynopsis = {
      "palmares tasks [OPTIONS] [TASK]",
      "   or: palmares tasks resume [OPTIONS] TASK",
      "   or: palmares tasks cancel [OPTIONS] TASK --reason TEXT"
    },
    exitCodeList = {
      "0:the list is complete, or nothing is left to do",
      "1:after resume: periods failed or were refused",
      "2:bad usage, or no such batch",
      "3:after resume: outcomes must be approved or rejected"
    },
    footer = {"  palmares tasks --batches", "  palmares tasks 7", "  palmares tasks resume 7"})
final class TasksCommand extends ReadCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TASK",
      description = "The periods of this batch.")
  private @Nullable Long id;

  @Option(names = "--batches", description = "Only batches.")
  private boolean onlyBatches;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only periods in this state: pending, done, unchanged, held, refused or failed.")
  private @Nullable String state;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  void check() {
    pages.check();
    if (state != null && id == null) {
      throw UserError.badUsage(Needs.of("--state", "TASK"));
    }
    if (onlyBatches && id != null) {
      throw UserError.badUsage(TakesNo.of("--batches", "TASK"));
    }
  }

  @Override
  Listing read(Client client) {
    BatchResource batches = client.get(BatchResource.class);
    return pages.read(
        page -> id == null ? batches.tasks(onlyBatches, page) : batches.items(id, state, page));
  }

  @Command(
      name = "cancel",
      description = "Ends a batch before all of its periods were tried; what is done stays.")
  int cancel(
      @Parameters(index = "0", paramLabel = "TASK", description = "The batch's number.") long batch,
      @Mixin ChangeOptions.WithReason acting) {
    var order = new ReasonRequest(acting.reason());
    return act(
        acting, BatchResource.class, (batches, call) -> batches.cancelBatch(batch, order, call));
  }

  @Command(name = "resume", description = "Tries again what failed or is left.")
  int resume(
      @Parameters(index = "0", paramLabel = "TASK", description = "The batch's number.") long batch,
      @Mixin ChangeOptions.MaybeReason acting) {
    var order = new ReasonRequest(acting.reason("palmares tasks resume"));
    return act(
        acting, BatchResource.class, (batches, call) -> batches.resumeBatch(batch, order, call));
  }
}
