package palmares.api.ops;

import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;

/** What the report of a period says for people. */
interface ReportSentences {
  record Span(ZonedDateTime from, ZonedDateTime to, String zone) implements Sentence {}

  record Shown(int revision, String status, String by) implements Sentence {}

  record ShownFor(Sentence shown, String reason) implements Sentence {}

  record Members(long members) implements Sentence {}

  record MoreLines(long lines) implements Sentence {}

  /**
   * @param kind why the order of these members is not known
   */
  record Loss(long first, long last, long points, String kind, Sentence members)
      implements Sentence {}

  record MoreLosses() implements Sentence {}
}
