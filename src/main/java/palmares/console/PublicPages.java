package palmares.console;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import palmares.api.reader.ParameterLimits;
import palmares.api.reader.PathLookup;
import palmares.api.reader.lines.PeriodBoards;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.Catalogue;

/** Shows the top of a public board to everybody, and follows it. Other sites may embed it. */
@Console
class PublicPages {
  private static final int MAX_LINES = 100;

  /** The period that is open; the page goes on to the next one once it is sealed. */
  private static final String CURRENT = "current";

  /** Like that of other pages, but any site may show the page in a frame. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'none'; base-uri 'none'; frame-ancestors *";

  private final PathLookup lookup;
  private final PeriodBoards boards;
  private final BoardDefinitions definitions;
  private final Catalogue catalogue;

  PublicPages(
      PathLookup lookup, PeriodBoards boards, BoardDefinitions definitions, Catalogue catalogue) {
    this.lookup = lookup;
    this.boards = boards;
    this.definitions = definitions;
    this.catalogue = catalogue;
  }

  @Requires(value = Role.READER, unlessPublic = true)
  @GetMapping(Console.PATH + "/public/{board}")
  String board(
      @PathVariable String board,
      @RequestParam(defaultValue = CURRENT) String period,
      @RequestParam(defaultValue = "10") int count,
      HttpServletResponse response,
      Model model) {
    int limited = ParameterLimits.count(count, MAX_LINES);
    response.setHeader("Content-Security-Policy", POLICY);
    Period found;
    try {
      found = lookup.period(board, period);
    } catch (Refusal e) {
      if (e.problem() != Problem.UNKNOWN_PERIOD || !period.equals(CURRENT)) {
        throw e;
      }
      // A site that embeds the page shows it between two periods, too.
      response.setStatus(e.problem().status());
      model.addAttribute("rules", catalogue.find(new BoardId(board)).orElseThrow());
      return "public";
    }
    model.addAttribute("board", found.board().value());
    model.addAttribute("period", found);
    model.addAttribute("rules", definitions.of(found));
    model.addAttribute("count", limited);
    model.addAttribute("follows", period.equals(CURRENT));
    model.addAttribute("section", boards.of(found).top(limited));
    return "public";
  }
}
