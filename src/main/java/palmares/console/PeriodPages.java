package palmares.console;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.http.ProblemDetails;
import palmares.api.reader.lines.Cursor;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoards;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.journal.StoredEvents;
import palmares.live.member.PublicProfiles;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Repair;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.redis.RedisUnavailable;

/** Shows the standings of a period, and what an open one would pay. */
@Console
class PeriodPages {
  static final String PATH = Console.PATH + "/boards/{board}/periods/{period}";
  private static final int ROWS_PER_PAGE = 50;
  private static final int NEIGHBOURS = 12;
  private static final Logger log = LoggerFactory.getLogger(PeriodPages.class);

  private final PeriodHeading heading;
  private final PeriodBoards boards;
  private final Charts charts;
  private final PayoutEstimates estimates;
  private final PublicProfiles profiles;
  private final StoredEvents events;

  PeriodPages(
      PeriodHeading heading,
      PeriodBoards boards,
      Charts charts,
      PayoutEstimates estimates,
      PublicProfiles profiles,
      StoredEvents events) {
    this.heading = heading;
    this.boards = boards;
    this.charts = charts;
    this.estimates = estimates;
    this.profiles = profiles;
    this.events = events;
  }

  @Requires(Role.VIEWER)
  @GetMapping(PATH)
  String standings(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(required = false) @Nullable String member,
      @RequestParam(required = false) @Nullable String rank,
      @RequestParam(required = false) @Nullable String after,
      Locale locale,
      Model model) {
    Period found = heading.add(board, period, "standings", model);
    if (found.state().isSettled() && member == null && rank == null && after == null) {
      model.addAttribute("charts", charts.distribution(found.board(), found.name(), locale));
    }
    model.addAttribute("estimates", estimates.applies(found));
    model.addAttribute("member", member == null ? null : member.strip());
    model.addAttribute("rank", rank);
    try {
      boolean differs = found.state() != PeriodState.OPEN && differs(model);
      model.addAttribute("differs", differs);
      PeriodBoard lines = differs ? boards.readingTorn(found) : boards.of(found);
      PeriodBoard.Section section = section(found, lines, member, rank, after);
      model.addAttribute("section", section);
      model.addAttribute(
          "nicknames", profiles.nicknames(section.lines().stream().map(LineView::member).toList()));
      model.addAttribute("unexplained", differs ? unexplained(found, section) : Set.of());
      model.addAttribute("next", next(section));
      model.addAttribute("isLive", section.asOf() != null && !section.version().over());
      if (member != null && !member.isBlank() && section.lines().isEmpty()) {
        model.addAttribute("absent", member.strip());
      } else if (rank != null && section.lines().isEmpty() && section.members() > 0) {
        model.addAttribute("absentRank", rank.strip());
        model.addAttribute("lastRank", lastRank(lines, section.members()));
      }
    } catch (Refusal e) {
      model.addAttribute("problem", ProblemDetails.of(e));
    }
    return "period";
  }

  /** Shows what an open period would pay if it closed now, as part of other pages. */
  @Requires(Role.VIEWER)
  @GetMapping(PATH + "/estimate")
  String estimate(@PathVariable String board, @PathVariable String period, Model model) {
    Period found = heading.add(board, period, "estimate", model);
    try {
      model.addAttribute("estimate", estimates.of(found));
    } catch (Refusal e) {
      model.addAttribute("refusal", e.said());
    } catch (RedisUnavailable e) {
      model.addAttribute("refusal", e.reason().said());
    } catch (DataAccessException | TransactionException e) {
      log.warn("the estimate of {} failed", found.label(), e);
      model.addAttribute("failed", true);
    }
    return "estimate";
  }

  private static PeriodBoard.Section section(
      Period period,
      PeriodBoard lines,
      @Nullable String member,
      @Nullable String rank,
      @Nullable String after) {
    if (member != null && !member.isBlank()) {
      return lines.around(MemberPages.id(member.strip()), NEIGHBOURS);
    }
    if (rank != null && !rank.isBlank()) {
      return lines.fromRank(rank(rank.strip()), ROWS_PER_PAGE);
    }
    return after == null
        ? lines.top(ROWS_PER_PAGE)
        : lines.after(Cursor.of(after, period), ROWS_PER_PAGE);
  }

  /** Whether the closing has failed because the live board and the journal differ. */
  private static boolean differs(Model model) {
    return model.getAttribute("pending") instanceof Pending pending
        && pending.repair() == Repair.REPLACE;
  }

  /** The members whose entries stop the closing: no event of the journal explains them. */
  private Set<String> unexplained(Period period, PeriodBoard.Section section) {
    return events.withoutEvents(
        period.id(), section.lines().stream().map(LineView::member).toList());
  }

  /** The rank of the last line; null where equal ranks leave fewer ranks than members. */
  private static @Nullable Long lastRank(PeriodBoard lines, long members) {
    var last = lines.holding(members).lines();
    return last.isEmpty() ? null : last.get(0).rank();
  }

  private static long rank(String text) {
    try {
      long rank = Long.parseLong(text);
      if (rank > 0) {
        return rank;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw new Refusal(Problem.INVALID_FIELD, new PageSentences.NotARank(text));
  }

  private static @Nullable String next(PeriodBoard.Section section) {
    var lines = section.lines();
    Cursor end = section.end();
    Long last = lines.isEmpty() ? null : lines.get(lines.size() - 1).place();
    return end == null || last == null || last >= section.members() ? null : end.text();
  }
}
