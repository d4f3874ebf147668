package palmares.cli;

import org.jspecify.annotations.Nullable;
import palmares.api.ops.ExclusionResource;
import palmares.api.ops.Listing;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists exclusions. */
@Command(
    name = "exclusions",
    description = "Lists exclusions: who, which level, where, when and why. Times are in UTC.",
    exitCodeList = {"0:the list is complete", "2:bad usage"},
    footer = {"  palmares exclusions", "  palmares exclusions mallory --all"})
final class ExclusionsCommand extends Reading {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MEMBER",
      description = "Only this member's.")
  private @Nullable String member;

  @Option(names = "--all", description = "Lifted exclusions, too.")
  private boolean all;

  @Mixin private PageOptions pages = new PageOptions();

  ExclusionsCommand(Session session) {
    super(session, LaunchOptions.of("exclusions"));
  }

  @Override
  void check() {
    pages.check();
  }

  @Override
  Listing read(RunningApplication app) {
    ExclusionResource exclusions = app.get(ExclusionResource.class);
    return pages.read((count, after) -> exclusions.list(member, all, count, after));
  }
}
