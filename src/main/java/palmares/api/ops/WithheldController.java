package palmares.api.ops;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.operations.withheld.WithheldLines;
import palmares.operations.withheld.WithheldLines.Decision;
import palmares.operations.withheld.WithheldLines.Position;
import palmares.operations.withheld.WithheldLines.WithheldLine;
import palmares.operations.withheld.WithheldSentences;
import palmares.period.Period;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Next;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;

@RestController
class WithheldController implements WithheldResource {
  private static final int MAX_ROWS_IN_TABLE = 100;
  private static final int CURSOR_KEYS = 3;

  private static final OutputTable<WithheldLine> COLUMNS = OutputTable.of(WithheldLine.class);

  private final Tasks tasks;
  private final PeriodFinder finder;
  private final Lookup lookup;
  private final WithheldLines lines;

  WithheldController(Tasks tasks, PeriodFinder finder, Lookup lookup, WithheldLines lines) {
    this.tasks = tasks;
    this.finder = finder;
    this.lookup = lookup;
    this.lines = lines;
  }

  @Override
  public Rows<WithheldLine> list(
      @Nullable String board,
      @Nullable String period,
      @Nullable String member,
      boolean undecided,
      PageRequest page) {
    BoardId only = lookup.boardOrAll(board);
    PeriodName name =
        period == null ? null : lookup.period(Lookup.boardOf(only, period).value(), period).name();
    MemberId who = member == null ? null : Lookup.member(member);
    return Listing.page(
        COLUMNS,
        "withheld",
        page,
        MAX_ROWS_IN_TABLE,
        CURSOR_KEYS,
        (cursor, most) -> lines.list(only, name, who, undecided, position(cursor), most),
        last -> PageCursor.of(last.board(), last.period(), last.member()));
  }

  private static @Nullable Position position(@Nullable PageCursor cursor) {
    return cursor == null ? null : new Position(cursor.key(0), cursor.key(1), cursor.key(2));
  }

  @Override
  public Task release(String board, String period, LineDecision body, Call call) {
    return decide(Decision.RELEASE, board, period, body, call);
  }

  @Override
  public Task refuse(String board, String period, LineDecision body, Call call) {
    return decide(Decision.REFUSE, board, period, body, call);
  }

  private Task decide(
      Decision decision, String board, String periodWord, LineDecision body, Call call) {
    String reason = Lookup.reason(body.reason());
    List<String> members = body.members() == null ? List.of() : body.members();
    Lookup.requireNamedOrAll("members", members.isEmpty() ? null : members, body.all());
    Period period = finder.find(board, periodWord);
    return tasks.now(
        call.compared(),
        new VerbRequest(decision.verb(), board, periodWord, reason, body),
        by -> {
          finder.unchanged(period, call).run();
          int decided = lines.decide(period, members, decision, by, reason);
          Result result =
              Result.done(new WithheldSentences.Decided(period.label(), decided, decision.state()));
          return decision == Decision.REFUSE
              ? result
              : result
                  .and(List.of(new WithheldSentences.PaidOnceAmended(period.label())))
                  .then(Next.of("amend", period.board(), period.name()));
        });
  }
}
