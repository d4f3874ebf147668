package palmares.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import palmares.cli.launch.CommonOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The program without a command: lists the commands. */
@Command(
    name = "palmares",
    description = "Settles leaderboards: live boards in Redis, exact closings in PostgreSQL.",
    synopsisSubcommandLabel = "COMMAND",
    sortOptions = false,
    versionProvider = MainCommand.Version.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:failure: the same command may succeed later",
      "2:bad usage or bad input: nothing was changed",
      "3:a person must approve or reject it: nothing was paid",
      "4:" + Cli.UNREACHABLE
    },
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nServers:%n",
    footer = {
      "  A command calls the server of --url, or the one that runs on --data DIR, or starts one"
          + " for",
      "  as long as it lasts. A server starts PostgreSQL and Redis in --data DIR. To use your own,",
      "  set these as environment variables, or as properties (-D spring.datasource.url=...):",
      "    SPRING_DATASOURCE_URL           jdbc:postgresql://HOST:PORT/DATABASE",
      "    SPRING_DATASOURCE_USERNAME, SPRING_DATASOURCE_PASSWORD",
      "    SPRING_DATA_REDIS_HOST, SPRING_DATA_REDIS_PORT, SPRING_DATA_REDIS_PASSWORD",
      "    PALMARES_DATA, PALMARES_JOBS    as --data and --jobs",
      "",
      "'palmares COMMAND --help' shows a command's options, exit codes and examples."
    })
final class MainCommand implements Callable<Integer> {
  @Mixin private final CommonOptions options;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Shows the version.")
  private boolean version;

  @Spec private CommandSpec spec = CommandSpec.create();

  MainCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    line.usage(line.getOut());
    return version || options.help() ? 0 : line.getCommandSpec().exitCodeOnSuccess();
  }

  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "palmares "
            + Optional.ofNullable(MainCommand.class.getPackage().getImplementationVersion())
                .orElse("of the development")
      };
    }
  }
}
