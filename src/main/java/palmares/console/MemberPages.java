package palmares.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;
import palmares.api.http.ProblemException;
import palmares.api.ops.Listing;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.rules.board.Board;
import palmares.rules.catalogue.Catalogue;

/** Shows a member: its places and credits over all periods, its statement, and why it has them. */
@Console
class MemberPages {
  private static final int PERIODS = 60;
  private static final int STATEMENT = 30;
  private static final int TOP = 3;

  private final Api api;
  private final Catalogue boards;
  private final Charts charts;

  MemberPages(Api api, Catalogue boards, Charts charts) {
    this.api = api;
    this.boards = boards;
    this.charts = charts;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/members")
  String members(Model model) {
    model.addAttribute("exclusions", Rows.of(api.exclusions().list(null, false, null, null)));
    model.addAttribute("lists", Rows.of(api.exclusions().lists()));
    return "members";
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/find")
  String find(@RequestParam(defaultValue = "") String member) {
    return member.isBlank()
        ? "redirect:" + Console.PATH + "/members"
        : "redirect:"
            + UriComponentsBuilder.fromPath(Console.PATH + "/members/{member}")
                .encode()
                .buildAndExpand(member.strip())
                .toUriString();
  }

  /** What a member has reached on one board. */
  record OnBoard(
      Board board, Map<String, @Nullable Object> best, Rows periods, @Nullable String chart) {}

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/members/{member}")
  String member(@PathVariable String member, Locale locale, Model model) {
    var reached = new ArrayList<OnBoard>();
    for (Board board : boards.all()) {
      Rows best = known(() -> api.history().record(board.id().value(), member, TOP));
      if (!best.isEmpty() && best.first().get("played") instanceof Number n && n.longValue() > 0) {
        Rows periods =
            Rows.of(api.history().member(board.id().value(), member, TOP, PERIODS, null));
        reached.add(new OnBoard(board, best.first(), periods, charts.ranks(periods, locale)));
      }
    }
    model.addAttribute("member", member);
    model.addAttribute("reached", reached);
    model.addAttribute("exclusions", Rows.of(api.exclusions().list(member, true, null, null)));
    model.addAttribute(
        "statement",
        known(() -> api.ledger().account(member, "member", null, null, null, STATEMENT))
            .reversed());
    return "member";
  }

  /** No rows for a member whom only a live board knows. */
  private static Rows known(Supplier<Listing> listing) {
    try {
      return Rows.of(listing.get());
    } catch (ProblemException e) {
      if (e.status() != HttpStatus.NOT_FOUND) {
        throw e;
      }
      return Rows.NONE;
    }
  }

  /** Explains a member's result in a period. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/boards/{board}/periods/{period}/members/{member}")
  String explanation(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String member,
      Locale locale,
      Model model) {
    Map<String, @Nullable Object> explanation =
        Rows.of(api.periods().explain(board, period, member, 100, false)).first();
    model.addAttribute("board", board);
    model.addAttribute("period", period);
    model.addAttribute("member", member);
    model.addAttribute("explanation", explanation);
    if (explanation.get("journal") instanceof Map<?, ?> journal
        && journal.get("curve") instanceof List<?> curve
        && explanation.get("period") instanceof Map<?, ?> about) {
      model.addAttribute("chart", charts.curve(about, curve, locale));
    }
    return "explanation";
  }
}
