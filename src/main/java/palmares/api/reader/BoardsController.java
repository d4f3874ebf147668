package palmares.api.reader;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;
import palmares.api.reader.ConditionalReads.Read;
import palmares.api.reader.lines.Cursor;
import palmares.api.reader.lines.PeriodBoard.Section;

/** Answers what stands on a board: live while its period goes on, final once it is settled. */
@RestController
@RequestMapping("/api/v1/boards/{board}/periods/{period}")
class BoardsController {
  private final ConditionalReads conditionalReads;

  BoardsController(ConditionalReads conditionalReads) {
    this.conditionalReads = conditionalReads;
  }

  @GetMapping
  @Nullable ResponseEntity<BoardView> board(
      @PathVariable String board, @PathVariable String period, WebRequest request) {
    return conditionalReads.answer(
        board,
        period,
        request,
        0,
        (found, there) -> {
          Section nobody = there.find(List.of());
          return new Read<>(nobody.version(), BoardView.bare(found, nobody.members()));
        });
  }

  @GetMapping("/top")
  @Nullable ResponseEntity<BoardView> top(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(defaultValue = "10") int count,
      @RequestParam(required = false) @Nullable Long fromRank,
      @RequestParam(required = false) @Nullable String after,
      WebRequest request) {
    int limited = ParameterLimits.count(count);
    if (fromRank != null && after != null) {
      throw ParameterLimits.invalid(
          "'fromRank' and 'after' both say where to begin: send one of them");
    }
    return conditionalReads.answer(
        board,
        period,
        request,
        limited,
        (found, there) -> {
          Section page =
              after != null
                  ? there.after(Cursor.of(after, found), limited)
                  : fromRank != null
                      ? there.fromRank(ParameterLimits.rank("fromRank", fromRank), limited)
                      : there.top(limited);
          return new Read<>(page.version(), BoardView.page(found, page));
        });
  }

  @GetMapping("/ranks/{rank}")
  @Nullable ResponseEntity<RankView> rank(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable long rank,
      WebRequest request) {
    ParameterLimits.rank("rank", rank);
    return conditionalReads.answer(
        board,
        period,
        request,
        1,
        (found, there) -> {
          Section holding = there.holding(rank);
          Long points = holding.lines().isEmpty() ? null : holding.lines().get(0).points();
          var view = new RankView(rank, holding.members(), points, there.needed(holding));
          return new Read<>(holding.version(), view);
        });
  }
}
