package palmares.settlement.lines;

import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/** What stops a closing because its lines are not what was sealed and journaled. */
interface ReconciliationSentences {
  record NotReconciled(String period, List<? extends Sentence> faults) implements Sentence {}

  record OutOfOrder(String first, String second) implements Sentence {}

  record EventMissing(String member, long event) implements Sentence {}

  record NotStored(long sent, long stored) implements Sentence {}

  record Sums(boolean ofBoard, long members, long points, long sealedMembers, long sealedPoints)
      implements Sentence {}

  record Events(long events, long sealed) implements Sentence {}

  record EventsLost(long events) implements Sentence {}

  record DecidedOtherwise(long events, List<Sentence> named) implements Sentence {}

  record Decision(Sentence what, Sentence stored, Sentence derived) implements Sentence {}

  record SumsDiffer() implements Sentence {}

  record NoEvent(String member, Sentence onBoard) implements Sentence {}

  record NoEntry(String member, Sentence inJournal) implements Sentence {}

  record Differs(String member, Sentence onBoard, Sentence inJournal, @Nullable Sentence others)
      implements Sentence {}

  record Holding(long points) implements Sentence {}

  record HoldingSince(long points, ZonedDateTime at) implements Sentence {}

  record Others(long onBoard, long inJournal, long arrivalOnBoard, long arrivalInJournal)
      implements Sentence {}

  record SharedRank(long points, long members, long counted, boolean isScore) implements Sentence {}

  /** A slice of the board, from 1, whose lines do not continue those of the slice before it. */
  record SliceDoesNotContinue(int slice) implements Sentence {}
}
