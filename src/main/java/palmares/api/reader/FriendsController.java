package palmares.api.reader;

import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;
import palmares.api.http.RequestBody;
import palmares.api.reader.ConditionalReads.Read;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoard.Section;
import palmares.period.Period;
import palmares.rules.board.MemberId;

/** Answers how given members stand among themselves, each with its rank on the whole board. */
@RestController
@RequestMapping("/api/v1/boards/{board}/periods/{period}/friends")
class FriendsController {
  private final ConditionalReads conditionalReads;

  FriendsController(ConditionalReads conditionalReads) {
    this.conditionalReads = conditionalReads;
  }

  /** For a few, whom an address has room for. */
  @GetMapping
  @Nullable ResponseEntity<BoardView> named(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam MultiValueMap<String, String> parameters,
      WebRequest request) {
    List<MemberId> members = members(parameters.getOrDefault("member", List.of()));
    return conditionalReads.answer(
        board, period, request, members.size(), (found, there) -> among(found, there, members));
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  BoardView listed(@PathVariable String board, @PathVariable String period, InputStream body) {
    List<MemberId> members =
        members(FriendsBody.members(RequestBody.requireAtMost(FriendsBody.MAX_BYTES, body)));
    return conditionalReads.answer(
        board, period, members.size(), (found, there) -> among(found, there, members));
  }

  private static List<MemberId> members(List<String> named) {
    ParameterLimits.requireFew(named.size());
    return named.stream().distinct().map(ParameterLimits::member).toList();
  }

  private static Read<BoardView> among(Period period, PeriodBoard board, List<MemberId> members) {
    Section section = board.find(members);
    Set<String> present =
        section.lines().stream().map(LineView::member).collect(Collectors.toSet());
    List<String> absent =
        members.stream().map(MemberId::value).filter(id -> !present.contains(id)).toList();
    return new Read<>(section.version(), BoardView.among(period, section, absent));
  }
}
