package palmares.operations.archive;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What is said of archives. */
public interface ArchiveSentences {
  record Planned(String period) implements Sentence {}

  /** The journal would be dropped, too. */
  record PlannedDrop(String period) implements Sentence {}

  record Written(String period, long rows, long size, String file, @Nullable Sentence dropped)
      implements Sentence {}

  record Dropped(long rows) implements Sentence {}

  record CheckChangesNothing() implements Sentence {}

  record Progress(long done, long periods) implements Sentence {}

  record More(long sentences) implements Sentence {}

  record Left(String by, long periods) implements Sentence {}

  record WouldBeArchived(long periods, long not) implements Sentence {}

  record Archived(long periods, long not) implements Sentence {}

  record AsArchived(long periods, long not) implements Sentence {}

  record NoFolder() implements Sentence {}

  record Another(String period, String file) implements Sentence {}

  record Refused(String period, String cause) implements Sentence {}

  record OtherRows(String period, long rows, long archived) implements Sentence {}

  record Missing(String file) implements Sentence {}

  record OtherFile(String file) implements Sentence {}

  record Unreadable(String file, String cause) implements Sentence {}

  record AlreadyArchived(String period) implements Sentence {}

  /** Only the journal of an expired period is dropped. */
  record NotExpired(String period, String state) implements Sentence {}

  record Undecided(String period) implements Sentence {}

  /** Late events were accepted, and count in no revision. */
  record LateEvents(String period) implements Sentence {}

  /** A flagged line has no decision, or what was released is not paid. */
  record Withheld(String period) implements Sentence {}

  record NoManifest(String period) implements Sentence {}
}
