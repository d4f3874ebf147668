package palmares.settlement.decisions;

import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;

/** What the live board decided on an event and what the rules decide, as the SQL says it. */
interface RuleDecisionSentences {
  record Event(String event, String member) implements Sentence {}

  record Was(String outcome, long points) implements Sentence {}

  record Outside(ZonedDateTime from, ZonedDateTime to) implements Sentence {}

  record TooMany(long most) implements Sentence {}

  record TooFew() implements Sentence {}

  record Verdict(String verdict) implements Sentence {}

  record Otherwise(Sentence stored, Sentence derived) implements Sentence {}
}
