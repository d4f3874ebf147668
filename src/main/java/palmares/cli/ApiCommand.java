package palmares.cli;

import java.io.IOException;
import java.util.function.BiFunction;
import java.util.function.Function;
import palmares.api.ops.Listing;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.output.OutputFormat;

/** A command that calls the operations API. */
abstract class ApiCommand {
  /** Set by {@link Cli}, which makes all commands. */
  @SuppressWarnings("NullAway.Init")
  Session session;

  /**
   * Calls a verb of a resource, and prints what became of it.
   *
   * @return the exit code
   */
  final <R> int act(ChangeOptions acting, Class<R> resource, BiFunction<R, Call, Task> verb) {
    try (Client client = session.connect(OutputFormat.JSON.mediaType())) {
      return new TaskOutput(session, client).print(verb.apply(client.get(resource), acting.call()));
    }
  }

  /**
   * Prints what a resource returns.
   *
   * @return the exit code
   */
  final <R> int print(Output output, Class<R> resource, Function<R, Listing> read)
      throws IOException {
    return print(output, client -> read.apply(client.get(resource)));
  }

  final int print(Output output, Function<Client, Listing> read) throws IOException {
    output.check(session);
    try (Client client = session.connect(output.type())) {
      return output.print(session, read.apply(client));
    }
  }
}
