package palmares.api.reader;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
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
import palmares.api.http.Operation;
import palmares.api.http.RequestBody;
import palmares.api.reader.ConditionalReads.Read;
import palmares.api.reader.lines.Cursor;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoard.Section;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.intake.EventRefusal;
import palmares.live.intake.RefusalReason;
import palmares.live.intake.StrictJson;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.MemberId;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads a board: the live board while the period is open, the outcome once it is settled. */
@RestController
@RequestMapping("/api/v1/boards/{board}/periods/{period}")
class BoardsController {
  /** Enough for 1,000 ids of 64 bytes, even if every character is escaped. */
  private static final int MAX_BODY_BYTES = 512 << 10;

  private final ConditionalReads conditionalReads;
  private final PathLookup lookup;

  BoardsController(ConditionalReads conditionalReads, PathLookup lookup) {
    this.conditionalReads = conditionalReads;
    this.lookup = lookup;
  }

  @Operation("board")
  @Requires(value = Role.READER, unlessPublic = true)
  @GetMapping
  @Nullable ResponseEntity<BoardView> board(
      @PathVariable String board, @PathVariable String period, WebRequest request) {
    return conditionalReads.answer(
        board,
        period,
        request,
        0,
        (found, lines) -> {
          Section none = lines.find(List.of());
          return new Read<>(
              none.version(), BoardView.withoutLines(found, lookup.timing(found), none));
        });
  }

