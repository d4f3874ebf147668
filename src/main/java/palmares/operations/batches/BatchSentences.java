package palmares.operations.batches;

import java.math.BigDecimal;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.operations.batches.Batch.State;
import palmares.operations.batches.Batch.Verb;
import palmares.platform.text.Sentence;

/** What is said of batches. */
public interface BatchSentences {
  // What a batch is about.

  record Named(Verb verb, Sentence target) implements Sentence {}

  record OfExclusion(long exclusion, String member) implements Sentence {}

  record OfExclusions(long exclusions, long first, long last, Sentence members)
      implements Sentence {}

  record OfBatch(long batch, Sentence target) implements Sentence {}

  record AllBoards(
      @Nullable From from, @Nullable To to, @Nullable InState state, @Nullable ForCause cause)
      implements Sentence {}

  record OneBoard(
      String board,
      @Nullable From from,
      @Nullable To to,
      @Nullable InState state,
      @Nullable ForCause cause)
      implements Sentence {}

  record From(ZonedDateTime from) implements Sentence {}

  record To(ZonedDateTime to) implements Sentence {}

  record InState(String state) implements Sentence {}

  record ForCause(String cause) implements Sentence {}

  // What becomes of it.

  record Order(Verb verb, long periods, Sentence target) implements Sentence {}

  record Would(Sentence order) implements Sentence {}

  record Begun(long batch, Sentence order) implements Sentence {}

  record Tried(long tried, long periods) implements Sentence {}

  record Now(long batch, Sentence counts) implements Sentence {}

  record PeriodIs(State state, String period, Sentence why) implements Sentence {}

  record NotWorkedOn() implements Sentence {}

  record Reasons(List<? extends Sentence> reasons) implements Sentence {}

  record AlreadyPrepared(int revision) implements Sentence {}

  record MayNotGoOn(String by) implements Sentence {}

  record CancelledBy(String by, String reason) implements Sentence {}

  record RestLeft() implements Sentence {}

  record Cancelled(long batch, Sentence counts) implements Sentence {}

  // What a person decides on.

  record Await(long outcomes, long batch) implements Sentence {}

  record HeldFor(long periods, Sentence reason) implements Sentence {}

  record Gets(String member, BigDecimal credits, String currency, long periods)
      implements Sentence {}

  record GivesBack(String member, BigDecimal credits, String currency, long periods)
      implements Sentence {}

  record Moved(String board, BigDecimal gets, String currency, BigDecimal owes, long periods)
      implements Sentence {}

  // Refusals.

  record Unknown(long batch) implements Sentence {}

  record ExclusionsAlone() implements Sentence {}

  record NoExclusions() implements Sentence {}

  record ExclusionCount(long most, long exclusions) implements Sentence {}

  record UnknownExclusion(long exclusion) implements Sentence {}

  record NothingTouched(Sentence target) implements Sentence {}

  record TooManyPeriods(Sentence target, long most) implements Sentence {}

  record NoneInRange(Verb verb, Sentence target) implements Sentence {}

  record NotClosable(String state, List<String> states) implements Sentence {}

  record NotRestartable(String state, List<String> states) implements Sentence {}

  record EmptyRange(ZonedDateTime from, ZonedDateTime to) implements Sentence {}

  record NotACause(String cause) implements Sentence {}

  record DigestMissing() implements Sentence {}

  record Changed(long batch, String shown, String digest) implements Sentence {}

  record NothingToDecide(long batch, Sentence counts) implements Sentence {}

  record NothingLeft(long batch, Sentence counts) implements Sentence {}

  record Ended(long batch, Sentence counts) implements Sentence {}

  record OfAnother(long batch, String by, long of) implements Sentence {}

  record RoleNeeded(String caller, String role, long batch) implements Sentence {}
}
