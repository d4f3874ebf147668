package palmares.console;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.console.BoardCards.Card;
import palmares.operations.report.PeriodList.Entry;
import palmares.rules.boardfiles.Catalogue;

/** Shows all boards, as a list and as a grid by days. */
@Console
class BoardListPages {
  private static final int GRID_DAYS = 35;

  private final Api api;
  private final Catalogue boards;
  private final BoardCards cards;
  private final FirstSteps firstSteps;

  BoardListPages(Api api, Catalogue boards, BoardCards cards, FirstSteps firstSteps) {
    this.api = api;
    this.boards = boards;
    this.cards = cards;
    this.firstSteps = firstSteps;
  }

  /**
   * Shows all boards, those that need a person first unless another order is asked for.
   *
   * @param find part of an id or title; null for all
   */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards")
  String boards(
      @RequestParam(required = false) @Nullable String find,
      @RequestParam(required = false) @Nullable String sort,
      Model model) {
    model.addAttribute(
        "paused",
        Rows.of(api.batches().pauses()).rows().stream()
            .map(row -> String.valueOf(row.get("board")))
            .collect(Collectors.toSet()));
    List<Card> all = cards.of(boards.all());
    String wanted = find == null ? "" : find.strip();
    model.addAttribute("find", wanted);
    model.addAttribute("sort", sort == null ? "" : sort);
    model.addAttribute("count", all.size());
    model.addAttribute(
        "cards", all.stream().filter(card -> card.matches(wanted)).sorted(order(sort)).toList());
    firstSteps.addTo(model);
    return "boards";
  }

  /** The order of a column; without one, boards that need a person come first. */
  private static Comparator<Card> order(@Nullable String sort) {
    Comparator<Card> byTitle =
        Comparator.comparing((Card card) -> card.board().title().toLowerCase(Locale.ROOT))
            .thenComparing(Card::id);
    return switch (sort == null ? "" : sort) {
      case "board" -> byTitle;
      case "closes" -> Comparator.comparing(Card::closesAt).thenComparing(byTitle);
      case "participants" ->
          Comparator.comparing(
                  (Card card) -> card.top().members(),
                  Comparator.nullsLast(Comparator.reverseOrder()))
              .thenComparing(byTitle);
      default -> Comparator.comparing((Card card) -> card.needs().isEmpty()).thenComparing(byTitle);
    };
  }

  /** Shows the periods of the last days, each on the days of its board's own zone. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/grid")
  String grid(Model model) {
    Instant now = Show.of(model).now();
    LocalDate last =
        boards.all().stream()
            .map(board -> LocalDate.ofInstant(now, board.zone()))
            .max(Comparator.naturalOrder())
            .orElse(LocalDate.ofInstant(now, ZoneOffset.UTC));
    var days = new DayGrid(last.minusDays(GRID_DAYS - 1), GRID_DAYS);
    // No zone is a day or more away from UTC.
    Instant from = days.first().minusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    Map<String, List<Entry>> begun = cards.begunSince(boards.all(), from);
    model.addAttribute("grid", days);
    model.addAttribute(
        "rows",
        boards.all().stream()
            .map(board -> days.row(board, begun.getOrDefault(board.id().value(), List.of())))
            .toList());
    return "grid";
  }
}
