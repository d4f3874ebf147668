package palmares.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import palmares.cli.terminal.UserError;
import picocli.CommandLine.Mixin;

/** A command that prints what one read of the operations API returns. */
abstract class ReadCommand extends ApiCommand implements Callable<Integer> {
  @Mixin private Output output = new Output();

  /**
   * Checks the options before anything starts.
   *
   * @throws UserError if they are wrong
   */
  void check() {}

  /** Reads from the resources of the operations API. */
  abstract Listing read(Client client);

  @Override
  public Integer call() throws IOException {
    check();
    return print(output, this::read);
  }
}
