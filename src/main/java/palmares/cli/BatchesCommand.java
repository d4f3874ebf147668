package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.BatchResource;
import palmares.api.ops.Listing;
import palmares.api.ops.ReasonRequest;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows batches (one verb over many periods), and resumes them. */
@Command(
    name = "batches",
    description = {
      "Lists batches (one verb over many periods), or the periods of one.",
      "",
      "'resume' tries what failed again, and what is left after a crash. A scheduler resumes what a"
          + " killed process left, without a command."
    },
    customSynopsis = {
      "palmares batches [OPTIONS] [BATCH]",
      "   or: palmares batches resume [OPTIONS] BATCH",
      "   or: palmares batches cancel [OPTIONS] BATCH --reason TEXT"
    },
    exitCodeList = {
      "0:the list is complete, or nothing is left to do",
      "1:after resume: periods failed, were refused, or another process works on them",
      "2:bad usage, or no such batch",
      "3:after resume: outcomes must be approved or rejected"
    },
    footer = {"  palmares batches", "  palmares batches 7", "  palmares batches resume 7"})
final class BatchesCommand extends ReadCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "BATCH", description = "Its periods.")
  private @Nullable Long id;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only periods in this state: pending, done, unchanged, held, refused or failed.")
  private @Nullable String state;

  @Mixin private PageOptions pages = new PageOptions();

  BatchesCommand(Session session) {
    super(session);
  }

  @Override
  void check() {
    pages.check();
    if (state != null && id == null) {
      throw UserError.badUsage("--state takes a BATCH");
    }
  }

  @Override
  Listing read(Client client) {
    BatchResource batches = client.get(BatchResource.class);
    return pages.read(page -> id == null ? batches.batches(page) : batches.items(id, state, page));
  }

  @Command(
      name = "cancel",
      description = "Ends a batch before all of its periods were tried; what is done stays.")
  int cancel(
      @Parameters(index = "0", paramLabel = "BATCH", description = "The batch's number.")
          long batch,
      @Mixin ChangeOptions.WithReason acting) {
    var order = new ReasonRequest(acting.reason());
    return act(
        acting, BatchResource.class, (batches, call) -> batches.cancelBatch(batch, order, call));
  }

  @Command(name = "resume", description = "Tries again what failed or is left.")
  int resume(
      @Parameters(index = "0", paramLabel = "BATCH", description = "The batch's number.")
          long batch,
      @Mixin ChangeOptions.MaybeReason acting) {
    var order = new ReasonRequest(acting.reason("palmares batches resume"));
    return act(
        acting, BatchResource.class, (batches, call) -> batches.resumeBatch(batch, order, call));
  }
}
