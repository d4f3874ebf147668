package palmares.settlement.outbox;

import java.util.List;
import palmares.platform.text.Sentence;

/** What mails say of facts. */
interface MailSentences {
  // Subjects.

  record Opened(String period) implements Sentence {}

  record Moved(String period) implements Sentence {}

  record Extended(String period) implements Sentence {}

  record Sealed(String period) implements Sentence {}

  record NeedsPerson(String period) implements Sentence {}

  record NotSettled(String period) implements Sentence {}

  record Overdue(String period) implements Sentence {}

  record Settled(String period) implements Sentence {}

  record Amended(String period, int revision) implements Sentence {}

  record EnteredTop(Object member, Object top, String period) implements Sentence {}

  record LeftTop(Object member, Object top, String period) implements Sentence {}

  record Reached(Object member, Object threshold, String period) implements Sentence {}

  record NotHeld(Object member, Object threshold, String period) implements Sentence {}

  record Passed(Object by, Object member, String period) implements Sentence {}

  record Differing(Object night, Object differences) implements Sentence {}

  record Digest(Object day, List<Sentence> parts) implements Sentence {}

  record Part(long periods, String part) implements Sentence {}

  record NothingDue() implements Sentence {}

  // Texts.

  record FactId(String id) implements Sentence {}

  record At(Sentence fact, String time) implements Sentence {}

  record Failed(String period) implements Sentence {}

  record FailedInStep(String period, Object step) implements Sentence {}

  record Attempts(Object failures, Object retryAt) implements Sentence {}

  record Details(String command) implements Sentence {}

  record Retry(String command) implements Sentence {}

  record WasDue(String period, Object closesAt, Object state) implements Sentence {}

  record CheckScheduler(String command) implements Sentence {}

  record Found(Object periods, Object differences) implements Sentence {}

  record AllDifferences(String command) implements Sentence {}

  record Held(String period) implements Sentence {}

  record HeldForObjections(String period) implements Sentence {}

  record Released(Object at) implements Sentence {}

  record StaysHeld() implements Sentence {}

  record Preview(String command) implements Sentence {}

  record Approve(String command) implements Sentence {}

  record Reject(String command) implements Sentence {}

  // Digests.

  record Span(Object since, Object until) implements Sentence {}

  record Title(String table) implements Sentence {}

  record More(long entries) implements Sentence {}

  record NotCompared(String failure) implements Sentence {}

  record Activity(Object amendments, Object failed) implements Sentence {}

  record Verified(Object night, Object periods, Object differences) implements Sentence {}

  record NotVerified() implements Sentence {}

  record LastLinks() implements Sentence {}
}
