package palmares.operations.inbox;

import java.util.List;
import palmares.platform.text.Money;
import palmares.platform.text.Sentence;

/** Why something needs a person. */
interface InboxSentences {
  record Held(Sentence why) implements Sentence {}

  record Rejected() implements Sentence {}

  record Failed(Sentence why) implements Sentence {}

  record Overdue() implements Sentence {}

  /**
   * @param process that works on it
   */
  record OverdueIn(String process) implements Sentence {}

  record Amendment(Sentence by) implements Sentence {}

  record Late(long events) implements Sentence {}

  record Accepted(long events) implements Sentence {}

  record Withheld(Sentence members, List<Money> withheld) implements Sentence {}

  record Released(Sentence members, List<Money> withheld) implements Sentence {}

  record Differences(Sentence first) implements Sentence {}

  record Delivery(Sentence status) implements Sentence {}

  record Wallet(String kind, long findings) implements Sentence {}

  record NotCompared(Sentence failure) implements Sentence {}

  record Quarantined(Sentence error) implements Sentence {}

  record Journal(Sentence fault) implements Sentence {}

  /**
   * @param closings that the cause has stopped
   */
  record Stopping(Sentence cause, List<String> closings) implements Sentence {}

  record MissingList(String board, String list) implements Sentence {}

  record MissingKey(List<String> keys) implements Sentence {}

  record Batch(Sentence batch, long periods, String by, String reason) implements Sentence {}

  record Unfinished(Sentence batch, long periods) implements Sentence {}

  record LockedOut() implements Sentence {}

  record LockedOutFrom(String addresses) implements Sentence {}
}
