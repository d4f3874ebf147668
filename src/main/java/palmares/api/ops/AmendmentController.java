package palmares.api.ops;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.ops.Listing.Body;
import palmares.api.roles.Caller;
import palmares.operations.amendment.Amendment;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.AmendmentSentences;
import palmares.operations.amendment.Amendments;
import palmares.operations.amendment.Comparison;
import palmares.operations.amendment.DryRun;
import palmares.operations.amendment.RevisionDifferences;
import palmares.operations.amendment.RevisionDifferences.MemberDifference;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.period.Period;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Next;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

@RestController
class AmendmentController implements AmendmentResource {
  private static final int DEFAULT_TOP = 20;
  private static final int MAX_TOP = 1_000;

  private final Tasks tasks;
  private final PeriodFinder finder;
  private final Lookup lookup;
  private final Amendments amendments;
  private final DryRun dryRun;
  private final Revisions revisions;
  private final Comparison comparison;

  AmendmentController(
      Tasks tasks,
      PeriodFinder finder,
      Lookup lookup,
      Amendments amendments,
      DryRun dryRun,
      Revisions revisions,
      Comparison comparison) {
    this.tasks = tasks;
    this.finder = finder;
    this.lookup = lookup;
    this.amendments = amendments;
    this.dryRun = dryRun;
    this.revisions = revisions;
    this.comparison = comparison;
  }

  @Override
  public Task amend(String board, String period, AmendRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    int top = top(body.top());
    Period found = finder.find(board, period);
    Board rules = rulesOrNull(found.board(), body.rules());
    Map<MemberId, Long> points = points(body.points());
    Ties ties = ties(body.ties());
    return tasks.now(
        call.compared(),
        new VerbRequest("amend", board, period, reason, body),
        by -> {
          finder.unchanged(found, call).run();
          var request = new AmendmentRequest(by, reason, rules, points, ties);
          Optional<Amendment> prepared = amendments.prepare(found.id(), request);
          return prepared
              .map(amendment -> prepared(amendment, top, call.dryRun()))
              .orElseGet(() -> same(found));
        });
  }

  private static Result same(Period period) {
    return Result.done(new AmendmentSentences.Unchanged(period.revision(), period.label()));
  }

  private static Result prepared(Amendment amendment, int top, boolean dryRun) {
    Revision revision = amendment.revision();
    var said = new ArrayList<>(AmendmentReport.of(amendment, top));
    said.addAll(revision.heldFor());
    if (dryRun) {
      return new Result(Task.State.HELD, said);
    }
    said.add(new AmendmentSentences.NotPosted());
    return new Result(Task.State.HELD, said)
        .then(decide("approve", amendment), decide("reject", amendment));
  }

  private static Next decide(String verb, Amendment amendment) {
    Period period = amendment.period();
    return Next.of(verb, period.board(), period.name())
        .with("revision", amendment.revision().number())
        .with("expect", amendment.revision().digest());
  }

  @Override
  public Rows<MemberDifference> whatIf(String board, String period, Assumptions body) {
    Period found = lookup.period(board, period);
    List<MemberId> hidden =
        body.without() == null ? List.of() : body.without().stream().map(Lookup::member).toList();
    var request =
        new AmendmentRequest(
            Caller.get().name(),
            "what if",
            rulesOrNull(found.board(), body.rules()),
            points(body.points()),
            ties(body.ties()));
    int top = top(body.top());
    Amendment amendment = dryRun.run(found.id(), request, hidden, top + 1);
    return format ->
        format == OutputFormat.TABLE
            ? Body.text(out -> out.write(TerminalText.lines(text(found, amendment, top)) + "\n"))
            : AmendmentReport.listing(amendment.differences()).in(format);
  }

  private static String text(Period period, Amendment amendment, int top) {
    Texts texts = Texts.here();
    return amendment.differences().none()
        ? texts.of(new AmendmentSentences.WouldNotChange(period.label()))
        : AmendmentReport.text(amendment, top)
            + "\n"
            + texts.of(new AmendmentSentences.NothingWritten());
  }

  @Override
  public Rows<MemberDifference> differences(String board, String period, int revision) {
    Period found = lookup.period(board, period);
    Revision shown =
        revisions
            .find(found.id(), revision)
            .orElseThrow(
                () -> Lookup.unknown(new AmendmentSentences.NoRevision(found.label(), revision)));
    Integer base = shown.base();
    if (base == null) {
      throw Lookup.unknown(new AmendmentSentences.AmendsNone(found.label()));
    }
    RevisionDifferences differences = comparison.of(found.id(), base, revision, MAX_TOP);
    var notes = new ArrayList<>(AmendmentReport.sums(differences, shown.owed()));
    if (differences.first().size() == MAX_TOP) {
      notes.add(new AmendmentSentences.LargestListed(MAX_TOP, differences.changed()));
    }
    return AmendmentReport.listing(differences).noted(notes);
  }

  private static int top(@Nullable Integer top) {
    return top == null ? DEFAULT_TOP : Lookup.within(1, MAX_TOP, "top", top);
  }

  private static @Nullable Board rulesOrNull(BoardId board, @Nullable String text) {
    return text == null ? null : rules(board, text);
  }

  /** Reads a board file that a caller has sent. */
  static Board rules(BoardId board, String text) {
    try {
      return BoardFiles.parse(board, text);
    } catch (BoardFilesException e) {
      throw Lookup.invalid("rules", e.said());
    }
  }

  private static Map<MemberId, Long> points(@Nullable Map<String, Long> points) {
    var corrected = new LinkedHashMap<MemberId, Long>();
    if (points != null) {
      points.forEach(
          (member, number) ->
              corrected.put(Lookup.member(member), Lookup.required("points." + member, number)));
    }
    return corrected;
  }

  /** How a person decides ties; null if the text is null. */
  static @Nullable Ties ties(@Nullable String text) {
    return text == null
        ? null
        : Lookup.choice("ties", new Ties[] {Ties.EACH, Ties.SHARE, Ties.ORDER}, text);
  }
}
