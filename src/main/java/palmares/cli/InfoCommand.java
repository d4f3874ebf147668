package palmares.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import palmares.api.ops.InstallationResource;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.CommandSentences.OnlyWith;
import palmares.cli.terminal.UserError;
import palmares.platform.embedded.EmbeddedServers;
import palmares.platform.embedded.EmbeddedServers.Access;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints how psql and redis-cli connect to the embedded servers, or which servers run. */
@Command(
    name = "info",
    description = {
      "Prints where the embedded servers of a data folder run, and their password, as commands that"
          + " start psql and redis-cli.",
      "",
      "With --url: the servers of the installation, since when each runs, and when it last swept."
          + " No server gives away a password."
    },
    exitCodeList = {
      "0:the servers run, or with --url: the list is complete",
      "1:none run in the data folder, or only its owner may read the password",
      "2:bad usage"
    },
    footer = {
      "  palmares info --data /var/lib/palmares",
      "  palmares info --url https://palmares.example.org"
    })
final class InfoCommand extends ApiCommand implements Callable<Integer> {
  private static final String DEFAULT_FOLDER = "./data";

  @Mixin private Output output = new Output();

  @Override
  public Integer call() throws IOException {
    if (session.isRemote()) {
      return print(output, InstallationResource.class, installation -> installation.nodes());
    }
    if (!output.isDefault()) {
      throw UserError.badUsage(new OnlyWith(List.of("--format", "--raw", "--out"), "--url"));
    }
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
                        new CommandSentences.NoEmbeddedServers(
                            data.toAbsolutePath().normalize().toString())));
    session.print(access.description());
    session.print(new CommandSentences.Logs(access.logs().toString()));
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
