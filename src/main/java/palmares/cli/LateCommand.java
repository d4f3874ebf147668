package palmares.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import palmares.cli.launch.RunningApplication;
import palmares.cli.launch.Session;
import palmares.cli.output.Output;
import palmares.cli.output.OutputTable;
import palmares.cli.terminal.UserError;
import palmares.operations.lateevents.EvaluatedLateEvent;
import palmares.operations.lateevents.LateEvent;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.operations.lateevents.LateEventReview;
import palmares.period.Period;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.catalogue.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists late events and decides on them. */
@Command(
    name = "late",
    description = {
      "Lists the events that arrived after the seal or the grace. Each is evaluated: what it would"
          + " have given, and the rank that its member would have with it.",
      "",
      "'late accept' lets events count from the period's next amendment on. 'late dismiss' lets"
          + " them count nowhere. Both decide on all events that they name, or on none."
    },
    customSynopsis = {
      "palmares late [OPTIONS] [BOARD [PERIOD]]",
      "   or: palmares late accept [OPTIONS] BOARD PERIOD (ID... | --all)",
      "   or: palmares late dismiss [OPTIONS] BOARD PERIOD (ID... | --all)"
    },
    exitCodeList = {
      "0:the list is complete, or all is decided",
      "2:bad usage, an unknown board, period or id, or one that cannot count: nothing was changed"
    },
    footer = {
      "  palmares late invites 2026-W47",
      "  palmares late accept invites 2026-W47 --all --reason 'the gateway was down'",
      "  palmares amend invites 2026-W47 --reason 'the gateway was down'"
    })
final class LateCommand implements Callable<Integer> {
  private static final String PURPOSE = "late";
  private static final int MAX_ROWS_IN_TABLE = 100;

  private static final OutputTable<EvaluatedLateEvent> COLUMNS =
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
          .text("why", LateCommand::reason);

  private final Session session;

  @Mixin private BoardFilter.WithPeriod filter = new BoardFilter.WithPeriod();

  @Option(names = "--undecided", description = "Only events without a decision.")
  private boolean undecided;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "How many to show (default: 100 in a table, else all).")
  private @Nullable Integer count;

  @Mixin private Output output = new Output();

  LateCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (count != null) {
      Arguments.atLeast(1, "--count", count);
    }
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(PURPOSE, boards)) {
      var arguments = new Arguments(boards, app);
      BoardId board = filter.board(arguments);
      LateEventReview review = app.get(LateEventReview.class);
      PeriodName period =
          board == null || filter.period() == null
              ? null
              : period(arguments, review, board, filter.period());
      List<EvaluatedLateEvent> late =
          review.list(board, period, undecided, output.limit(count, MAX_ROWS_IN_TABLE));
      output.write(
          session, writer -> COLUMNS.write(output, writer, "no late events", late::forEach));
      long more = review.count(board, period, undecided) - late.size();
      if (more > 0) {
        session.note("and %,d more: --count N shows them", more);
      }
    }
    return 0;
  }

  /** The name of a period that was opened, or that has late events only. */
  private static PeriodName period(
      Arguments arguments, LateEventReview review, BoardId board, String word) {
    return Arguments.name(word)
        .filter(name -> review.count(board, name, false) > 0)
        .orElseGet(() -> arguments.period(board, word).name());
  }

  private static String verdict(EvaluatedLateEvent late) {
    if (late.included() != null) {
      return "in revision " + late.included();
    }
    return late.event().decision() == null ? "" : late.event().decision().verdict().word();
  }

  private static @Nullable String reason(EvaluatedLateEvent late) {
    LateEvent.Decision decision = late.event().decision();
    return decision == null ? late.rejection() : decision.reason() + " (" + decision.by() + ")";
  }

  @Command(
      name = "accept",
      description = "Lets late events count, from the period's next amendment on.")
  int accept(@Mixin Events events, @Mixin Actor actor) {
    return decide(Verdict.ACCEPTED, events, actor);
  }

  @Command(name = "dismiss", description = "Lets late events count nowhere.")
  int dismiss(@Mixin Events events, @Mixin Actor actor) {
    return decide(Verdict.DISMISSED, events, actor);
  }

  /** The events to decide on. */
  static final class Events {
    @Mixin private PeriodArgument target = new PeriodArgument();

    @Parameters(
        index = "2..*",
        arity = "0..*",
        paramLabel = "ID",
        description = "The events' ids, as 'palmares late' lists them.")
    private List<String> ids = List.of();

    @Option(names = "--all", description = "All events without a decision.")
    private boolean all;

    @Option(
        names = "--change",
        description = "Also changes an earlier decision that no revision rests on.")
    private boolean change;
  }

  private int decide(Verdict verdict, Events events, Actor actor) {
    if (events.all != events.ids.isEmpty() || (events.all && events.change)) {
      throw UserError.badUsage("name the events' IDs, or --all for those without a decision");
    }
    var choice = new Choice(verdict, Actor.by(), actor.reason(), events.change);
    Catalogue boards = session.boards();
    try (RunningApplication app = session.start(PURPOSE, boards)) {
      Period period = events.target.find(app, boards);
      List<LateEvent> decided =
          app.get(LateEventDecisions.class).decide(period, events.ids, choice);
      session.print(
          "%s: %,d %s %s",
          period.label(),
          decided.size(),
          decided.size() == 1 ? "late event" : "late events",
          verdict.word());
      if (verdict == Verdict.ACCEPTED) {
        session.note("they count once 'palmares amend %s' is approved", period.label());
      }
    }
    return 0;
  }
}
