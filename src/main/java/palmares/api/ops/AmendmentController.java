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
import palmares.operations.amendment.Amendments;
import palmares.operations.amendment.Comparison;
import palmares.operations.amendment.DryRun;
import palmares.operations.amendment.RevisionDifferences;
import palmares.period.Period;
import palmares.platform.output.OutputFormat;
import palmares.platform.output.TerminalText;
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
    Board rules = rules(found.board(), body.rules());
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
    return Result.done(
        "nothing would change: revision %d of %s stays in force"
            .formatted(period.revision(), period.label()));
  }

  private static Result prepared(Amendment amendment, int top, boolean dryRun) {
    Revision revision = amendment.revision();
    String label = amendment.period().label();
    var lines = new ArrayList<>(AmendmentReport.of(amendment, top));
    revision.heldFor().stream().map(Texts::english).forEach(lines::add);
    if (!dryRun) {
      lines.add(
          ("not posted yet: 'palmares approve %1$s --revision %2$d --expect %3$s --reason ...'"
                  + " posts it, 'palmares reject %1$s --revision %2$d --expect %3$s --reason ...'"
                  + " drops it")
              .formatted(label, revision.number(), revision.digest()));
    }
    return new Result(Task.State.HELD, Result.verbatim(lines));
  }

  @Override
  public Listing whatIf(String board, String period, Assumptions body) {
    Period found = lookup.period(board, period);
    List<MemberId> hidden =
        body.without() == null ? List.of() : body.without().stream().map(Lookup::member).toList();
    var request =
        new AmendmentRequest(
            Caller.get().name(),
            "what if",
            rules(found.board(), body.rules()),
            points(body.points()),
            ties(body.ties()));
    int top = top(body.top());
    Amendment amendment = dryRun.run(found.id(), request, hidden, top + 1);
    var lines = new ArrayList<String>();
    if (amendment.differences().none()) {
      lines.add("nothing would change in " + found.label());
    } else {
      lines.addAll(AmendmentReport.of(amendment, top));
      lines.add("nothing was written");
    }
    return format ->
        format == OutputFormat.TABLE
            ? Body.text(out -> out.write(TerminalText.lines(String.join("\n", lines) + "\n")))
            : AmendmentReport.listing(amendment.differences()).in(format);
  }

  @Override
  public Listing differences(String board, String period, int revision) {
    Period found = lookup.period(board, period);
    Revision shown =
        revisions
            .find(found.id(), revision)
            .orElseThrow(
                () -> Lookup.unknown("%s has no revision %d".formatted(found.label(), revision)));
    Integer base = shown.base();
    if (base == null) {
      throw Lookup.unknown("revision 1 of %s amends no other".formatted(found.label()));
    }
    RevisionDifferences differences = comparison.of(found.id(), base, revision, MAX_TOP);
    var notes = new ArrayList<>(AmendmentReport.sums(differences, shown.owed()));
    if (differences.first().size() == MAX_TOP) {
      notes.add(
          "the %,d largest differences are listed; %,d members differ"
              .formatted(MAX_TOP, differences.changed()));
    }
    return AmendmentReport.listing(differences).with(notes);
  }

  private static int top(@Nullable Integer top) {
    return top == null ? DEFAULT_TOP : Lookup.within(1, MAX_TOP, "top", top);
  }

  private static @Nullable Board rules(BoardId board, @Nullable String text) {
    try {
      return text == null ? null : BoardFiles.parse(board, text);
    } catch (BoardFilesException e) {
      throw Lookup.invalid("'rules': " + e.getMessage());
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
    if (text == null) {
      return null;
    }
    return switch (text) {
      case "each" -> Ties.EACH;
      case "share" -> Ties.SHARE;
      case "order" -> Ties.ORDER;
      default -> throw Lookup.invalid("'ties' is each, share or order, not '%s'".formatted(text));
    };
  }
}
