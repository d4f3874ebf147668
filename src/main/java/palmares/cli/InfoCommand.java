package palmares.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import palmares.cli.launch.Session;
import palmares.cli.terminal.UserError;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.embedded.EmbeddedServers.Access;
import picocli.CommandLine.Command;

/** Prints how psql and redis-cli connect to the embedded servers; starts nothing. */
@Command(
    name = "info",
    description = {
      "Prints where the embedded servers of a data folder run, and their password, as commands that"
          + " start psql and redis-cli."
    },
    exitCodeList = {
      "0:the servers run",
      "1:none run in the data folder, or only its owner may read the password",
      "2:bad usage"
    },
    footer = "  palmares info --data /var/lib/palmares")
final class InfoCommand implements Callable<Integer> {
  private static final String DEFAULT_FOLDER = "./data";

  private final Session session;

  InfoCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Path data =
        session
            .data()
            .or(() -> Optional.ofNullable(System.getenv("PALMARES_DATA")).map(Path::of))
            .orElse(Path.of(DEFAULT_FOLDER));
    Access access =
        EmbeddedServers.find(data)
            .orElseThrow(
                () ->
                    UserError.failed(
                        "no embedded servers run in %s: start 'palmares server --data %s' first",
                        data.toAbsolutePath().normalize(), data));
    session.print(access.description());
    session.print("logs in " + access.logs());
    session.print("");
    session.print(
        "PGPASSWORD=%s psql -h %s -p %d -U %s %s",
        access.password(), access.host(), access.postgresPort(), access.user(), access.database());
    session.print(
        "REDISCLI_AUTH=%s redis-cli -h %s -p %d",
        access.password(), access.host(), access.redisPort());
    return 0;
  }
}
