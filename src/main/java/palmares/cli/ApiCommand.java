package palmares.cli;

import java.io.IOException;
import java.util.function.BiFunction;
import java.util.function.Function;
import palmares.api.ops.Call;
import palmares.api.ops.Listing;
import palmares.api.ops.Task;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.platform.output.OutputFormat;

/** A command that calls the operations API, in this process or on the server that is named. */
abstract class ApiCommand {
  final Session session;
  private final LaunchOptions launch;

  /**
   * @param launch how the application runs if no server is named
   */
  ApiCommand(Session session, LaunchOptions launch) {
    this.session = session;
    this.launch = launch;
  }

  /**
   * Calls a verb of a resource, and prints what became of it.
   *
   * @return the exit code
   */
  final <R> int act(ChangeOptions acting, Class<R> resource, BiFunction<R, Call, Task> verb) {
    return act(launch, acting, resource, verb);
  }

  /** As above, with an application that runs in another way. */
  final <R> int act(
      LaunchOptions how, ChangeOptions acting, Class<R> resource, BiFunction<R, Call, Task> verb) {
    try (RunningApplication app = session.connect(how, OutputFormat.JSON.mediaType())) {
      return new TaskOutput(session, app).print(verb.apply(app.get(resource), acting.call()));
    }
  }

  /**
   * Prints what a resource returns.
   *
   * @return the exit code
   */
  final <R> int print(Output output, Class<R> resource, Function<R, Listing> read)
      throws IOException {
    return print(output, app -> read.apply(app.get(resource)));
  }

  final int print(Output output, Function<RunningApplication, Listing> read) throws IOException {
    output.check(session);
    try (RunningApplication app = session.connect(launch, output.type())) {
      return output.print(session, read.apply(app));
    }
  }
}
