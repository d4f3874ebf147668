package palmares.api.reader;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import palmares.api.http.ServerLoad;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoard.Version;
import palmares.api.reader.lines.PeriodBoards;
import palmares.period.Period;
import palmares.rules.board.Sha256;

/**
 * Answers reads of a board with an ETag. If the tag of a conditional request still matches, no line
 * is read.
 */
@Component
class ConditionalReads {
  private static final int QUERY_DIGEST_LENGTH = 8;

  /** For a line, from Redis or PostgreSQL to the response. */
  private static final long HEAP_BYTES_PER_LINE = 1 << 10;

  private final PathLookup lookup;
  private final PeriodBoards boards;

  ConditionalReads(PathLookup lookup, PeriodBoards boards) {
    this.lookup = lookup;
    this.boards = boards;
  }

  /**
   * The result of a read.
   *
   * @param version the version of the board that was read
   */
  record Read<T>(Version version, T view) {}

  /**
   * Answers a request that is not conditional.
   *
   * @param lines the maximum number of lines in the response
   */
  <T> T answer(
      String board, String period, int lines, BiFunction<Period, PeriodBoard, Read<T>> read) {
    ServerLoad.reserve(lines * HEAP_BYTES_PER_LINE);
    Period found = lookup.period(board, period);
    return read.apply(found, boards.of(found)).view();
  }

  /**
   * Answers a conditional request; returns null if it has sent 304.
   *
   * @param lines the maximum number of lines in the response
   */
  <T> @Nullable ResponseEntity<T> answer(
      String board,
      String period,
      WebRequest request,
      int lines,
      BiFunction<Period, PeriodBoard, Read<T>> read) {
    Period found = lookup.period(board, period);
    String state = lookup.state(found); // before the read, so that a tag is never too new
    PeriodBoard periodBoard = boards.of(found);
    if (request.getHeader(HttpHeaders.IF_NONE_MATCH) != null
        && request.checkNotModified(tag(found, state, periodBoard.version(), request))) {
      return null;
    }
    ServerLoad.reserve(lines * HEAP_BYTES_PER_LINE);
    Read<T> result = read.apply(found, periodBoard);
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noCache())
        .eTag(tag(found, state, result.version(), request))
        .body(result.view());
  }

  /** Includes the path and query, so that tags of different requests never match. */
  private static String tag(Period period, String state, Version version, WebRequest request) {
    HttpServletRequest http = ((ServletWebRequest) request).getRequest();
    String query = Sha256.of(http.getRequestURI() + "?" + http.getQueryString());
    return "W/\"%s-%s-%s-%s\""
        .formatted(
            period.id().value(), state, version.word(), query.substring(0, QUERY_DIGEST_LENGTH));
  }
}
