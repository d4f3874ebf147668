package palmares.console;

import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.console.BoardCards.Card;
import palmares.operations.report.ClosingForecast;
import palmares.operations.report.PeriodList.Entry;
import palmares.period.PeriodTimeline;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardDescription;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.Slot;
import palmares.rules.payout.RewardRule.PrizeTable;

/** Shows one board. */
@Console
class BoardPages {
  private static final int TREND = 60;
  private static final int UPCOMING = 8;
  private static final int PERIODS = 12;
  private static final Set<String> FILES = Set.of("report", "payout");

  private final Api api;
  private final Catalogue boards;
  private final BoardCards cards;
  private final PeriodTimeline timeline;
  private final ClosingForecast forecast;
  private final Charts charts;
  private final PayoutEstimates estimates;
  private final PageModel pages;

  BoardPages(
      Api api,
      Catalogue boards,
      BoardCards cards,
      PeriodTimeline timeline,
      ClosingForecast forecast,
      Charts charts,
      PayoutEstimates estimates,
      PageModel pages) {
    this.api = api;
    this.boards = boards;
    this.cards = cards;
    this.timeline = timeline;
    this.forecast = forecast;
    this.charts = charts;
    this.estimates = estimates;
    this.pages = pages;
  }

  /**
   * A period to come.
   *
   * @param changes whether clocks change during it
   */
  record Upcoming(String name, Instant startsAt, Instant endsAt, boolean changes) {}

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}")
  String board(
      @PathVariable String board,
      @RequestParam(required = false) @Nullable String after,
      Locale locale,
      Model model) {
    api.catalogue().board(board); // Refuses a board that does not exist.
    Board found = boards.find(new BoardId(board)).orElseThrow();
    ZoneId zone = found.zone();
    model.addAttribute("board", found);
    Card card = cards.of(List.of(found)).get(0);
    model.addAttribute("card", card);
    Entry current = card.current();
    model.addAttribute("estimates", current != null && estimates.applies(current));
    model.addAttribute("pauses", pauses(board));
    model.addAttribute("rules", BoardDescription.rules(found, locale));
    model.addAttribute("prizes", prizes(found, Show.of(model)));
    pages.useZone(zone, model);
    model.addAttribute(
        "upcoming",
        timeline.preview(found, UPCOMING).stream().map(slot -> upcoming(slot, zone)).toList());
    model.addAttribute(
        "usual", forecast.usual(List.of(found.id())).stream().findFirst().orElse(null));
    model.addAttribute("recent", cards.begun(found, TREND));
    model.addAttribute(
        "periods",
        Rows.of(
            api.periods().list(board, null, null, null, false, new PageRequest(PERIODS, after))));
    model.addAttribute("charts", charts.trend(found.id(), locale));
    model.addAttribute("fame", fame(board));
    return "board";
  }

  /** The prizes of the rules that have different ones, in the order of the file. */
  private static List<PrizeTable> prizes(Board board, Show show) {
    boolean fewestWin = board.scale().scoring().fewestWin();
    return board.payout().rules().stream()
        .flatMap(rule -> PrizeTable.of(rule, fewestWin, show::number).stream())
        .toList();
  }

  private List<Map<String, @Nullable Object>> pauses(String board) {
    return Rows.of(api.batches().pauses()).where("board", board).rows();
  }

  private Map<String, List<Map<String, @Nullable Object>>> fame(String board) {
    return Rows.of(api.history().fame(board, 5)).rows().stream()
        .collect(
            Collectors.groupingBy(
                row -> String.valueOf(row.get("most")), LinkedHashMap::new, Collectors.toList()));
  }

  private static Upcoming upcoming(Slot slot, ZoneId zone) {
    boolean changes =
        !zone.getRules()
            .getOffset(slot.startsAt())
            .equals(zone.getRules().getOffset(slot.endsAt()));
    return new Upcoming(slot.name().value(), slot.startsAt(), slot.endsAt(), changes);
  }

  /**
   * Leads to a file of the API, or to the page with the same rows, without the fields of the form
   * that are empty.
   */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}/files/{file}")
  String file(
      @PathVariable String board,
      @PathVariable String file,
      @RequestParam(defaultValue = "") String from,
      @RequestParam(defaultValue = "") String to,
      @RequestParam(defaultValue = "csv") String format) {
    if (!FILES.contains(file)) {
      throw new Refusal(Problem.NOT_FOUND, new PageSentences.NoFile(file));
    }
    boolean isPage = format.equals("page");
    return "redirect:"
        + UriComponentsBuilder.fromPath(isPage ? Console.PATH : "/api/v1/ops")
            .path("/boards/{board}/{file}")
            .queryParamIfPresent("format", Optional.ofNullable(isPage ? null : "{format}"))
            .queryParamIfPresent("from", Optional.ofNullable(from.isBlank() ? null : "{from}"))
            .queryParamIfPresent("to", Optional.ofNullable(to.isBlank() ? null : "{to}"))
            .encode()
            .buildAndExpand(
                Map.of("board", board, "file", file, "format", format, "from", from, "to", to))
            .toUriString();
  }
}
