package palmares.cli;

import com.github.freva.asciitable.AsciiTable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Columns;
import palmares.cli.terminal.TerminalText;
import palmares.cli.terminal.UserError;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists exclusions. */
@Command(
    name = "exclusions",
    description = "Lists who is excluded, how far, where and why; times are in UTC.",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the list is complete", "2:bad usage"},
    footerHeading = "%nExample:%n",
    footer = {"  palmares exclusions", "  palmares exclusions mallory --all"})
final class ExclusionsCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MEMBER",
      description = "Only this member's.")
  private @Nullable String member;

  @Option(names = "--all", description = "Those that were lifted too.")
  private boolean all;

  ExclusionsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    MemberId only = member == null ? null : id(member);
    try (RunningApplication app = session.start(LaunchOptions.of("exclusions"), session.boards())) {
      List<Exclusion> found =
          app.get(Exclusions.class).list(only).stream()
              .filter(exclusion -> all || exclusion.lift() == null)
              .toList();
      session.terminal().print(found.isEmpty() ? "no exclusions" : table(found));
    }
    return 0;
  }

  private static MemberId id(String member) {
    try {
      return new MemberId(member);
    } catch (IllegalArgumentException e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
  }

  private static String table(List<Exclusion> found) {
    return AsciiTable.builder()
        .border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER)
        .data(
            found,
            List.of(
                Columns.text("id").<Exclusion>with(exclusion -> exclusion.id() + ""),
                Columns.text("member").with(ExclusionsCommand::member),
                Columns.text("level").with(exclusion -> exclusion.terms().level().word()),
                Columns.text("board")
                    .with(
                        exclusion ->
                            exclusion.terms().board() == null
                                ? "all"
                                : exclusion.terms().board().value()),
                Columns.text("from").with(exclusion -> time(exclusion.terms().startsAt())),
                Columns.text("until").with(exclusion -> time(exclusion.terms().endsAt())),
                Columns.text("made").with(exclusion -> time(exclusion.at())),
                Columns.text("by").with(exclusion -> TerminalText.of(exclusion.by())),
                Columns.text("why").with(exclusion -> TerminalText.of(exclusion.reason())),
                Columns.text("lifted").with(ExclusionsCommand::lifted)))
        .asString();
  }

  private static String member(Exclusion exclusion) {
    return TerminalText.of(exclusion.terms().member().value());
  }

  private static String lifted(Exclusion exclusion) {
    Exclusion.Lift lift = exclusion.lift();
    return lift == null
        ? ""
        : "%s by %s: %s"
            .formatted(time(lift.at()), TerminalText.of(lift.by()), TerminalText.of(lift.reason()));
  }

  private static String time(@Nullable Instant time) {
    return time == null ? "" : time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
