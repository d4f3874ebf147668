package palmares.bench.cli;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.WrongResult;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.time.SettableClock;
import palmares.rules.boardfiles.BoardFile;
import palmares.rules.boardfiles.BoardFiles;

/** Starts the application on servers that hold nothing but what is measured. */
final class BenchServers {
  private static final Path FOLDER = Path.of("data", "bench");

  private BenchServers() {}

  /** A measurement with a running application. */
  interface Measurement<T, E extends Exception> {
    T measure(RunningApplication app) throws E;
  }

  /**
   * Measures with an application that has these boards and a clock that is set by hand.
   *
   * @throws UserError if the application does not start, if the servers are not empty, or if a
   *     measured result is wrong
   */
  static <T, E extends Exception> T measure(
      Session session,
      LaunchOptions launch,
      SettableClock clock,
      List<BoardFile> boards,
      Measurement<T, E> measurement)
      throws E {
    Path folder = emptyFolder(session);
    try (RunningApplication app =
        session.start(
            launch.with(Clock.class, clock).with("palmares.data", folder.toString()),
            BoardFiles.read(boards))) {
      if (hasPeriods(app)) {
        throw UserError.badInput(
            Sentence.verbatim("the database holds periods; measure on empty servers"));
      }
      return measurement.measure(app);
    } catch (WrongResult e) {
      throw UserError.failed(Refusal.said(e), e);
    }
  }

  /**
   * Empties the folder of the embedded servers.
   *
   * @throws UserError if it holds other data, or if a benchmark still runs there
   */
  static Path emptyFolder(Session session) {
    return session.scratch("bench", FOLDER);
  }

  private static boolean hasPeriods(RunningApplication app) {
    return app.get(JdbcClient.class)
        .sql("select exists (select from period)")
        .query(Boolean.class)
        .single();
  }
}
