package palmares.cli;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.OutputTable;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists exclusions. */
@Command(
    name = "exclusions",
    description = "Lists exclusions: who, which level, where, when and why. Times are in UTC.",
    exitCodeList = {"0:the list is complete", "2:bad usage"},
    footer = {"  palmares exclusions", "  palmares exclusions mallory --all"})
final class ExclusionsCommand implements Callable<Integer> {
  static final OutputTable<Exclusion> COLUMNS =
      new OutputTable<Exclusion>()
          .text("id", exclusion -> exclusion.id() + "")
          .wrapped("member", exclusion -> exclusion.terms().member().value())
          .text("level", exclusion -> exclusion.terms().level().word())
          .text(
              "board",
              exclusion -> exclusion.terms().scope() == null ? "all" : exclusion.terms().scope())
          .text("from", exclusion -> exclusion.terms().startsAt())
          .text("until", exclusion -> exclusion.terms().endsAt())
          .text("made", Exclusion::at)
          .wrapped("by", Exclusion::by)
          .wrapped("reason", Exclusion::reason)
          .wrapped("lifted", ExclusionsCommand::lifted);

  private final Session session;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MEMBER",
      description = "Only this member's.")
  private @Nullable String member;

  @Option(names = "--all", description = "Lifted exclusions, too.")
  private boolean all;

  ExclusionsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    MemberId only = member == null ? null : Arguments.member(member);
    try (RunningApplication app = session.start("exclusions")) {
      List<Exclusion> found =
          app.get(Exclusions.class).list(only).stream()
              .filter(exclusion -> all || exclusion.lift() == null)
              .toList();
      session.print(found.isEmpty() ? "no exclusions" : COLUMNS.table(found));
    }
    return 0;
  }

  private static @Nullable String lifted(Exclusion exclusion) {
    Exclusion.Lift lift = exclusion.lift();
    return lift == null
        ? null
        : "%s by %s: %s"
            .formatted(lift.at().truncatedTo(ChronoUnit.SECONDS), lift.by(), lift.reason());
  }
}
