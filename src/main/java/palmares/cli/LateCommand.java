package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.LaunchOptions;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.DisplayFormat;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.operations.lateevents.EvaluatedLateEvent;
import palmares.operations.lateevents.LateEvent;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.operations.lateevents.LateEventRefused;
import palmares.operations.lateevents.LateEventReview;
import palmares.operations.report.PeriodHistory;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists events that came too late, and decides on them. */
@Command(
    name = "late",
    description = {
      "Lists the events that came after the seal or the grace, each with what it would have given"
          + " and the rank that its member would have with it, on top of what stands.",
      "",
      "'late accept' lets some count: from the period's next amendment on, and not before. 'late"
          + " dismiss' lets them count nowhere. Either changes all that it names, or nothing."
    },
    customSynopsis = {
      "palmares late [OPTIONS] [BOARD [PERIOD]]",
      "   or: palmares late accept [OPTIONS] BOARD PERIOD (ID... | --all)",
      "   or: palmares late dismiss [OPTIONS] BOARD PERIOD (ID... | --all)"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the list is complete, or all is decided",
      "2:bad usage, an unknown board, period or id, or one that cannot count: nothing was changed"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  palmares late invites 2026-W47",
      "  palmares late accept invites 2026-W47 --all --reason 'the gateway was down'",
      "  palmares amend invites 2026-W47 --reason 'the gateway was down'"
    })
final class LateCommand implements Callable<Integer> {
  private static final LaunchOptions LAUNCH = LaunchOptions.of("late");
  private static final int MOST_IN_TABLE = 100;

  private static final OutputTable<EvaluatedLateEvent> SHEET =
      new OutputTable<EvaluatedLateEvent>()
          .text("board", late -> late.event().board())
          .text("period", late -> late.event().period())
          .text("id", late -> late.event().id())
          .text("member", late -> late.event().member())
          .text("action", late -> late.event().actionText())
          .text("occurred_at", late -> late.event().occurredAt())
          .text("arrived_at", late -> late.event().arrivedAt())
          .number("change", late -> late.points() == null ? null : late.change())
          .number("points", EvaluatedLateEvent::points)
          .number("rank_now", EvaluatedLateEvent::currentRank)
          .number("rank_with_it", EvaluatedLateEvent::rank)
          .text("verdict", LateCommand::verdict)
          .text("why", LateCommand::why);

  private final Session session;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "BOARD",
      description = "Only this board's events.")
  private @Nullable String board;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PERIOD",
      description = "Only those of that period.")
  private @Nullable String period;

  @Option(names = "--undecided", description = "Only those that nobody has decided on.")
  private boolean undecided;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "How many to show (default: 100 in a table, else all of them).")
  private @Nullable Integer count;

  @Mixin private Output output = new Output();

  @Spec private CommandSpec spec = CommandSpec.create();

  LateCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (count != null && count < 1) {
      throw new ParameterException(spec.commandLine(), "--count is 1 or more, not " + count);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LAUNCH, boards)) {
      var names = new ArgumentLookup(boards, app.get(PeriodHistory.class));
      BoardId id = board == null ? null : names.board(board);
      PeriodName name = id == null || period == null ? null : named(names, id, period, app);
      LateEventReview cases = app.get(LateEventReview.class);
      List<EvaluatedLateEvent> late =
          cases.list(id, name, undecided, output.most(count, MOST_IN_TABLE));
      output.write(session, writer -> SHEET.write(output, writer, "no late events", late::forEach));
      long more = cases.count(id, name, undecided) - late.size();
      if (more > 0) {
        session
            .terminal()
            .note("and %s more: --count N shows them".formatted(DisplayFormat.number(more)));
      }
    }
    return 0;
  }

  /** A period that was opened, or that only late events know. */
  private static PeriodName named(
      ArgumentLookup names, BoardId board, String word, RunningApplication app) {
    return ArgumentLookup.name(word)
        .filter(
            name ->
                app.get(Periods.class).find(board, name).isPresent()
                    || app.get(LateEventReview.class).count(board, name, false) > 0)
        .orElseThrow(() -> names.unknownPeriod(board, word));
  }

  private static String verdict(EvaluatedLateEvent late) {
    if (late.included() != null) {
      return "in revision " + late.included();
    }
    return late.event().decision() == null ? "" : late.event().decision().verdict().word();
  }

  private static @Nullable String why(EvaluatedLateEvent late) {
    LateEvent.Decision decision = late.event().decision();
    return decision == null ? late.rejection() : decision.reason() + " (" + decision.by() + ")";
  }

  @Command(
      name = "accept",
      description = "Lets late events count, from the period's next amendment on.",
      sortOptions = false)
  int accept(@Mixin Named named, @Mixin Actor actor) {
    return decide(Verdict.ACCEPTED, named, actor);
  }

  @Command(name = "dismiss", description = "Lets late events count nowhere.", sortOptions = false)
  int dismiss(@Mixin Named named, @Mixin Actor actor) {
    return decide(Verdict.DISMISSED, named, actor);
  }

  /** Which events are decided on. */
  static final class Named {
    @Parameters(index = "0", paramLabel = "BOARD", description = "The board's id.")
    private String board = "";

    @Parameters(index = "1", paramLabel = "PERIOD", description = "The period's name.")
    private String period = "";

    @Parameters(
        index = "2..*",
        arity = "0..*",
        paramLabel = "ID",
        description = "The events' ids, as 'palmares late' lists them.")
    private List<String> ids = List.of();

    @Option(names = "--all", description = "All that nobody has decided on.")
    private boolean all;

    @Option(
        names = "--change",
        description = "Also replaces an earlier decision, as long as no revision rests on it.")
    private boolean change;
  }

  private int decide(Verdict verdict, Named named, Actor actor) {
    if (named.all != named.ids.isEmpty() || (named.all && named.change)) {
      throw new ParameterException(
          spec.commandLine(), "name the events' IDs, or --all for those that nobody decided on");
    }
    var choice = new Choice(verdict, actor.by(), actor.reason(), named.change);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(LAUNCH, boards)) {
      var names = new ArgumentLookup(boards, app.get(PeriodHistory.class));
      BoardId id = names.board(named.board);
      Period period =
          ArgumentLookup.name(named.period)
              .flatMap(name -> app.get(Periods.class).find(id, name))
              .orElseThrow(() -> names.unknownPeriod(id, named.period));
      List<LateEvent> decided = app.get(LateEventDecisions.class).decide(period, named.ids, choice);
      session
          .terminal()
          .print(
              "%s: %s %s %s"
                  .formatted(
                      period.label(),
                      DisplayFormat.number(decided.size()),
                      decided.size() == 1 ? "late event" : "late events",
                      verdict.word()));
      if (verdict == Verdict.ACCEPTED) {
        session
            .terminal()
            .note("they count once 'palmares amend %s' is approved".formatted(period.label()));
      }
    } catch (LateEventRefused e) {
      throw UserError.badInput(String.valueOf(e.getMessage()));
    }
    return 0;
  }
}
