package palmares.cli.bench;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Premises;
import palmares.catalogue.BoardFile;
import palmares.catalogue.BoardFiles;
import palmares.cli.launch.Launch;
import palmares.cli.launch.Running;
import palmares.cli.launch.Session;
import palmares.cli.terminal.Complaint;
import palmares.embedded.ScratchFolder;
import palmares.embedded.ServersUnavailable;
import palmares.time.SettableClock;

/** The application on servers that hold nothing but what is measured. */
final class BenchServers {
  private static final Path FOLDER = Path.of("data", "bench");

  private BenchServers() {}

  /**
   * Starts it with these boards, and with a clock that is moved.
   *
   * @throws Complaint if it does not start, or the servers are not empty
   */
  static Running start(
      Session session, Launch launch, SettableClock clock, List<BoardFile> boards) {
    Path folder = fresh(session);
    Running app =
        session.start(
            launch.with(Clock.class, clock).with("palmares.data", folder.toString()),
            BoardFiles.read(boards));
    if (new Premises(app.get(JdbcClient.class)).taken()) {
      app.close();
      throw Complaint.badInput(
          "the database holds periods: measure on servers that nobody else uses");
    }
    return app;
  }

  /**
   * The folder of the servers, made afresh.
   *
   * @throws Complaint if it holds what is no measurement's, or one still goes on there
   */
  static Path fresh(Session session) {
    Path folder = session.data().orElse(FOLDER);
    try {
      new ScratchFolder("bench").makeFresh(folder);
    } catch (IllegalArgumentException e) {
      throw Complaint.badInput(String.valueOf(e.getMessage()));
    } catch (ServersUnavailable e) {
      throw Complaint.failed(String.valueOf(e.getMessage()), e);
    }
    return folder;
  }
}
