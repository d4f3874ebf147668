package palmares.cli.bench;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Premises;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.embedded.ScratchFolder;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.time.SettableClock;
import palmares.rules.catalogue.BoardFile;
import palmares.rules.catalogue.BoardFiles;

/** The application on servers that hold nothing but what is measured. */
final class BenchServers {
  private static final Path FOLDER = Path.of("data", "bench");

  private BenchServers() {}

  /**
   * Starts it with these boards, and with a clock that is moved.
   *
   * @throws UserError if it does not start, or the servers are not empty
   */
  static RunningApplication start(
      Session session, LaunchOptions launch, SettableClock clock, List<BoardFile> boards) {
    Path folder = fresh(session);
    RunningApplication app =
        session.start(
            launch.with(Clock.class, clock).with("palmares.data", folder.toString()),
            BoardFiles.read(boards));
    if (new Premises(app.get(JdbcClient.class)).taken()) {
      app.close();
      throw UserError.badInput(
          "the database holds periods: measure on servers that nobody else uses");
    }
    return app;
  }

  /**
   * The folder of the servers, made afresh.
   *
   * @throws UserError if it holds what is no measurement's, or one still goes on there
   */
  static Path fresh(Session session) {
    Path folder = session.data().orElse(FOLDER);
    try {
      new ScratchFolder("bench").recreate(folder);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    } catch (ServersUnavailable e) {
      throw UserError.failed(String.valueOf(e.getMessage()), e);
    }
    return folder;
  }
}
