package palmares.console;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.report.PeriodExclusions;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Shows what lies behind the standings of a period: steps, transfers, revisions, late events. */
@Console
class PeriodTabs {
  private static final int ROWS = 200;

  /** Each is evaluated. */
  private static final int LATE_EVENTS = 100;

  private static final int RUNS = 20;
  private static final int MAX_RUNS = 10_000;

  static final String WITHHELD = "withheld";

  static final List<String> TABS =
      List.of(
          "steps",
          "transfers",
          "revisions",
          "manifest",
          "exclusions",
          "late-events",
          WITHHELD,
          "audit");

  private final Api api;
  private final PeriodHeading heading;
  private final PeriodExclusions exclusions;

  PeriodTabs(Api api, PeriodHeading heading, PeriodExclusions exclusions) {
    this.api = api;
    this.heading = heading;
    this.exclusions = exclusions;
  }

  @Requires(Role.VIEWER)
  @GetMapping(PeriodPages.PATH + "/{tab}")
  String tab(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String tab,
      @RequestParam(required = false) @Nullable Integer revision,
      @RequestParam(defaultValue = "" + RUNS) int steps,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    if (!TABS.contains(tab)) {
      throw new Refusal(Problem.NOT_FOUND, new PageSentences.NoPage(tab));
    }
    Period found = heading.add(board, period, tab, model);
    model.addAttribute("rows", rows(found, tab, revision, steps, after));
    if (tab.equals("steps")) {
      var latest = new PageRequest(RUNS, after);
      Rows runs =
          Rows.of(api.installation().runs(board, period, false, false, latest))
              .only("startedAt", "took", "outcome", "step", "by", "cause", "detail")
              .renamed("by", "process");
      model.addAttribute("runs", runs);
      model.addAttribute("isRunning", !runs.where("outcome", "running").isEmpty());
      model.addAttribute("steps", steps);
      model.addAttribute("moreSteps", moreSteps(board, period, steps));
    }
    model.addAttribute("revision", revision);
    if (tab.equals("exclusions") || tab.equals("revisions")) {
      model.addAttribute("frozen", exclusions.frozen(found));
    }
    if (tab.equals("exclusions")) {
      model.addAttribute("freeze", exclusions.freeze(found, revision).orElse(null));
    }
    if (tab.equals("revisions") && revision != null) {
      model.addAttribute(
          "differences",
          Rows.of(api.amendments().differences(board, period, revision)).withoutEmpty());
    }
    return "period";
  }

  private Rows rows(
      Period found, String tab, @Nullable Integer revision, int steps, @Nullable String after) {
    String board = found.board().value();
    String period = found.name().value();
    var page = new PageRequest(ROWS, after);
    return switch (tab) {
      case "steps" -> Rows.of(api.installation().steps(board, period, steps));
      case "transfers" -> Rows.of(api.periods().transfers(board, period));
      case "revisions" -> Rows.of(api.periods().revisions(board, period, page)).withoutEmpty();
      case "manifest" -> manifest(found, revision);
      case "exclusions" -> Rows.of(api.periods().exclusions(board, period, revision, page));
      case "late-events" -> lateEvents(board, period, after);
      case WITHHELD ->
          Rows.of(api.withheld().list(board, period, null, false, page)).without("board", "period");
      default -> Rows.of(api.installation().auditLog(board, period, page));
    };
  }

  /** Without their board and period, which the page names. */
  private Rows lateEvents(String board, String period, @Nullable String after) {
    return Rows.of(api.lateEvents().list(board, period, false, new PageRequest(LATE_EVENTS, after)))
        .without("board", "period")
        .withoutEmpty();
  }

  /** How many runs to show the steps of next; null if these are all. */
  private @Nullable String moreSteps(String board, String period, int runs) {
    boolean isAll =
        runs >= MAX_RUNS
            || Rows.of(
                        api.installation()
                            .runs(board, period, false, false, new PageRequest(runs, null)))
                    .next()
                == null;
    return isAll ? null : Math.min(MAX_RUNS, 10 * runs) + "";
  }

  private Rows manifest(Period period, @Nullable Integer revision) {
    return period.state().isSettled()
        ? Rows.of(api.periods().manifest(period.board().value(), period.name().value(), revision))
        : Rows.NONE;
  }
}
