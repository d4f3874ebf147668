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
 * Finds what a path names and answers from it, with a tag by which a caller may ask whether it has
 * changed: that costs no look at the lines.
 */
@Component
class ConditionalReads {
  private static final int QUESTION_LENGTH = 8;

  /** What a line takes of the heap, from Redis or PostgreSQL to the answer. */
  private static final long BYTES_PER_LINE = 1 << 10;

  private final PathLookup lookup;
  private final PeriodBoards boards;

  ConditionalReads(PathLookup lookup, PeriodBoards boards) {
    this.lookup = lookup;
    this.boards = boards;
  }

  /**
   * @param version what the board had come to when this was read
   */
  record Read<T>(Version version, T view) {}

  /**
   * To a question that no cache keeps.
   *
   * @param lines how many lines the answer may have
   */
  <T> T answer(
      String board, String period, int lines, BiFunction<Period, PeriodBoard, Read<T>> question) {
    ServerLoad.reserve(lines * BYTES_PER_LINE);
    Period found = lookup.period(board, period);
    return question.apply(found, boards.of(found)).view();
  }

  /**
   * Null once it has answered that the caller has it already.
   *
   * @param lines how many lines the answer may have
   */
  <T> @Nullable ResponseEntity<T> answer(
      String board,
      String period,
      WebRequest request,
      int lines,
      BiFunction<Period, PeriodBoard, Read<T>> question) {
    Period found = lookup.period(board, period);
    PeriodBoard there = boards.of(found);
    if (request.getHeader(HttpHeaders.IF_NONE_MATCH) != null
        && request.checkNotModified(tag(found, there.version(), request))) {
      return null;
    }
    ServerLoad.reserve(lines * BYTES_PER_LINE);
    Read<T> read = question.apply(found, there);
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noCache())
        .eTag(tag(found, read.version(), request))
        .body(read.view());
  }

  /** Of the question too: no tag of one answer says anything of another. */
  private static String tag(Period period, Version version, WebRequest request) {
    HttpServletRequest asked = ((ServletWebRequest) request).getRequest();
    String question = Sha256.of(asked.getRequestURI() + "?" + asked.getQueryString());
    return "W/\"%d-%s-%s-%s\""
        .formatted(
            period.id().value(),
            period.state().word(),
            version.word(),
            question.substring(0, QUESTION_LENGTH));
  }
}
