package palmares.api.reader;

import java.io.InputStream;
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
import palmares.api.http.RequestBody;
import palmares.api.reader.ConditionalReads.Read;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoard.Section;
import palmares.live.intake.Refusal;
import palmares.live.intake.RefusalReason;
import palmares.live.intake.StrictJson;
import palmares.period.Period;
import palmares.rules.board.MemberId;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Returns the lines of given members, each with its rank on the whole board. */
@RestController
@RequestMapping("/api/v1/boards/{board}/periods/{period}/friends")
class FriendsController {
  /** Enough for 1,000 ids of 64 bytes, even if every character is escaped. */
  private static final int MAX_BODY_BYTES = 512 << 10;

  private final ConditionalReads conditionalReads;

  FriendsController(ConditionalReads conditionalReads) {
    this.conditionalReads = conditionalReads;
  }

  @GetMapping
  @Nullable ResponseEntity<BoardView> named(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam MultiValueMap<String, String> parameters,
      WebRequest request) {
    List<MemberId> members = members(parameters.getOrDefault("member", List.of()));
    return conditionalReads.answer(
        board, period, request, members.size(), (found, lines) -> friends(found, lines, members));
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  BoardView listed(@PathVariable String board, @PathVariable String period, InputStream body) {
    List<MemberId> members = members(parse(RequestBody.requireAtMost(MAX_BODY_BYTES, body)));
    return conditionalReads.answer(
        board, period, members.size(), (found, lines) -> friends(found, lines, members));
  }

  private static List<MemberId> members(List<String> named) {
    ParameterLimits.requireAtMostMaxLines(named.size());
    return named.stream().distinct().map(ParameterLimits::member).toList();
  }

  private static Read<BoardView> friends(Period period, PeriodBoard board, List<MemberId> members) {
    Section section = board.find(members);
    Set<String> present =
        section.lines().stream().map(LineView::member).collect(Collectors.toSet());
    List<String> absent =
        members.stream().map(MemberId::value).filter(id -> !present.contains(id)).toList();
    return new Read<>(section.version(), BoardView.friends(period, section, absent));
  }

  /**
   * Parses {@code {"members": ["ann", "bob"]}} strictly, while it arrives.
   *
   * @throws Refusal if the body is anything else
   * @throws palmares.api.http.ProblemException as soon as it names too many members
   */
  private static List<String> parse(InputStream body) {
    return StrictJson.document(body, FriendsController::parseMembers);
  }

  private static List<String> parseMembers(JsonParser json) {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new Refusal(
          RefusalReason.MALFORMED, "send an object, as {\"members\": [\"ann\", \"bob\"]}");
    }
    List<String> members = null;
    for (String field = json.nextName(); field != null; field = json.nextName()) {
      if (!field.equals("members")) {
        throw new Refusal(RefusalReason.UNKNOWN_FIELD, "the only field is 'members'");
      }
      members = names(json);
    }
    if (members == null) {
      throw new Refusal(
          RefusalReason.MISSING_FIELD, "name the members, as {\"members\": [\"ann\"]}");
    }
    return members;
  }

  private static List<String> names(JsonParser json) {
    if (json.nextToken() != JsonToken.START_ARRAY) {
      throw ParameterLimits.invalid("'members' must be a list of member ids");
    }
    var names = new ArrayList<String>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.VALUE_STRING) {
        throw ParameterLimits.invalid("'members' must be a list of member ids, as strings");
      }
      names.add(json.getString());
      ParameterLimits.requireAtMostMaxLines(names.size());
    }
    return names;
  }
}
