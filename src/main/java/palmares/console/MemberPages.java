package palmares.console;

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
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.ops.Listing;
import palmares.api.security.Requires;
import palmares.api.security.Role;
import palmares.live.member.PublicProfiles;
import palmares.operations.report.MemberHistory;
import palmares.operations.report.MemberHistory.MemberLine;
import palmares.operations.report.MemberHistory.OnBoard;
import palmares.operations.report.MemberRecord;
import palmares.period.exclusion.KnownMembers;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.Catalogue;

/** Shows a member: its places and credits over all periods, its statement, and why it has them. */
@Console
class MemberPages {
  private static final int PERIODS = 60;
  private static final int STATEMENT = 30;
  private static final int TOP = 3;
  private static final int FOUND = 50;

  private final Api api;
  private final Catalogue boards;
  private final MemberHistory history;
  private final KnownMembers knownMembers;
  private final PublicProfiles profiles;
  private final Charts charts;

  MemberPages(
      Api api,
      Catalogue boards,
      MemberHistory history,
      KnownMembers knownMembers,
      PublicProfiles profiles,
      Charts charts) {
    this.api = api;
    this.boards = boards;
    this.history = history;
    this.knownMembers = knownMembers;
    this.profiles = profiles;
    this.charts = charts;
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/members")
  String members(Model model) {
    model.addAttribute("exclusions", Rows.of(api.exclusions().list(null, false, null, null)));
    model.addAttribute("lists", Rows.of(api.exclusions().lists()));
    return "members";
  }

  /** Leads to the only member that a text may name, or lists them. */
  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/find")
  String find(@RequestParam(defaultValue = "") String member, Model model) {
    String text = member.strip();
    if (text.isEmpty()) {
      return "redirect:" + Console.PATH + "/members";
    }
    Rows found = Rows.of(api.history().members(text, FOUND));
    if (found.isEmpty()) {
      return page(text);
    }
    boolean isId = found.where("member", text).isEmpty() && knownMembers.knows(id(text));
    if (found.size() == 1 && !isId) {
      return page(String.valueOf(found.first().get("member")));
    }
    model.addAttribute("text", text);
    model.addAttribute("found", found);
    model.addAttribute("isId", isId);
    return members(model);
  }

  private static MemberId id(String text) {
    try {
      return new MemberId(text);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(Problem.INVALID_FIELD, String.valueOf(e.getMessage()));
    }
  }

  private static String page(String member) {
    return "redirect:"
        + UriComponentsBuilder.fromPath(Console.PATH + "/members/{member}")
            .encode()
            .buildAndExpand(member)
            .toUriString();
  }

  /** What a member has reached on one board. */
  record Reached(Board board, MemberRecord best, List<MemberLine> lines, @Nullable String chart) {}

  private Reached reached(Board board, OnBoard on, Locale locale) {
    return new Reached(board, on.record(), on.lines(), charts.ranks(on.lines(), locale));
  }

  @Requires(Role.VIEWER)
  @GetMapping(Console.PATH + "/members/{member}")
  String member(@PathVariable String member, Locale locale, Model model) {
    model.addAttribute("member", member);
    model.addAttribute("nickname", profiles.nicknames(List.of(member)).get(member));
    model.addAttribute(
        "reached",
        history.everywhere(id(member), TOP, PERIODS).stream()
            .flatMap(
                on -> boards.find(on.board()).stream().map(board -> reached(board, on, locale)))
            .toList());
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
