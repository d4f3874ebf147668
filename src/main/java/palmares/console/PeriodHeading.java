package palmares.console;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Scale.ThenBy;
import palmares.rules.calendar.PeriodName;
import palmares.settlement.manifest.Manifests;

/** Adds what all pages of a period show: its state, and the verbs that make sense in it. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class PeriodHeading {
  private final Api api;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final Manifests manifests;
  private final PendingCards pending;
  private final PageModel pages;

  PeriodHeading(
      Api api,
      Periods periods,
      BoardDefinitions definitions,
      Manifests manifests,
      PendingCards pending,
      PageModel pages) {
    this.api = api;
    this.periods = periods;
    this.definitions = definitions;
    this.manifests = manifests;
    this.pending = pending;
    this.pages = pages;
  }

  /**
   * Adds what all pages of a period show.
   *
   * @param tab which of its pages it is
   */
  Period add(String board, String period, String tab, Model model) {
    Map<String, @Nullable Object> row =
        Rows.of(Objects.requireNonNull(api.periods().get(board, period).getBody())).first();
    Period found = periods.find(new BoardId(board), new PeriodName(period)).orElseThrow();
    Board rules = definitions.of(found);
    model.addAttribute("board", board);
    model.addAttribute("period", period);
    model.addAttribute("title", rules.title());
    ThenBy thenBy = rules.scale().thenBy();
    model.addAttribute("thenBy", thenBy == null ? null : thenBy.name());
    pages.useZone(rules.zone(), model);
    model.addAttribute("row", row);
    model.addAttribute("state", found.shownState(Show.of(model).now()));
    model.addAttribute("tab", tab);
    boolean isReviewed = rules.invites() != null && rules.invites().review() != null;
    model.addAttribute(
        "tabs",
        PeriodTabs.TABS.stream()
            .filter(word -> isReviewed || !word.equals(PeriodTabs.WITHHELD))
            .toList());
    Pending open = pending.of(found);
    model.addAttribute("pending", open);
    model.addAttribute("acts", acts(found, row, open, Show.of(model).now()));
    if (found.state().isSettled()) {
      model.addAttribute("paid", manifests.paid(found));
    }
    return found;
  }

  /** The verbs that make sense in the state of a period, and that the caller may decide on. */
  private static List<String> acts(
      Period period, Map<String, @Nullable Object> row, Pending open, Instant now) {
    Instant due = period.closesAt();
    String hold = open.hold() == null ? "hold" : "lift-hold";
    String close = row.get("failure") == null ? "close" : "restart";
    return switch (period.state()) {
      case OPEN ->
          now.isBefore(period.slot().startsAt())
              ? List.of(hold)
              : due == null
                  ? List.of(hold, "rebuild")
                  : now.isBefore(due)
                      ? List.of("extend", hold, "rebuild")
                      : open.repair() == null
                          ? List.of(close, hold, "rebuild")
                          : List.of("rebuild", close, hold);
      case SEALED, FILLED ->
          open.repair() == null ? List.of(close, hold, "rebuild") : List.of("rebuild", close, hold);
      case APPROVED -> List.of(close, "rebuild");
      case HELD ->
          open.refusal() == null
              ? List.of("approve", "reject", "verify")
              : List.of("reject", "verify");
      case REJECTED -> List.of("restart");
      case SETTLED, EXPIRED ->
          open.revision() == null ? List.of("amend", "verify") : List.of("verify");
    };
  }
}
