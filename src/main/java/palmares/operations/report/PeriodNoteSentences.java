package palmares.operations.report;

import java.util.List;
import palmares.platform.text.Sentence;

/** The notes of the view {@code period_note}, as it has them. */
interface PeriodNoteSentences {
  record OrderUnknown(long members, long groups) implements Sentence {}

  record LateWrite(long entries, String key) implements Sentence {}

  /**
   * @param why what was given up, and the reason
   */
  record ClosedWith(
      long events,
      long sealedEvents,
      long members,
      long sealedMembers,
      String by,
      List<Sentence> why)
      implements Sentence {}

  /**
   * @param why what was given up, and the reason
   */
  record LossAcknowledged(String by, List<Sentence> why) implements Sentence {}

  record Forgotten(String state) implements Sentence {}
}
