package palmares.api.ops;

import java.time.ZonedDateTime;
import java.util.List;
import palmares.platform.text.Money;
import palmares.platform.text.Sentence;

/** What a period pays, by what becomes of its figures. */
interface PreviewSentences {
  record IfItEnded(String period, long members) implements Sentence {}

  record NextRun(String period, long members) implements Sentence {}

  record WillBeHeld(String period, long members) implements Sentence {}

  record Held(String period, long members) implements Sentence {}

  record HeldUntil(String period, long members, ZonedDateTime release) implements Sentence {}

  record Rejected(String period, long members, Sentence decision) implements Sentence {}

  record Approved(String period, long members, Sentence decision) implements Sentence {}

  record Paid(String period, long members) implements Sentence {}

  record Nothing() implements Sentence {}

  record Tied(Sentence tie) implements Sentence {}

  record Withheld(List<Money> withheld) implements Sentence {}

  record NeedsApproval(Sentence reason) implements Sentence {}

  record BoardPaused() implements Sentence {}

  record RestartComputes() implements Sentence {}
}
