package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import palmares.api.ops.MemoryResource;
import palmares.api.ops.MemoryResource.OrphanRequest;
import palmares.cli.terminal.CommandSentences.Needs;
import palmares.cli.terminal.CommandSentences.OnlyWith;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      "2:bad usage, or an unknown board: nothing was changed"
    },
    footer = {
      "  palmares memory invites",
      "  palmares memory --all --drop-orphans --reason 'Redis was restored from an old file'"
    })
final class MemoryCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private BoardFilter filter = new BoardFilter();

  @Mixin private Output output = new Output();

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
      names = "--all",
      description = "With --drop-orphans: of all boards, instead of one BOARD.")
  private boolean all;

  @Option(
      names = "--force-unknown",
      description =
          "With --drop-orphans: also removes keys of periods that this database does not know."
              + " Another installation on the same Redis may own them.")
  private boolean forceUnknown;

  @Mixin private ChangeOptions.MaybeReason acting = new ChangeOptions.MaybeReason();

  @Override
  public Integer call() throws IOException {
    Arguments.atLeast(0, "--samples", samples);
    if (dropOrphans && !acting.hasReason()) {
      throw UserError.badUsage(Needs.of("--drop-orphans", "--reason"));
    }
    if ((forceUnknown || all) && !dropOrphans) {
      throw UserError.badUsage(new OnlyWith(List.of("--force-unknown", "--all"), "--drop-orphans"));
    }
    if (dropOrphans) {
      var order = new OrphanRequest(acting.reason(""), filter.board(), all, forceUnknown);
      return act(acting, MemoryResource.class, (memory, call) -> memory.dropOrphans(order, call));
    }
    return print(output, MemoryResource.class, memory -> memory.memory(filter.board(), samples));
  }
}