  @Operation("top")
  @Requires(value = Role.READER, unlessPublic = true)
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
      throw ParameterLimits.invalid(new BoardSentences.OneStart());
    }
    return conditionalReads.answer(
        board,
        period,
        request,
        limited,
        (found, lines) -> {
          Section page =
              after != null
                  ? lines.after(Cursor.of(after, found), limited)
                  : fromRank != null
                      ? lines.fromRank(ParameterLimits.rank("fromRank", fromRank), limited)
                      : lines.top(limited);
          return new Read<>(page.version(), BoardView.page(found, lookup.timing(found), page));
        });
  }

  @Operation("rank")
  @Requires(value = Role.READER, unlessPublic = true)
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
        (found, lines) -> {
          Section holding = lines.holding(rank);
          Long points = holding.lines().isEmpty() ? null : holding.lines().get(0).points();
          var view =
              new RankView(rank, holding.asOf(), holding.members(), points, lines.needed(holding));
          return new Read<>(holding.version(), view);
        });
  }

  @Operation("memberOfBoard")
  @Requires(value = Role.READER, unlessPublic = true)
  @GetMapping("/members/{member}")
  @Nullable ResponseEntity<MemberLineView> member(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String member,
      WebRequest request) {
    MemberId id = ParameterLimits.member(member);
    return conditionalReads.answer(
        board,
        period,
        request,
        1,
        (found, lines) -> {
          var standing = lines.member(id).orElseThrow(() -> unknown(id, found));
          return new Read<>(standing.version(), MemberLineView.of(standing));
        });
  }

  @Operation("around")
  @Requires(value = Role.READER, unlessPublic = true)
  @GetMapping("/members/{member}/around")
  @Nullable ResponseEntity<BoardView> around(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String member,
      @RequestParam(defaultValue = "5") int neighbours,
      WebRequest request) {
    MemberId id = ParameterLimits.member(member);
    int limited = ParameterLimits.neighbours(neighbours);
    return conditionalReads.answer(
        board,
        period,
        request,
        2 * limited + 1,
        (found, lines) -> {
          Section section = lines.around(id, limited);
          if (section.lines().isEmpty()) {
            throw unknown(id, found);
          }
          return new Read<>(section.version(), BoardView.of(found, lookup.timing(found), section));
        });
  }

  private static Refusal unknown(MemberId member, Period period) {
    return new Refusal(
        Problem.UNKNOWN_MEMBER, new BoardSentences.NotOnBoard(member.value(), period.label()));
  }

  @Operation("friends")
  @Requires(value = Role.READER, unlessPublic = true)
  @GetMapping("/friends")
  @Nullable ResponseEntity<BoardView> named(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam MultiValueMap<String, String> parameters,
      WebRequest request) {
    List<MemberId> members = members(parameters.getOrDefault("member", List.of()));
    return conditionalReads.answer(
        board, period, request, members.size(), (found, lines) -> friends(found, lines, members));
  }

  @Operation("manyFriends")
  @Requires(value = Role.READER, unlessPublic = true)
  @PostMapping(path = "/friends", consumes = MediaType.APPLICATION_JSON_VALUE)
  BoardView listed(@PathVariable String board, @PathVariable String period, InputStream body) {
    List<MemberId> members = members(parse(RequestBody.requireAtMost(MAX_BODY_BYTES, body)));
    return conditionalReads.answer(
        board, period, members.size(), (found, lines) -> friends(found, lines, members));
  }

  private static List<MemberId> members(List<String> named) {
    ParameterLimits.requireAtMostMaxLines(named.size());
    return named.stream().distinct().map(ParameterLimits::member).toList();
  }

  private Read<BoardView> friends(Period period, PeriodBoard board, List<MemberId> members) {
    Section section = board.find(members);
    Set<String> present =
        section.lines().stream().map(LineView::member).collect(Collectors.toSet());
    List<String> absent =
        members.stream().map(MemberId::value).filter(id -> !present.contains(id)).toList();
    return new Read<>(
        section.version(), BoardView.friends(period, lookup.timing(period), section, absent));
  }

  /**
   * Parses {@code {"members": ["ann", "bob"]}} strictly, while it arrives.
   *
   * @throws EventRefusal if the body is anything else
   * @throws palmares.api.http.Refusal as soon as it names too many members
   */
  private static List<String> parse(InputStream body) {
    return StrictJson.document(body, BoardsController::parseMembers);
  }

  private static List<String> parseMembers(JsonParser json) {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new EventRefusal(RefusalReason.MALFORMED, new BoardSentences.NoMembersObject());
    }
    List<String> members = null;
    for (String field = json.nextName(); field != null; field = json.nextName()) {
      if (!field.equals("members")) {
        throw new EventRefusal(RefusalReason.UNKNOWN_FIELD, new BoardSentences.OnlyMembers());
      }
      members = names(json);
    }
    if (members == null) {
      throw new EventRefusal(RefusalReason.MISSING_FIELD, new BoardSentences.MembersMissing());
    }
    return members;
  }

  private static List<String> names(JsonParser json) {
    if (json.nextToken() != JsonToken.START_ARRAY) {
      throw ParameterLimits.invalid(new BoardSentences.NoList());
    }
    var names = new ArrayList<String>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw ParameterLimits.invalid(new BoardSentences.NoTexts());
      }
      names.add(json.getString());
      ParameterLimits.requireAtMostMaxLines(names.size());
    }
    return names;
  }

  /**
   * The points at a rank.
   *
   * @param asOf when the live board was read; null once the period is settled
   * @param members number of ranked members
   * @param points of the last line with this rank or a better one; null if there are fewer ranks
   * @param needed points with which a new member would have this rank or a better one; null if that
   *     exceeds the board's maximum, or the period is settled
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record RankView(
      long rank,
      @Nullable Instant asOf,
      long members,
      @Nullable Long points,
      @Nullable Long needed) {}

  /**
   * The JSON form of a member's line, in relation to the whole board.
   *
   * @param asOf when the live board was read; null once the period is settled
   * @param members number of ranked members
   * @param percentile the percentage of ranked members that are not ahead of it, itself included;
   *     rounded down to two decimals, so that only the first have 100; null if it has no rank
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record MemberLineView(
      @JsonUnwrapped LineView line,
      @Nullable Instant asOf,
      long members,
      @Nullable BigDecimal percentile) {
    private static final int DECIMALS = 2;

    static MemberLineView of(PeriodBoard.Standing standing) {
      Long ahead = standing.ahead();
      return new MemberLineView(
          standing.line(),
          standing.asOf(),
          standing.members(),
          ahead == null ? null : percentile(ahead, standing.members()));
    }

    static BigDecimal percentile(long ahead, long members) {
      return BigDecimal.valueOf(members - ahead)
          .movePointRight(2)
          .divide(BigDecimal.valueOf(members), DECIMALS, RoundingMode.DOWN);
    }
  }
}
