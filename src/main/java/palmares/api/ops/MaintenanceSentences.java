package palmares.api.ops;

import java.time.ZonedDateTime;
import java.util.List;
import palmares.platform.text.Sentence;

/** What is said of verifications, quarantined entries, targets and orphaned keys. */
interface MaintenanceSentences {
  record VerificationChangesNothing() implements Sentence {}

  record NoLink(String text) implements Sentence {}

  record Note(Sentence note) implements Sentence {}

  record PeriodNote(String period, Sentence note) implements Sentence {}

  record ArchivedPeriods(long periods) implements Sentence {}

  record Compared(long anchors, String file) implements Sentence {}

  record LastLink(String link, String what) implements Sentence {}

  record NotAnchored(String file, Sentence why) implements Sentence {}

  record Anchored(String file) implements Sentence {}

  record NoNumbers() implements Sentence {}

  record Released(String period, long entry) implements Sentence {}

  record Discarded(String period, long entry) implements Sentence {}

  record StillOnBoard(String period) implements Sentence {}

  record NoTime() implements Sentence {}

  record Retried(long targets) implements Sentence {}

  record NoFacts(ZonedDateTime from) implements Sentence {}

  record Again(ZonedDateTime from, List<String> targets) implements Sentence {}

  record NoneAgain(ZonedDateTime from) implements Sentence {}

  record Behind(List<String> targets) implements Sentence {}

  record TargetForgotten(String target) implements Sentence {}

  record NoTarget(String target, List<String> targets) implements Sentence {}

  record NoTargets(String target) implements Sentence {}

  record OrphanKept(String period) implements Sentence {}

  record WouldRemove(String period, long bytes) implements Sentence {}

  record Removed(String period, long bytes) implements Sentence {}

  record WouldRemoveAll(long bytes) implements Sentence {}

  record RemovedAll(long bytes) implements Sentence {}
}
