package palmares.period.exclusion;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.period.PeriodState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.platform.text.Sentence;

/** What is said of exclusions, and of the lists that have some. */
public interface ExclusionSentences {
  // One exclusion.

  record Made(long exclusion, String member, ExclusionLevel level, Sentence scope)
      implements Sentence {}

  record WouldBeMade(String member, ExclusionLevel level, Sentence scope) implements Sentence {}

  record Lifted(long exclusion, String member, ExclusionLevel level, Sentence scope)
      implements Sentence {}

  record WouldBeLifted(long exclusion, String member, ExclusionLevel level, Sentence scope)
      implements Sentence {}

  /** When it was lifted, in a list. */
  record LiftedAt(ZonedDateTime at, String by, String reason) implements Sentence {}

  record OnAllBoards(@Nullable Sentence time) implements Sentence {}

  record OnBoard(String board, @Nullable Sentence time) implements Sentence {}

  record OfList(String list) implements Sentence {}

  record From(ZonedDateTime from) implements Sentence {}

  record Until(ZonedDateTime until) implements Sentence {}

  record FromUntil(ZonedDateTime from, ZonedDateTime until) implements Sentence {}

  /** Where and when an exclusion is in force. */
  static Sentence scope(Terms terms, ZoneId zone) {
    if (terms.list() != null) {
      return new OfList(terms.list());
    }
    Sentence time = time(terms.startsAt(), terms.endsAt(), zone);
    return terms.board() == null ? new OnAllBoards(time) : new OnBoard(terms.board().value(), time);
  }

  private static @Nullable Sentence time(
      @Nullable Instant from, @Nullable Instant until, ZoneId zone) {
    if (from == null) {
      return until == null ? null : new Until(until.atZone(zone));
    }
    return until == null
        ? new From(from.atZone(zone))
        : new FromUntil(from.atZone(zone), until.atZone(zone));
  }

  // Many exclusions.

  record ManyMade(long exclusions) implements Sentence {}

  record ManyWouldBeMade(long exclusions) implements Sentence {}

  record Named(String member, ExclusionLevel level, Sentence scope) implements Sentence {}

  record MoreMembers(long more) implements Sentence {}

  record Listed(long members, String list) implements Sentence {}

  record WouldBeListed(long members, String list) implements Sentence {}

  record Unlisted(String member, String list) implements Sentence {}

  record WouldBeUnlisted(String member, String list) implements Sentence {}

  record ListCreated(String list) implements Sentence {}

  // What they change.

  record AmendSettled() implements Sentence {}

  record AmendInBatches(long batches) implements Sentence {}

  record RankedWithout(long settled, Sentence periods) implements Sentence {}

  record RankedOtherwise(long settled, Sentence periods) implements Sentence {}

  record UnsettledWithout(Sentence periods) implements Sentence {}

  record UnsettledOtherwise(Sentence periods) implements Sentence {}

  record InState(String period, PeriodState state) implements Sentence {}

  record BeingRanked(Sentence periods) implements Sentence {}

  record LiveBoardsUpdated(Sentence periods) implements Sentence {}

  record LiveBoardsNotUpdated(Sentence why) implements Sentence {}

  // Refusals.

  record Unknown(long exclusion) implements Sentence {}

  record NotOfMember(String member, long exclusion) implements Sentence {}

  record MadeBefore(String member, long exclusion, ZonedDateTime at, String by, String reason)
      implements Sentence {}

  record LiftedBefore(long exclusion, String member, ZonedDateTime at, String by, String reason)
      implements Sentence {}

  record NoneInForce(String member) implements Sentence {}

  record NoneInForceOnBoard(String member, String board) implements Sentence {}

  record EndsBeforeStart(ZonedDateTime from, ZonedDateTime until) implements Sentence {}

  record UnknownMember(String member) implements Sentence {}

  record UnknownMembers(Sentence members) implements Sentence {}

  /**
   * @param why why Redis cannot be asked
   */
  record UnknownUnlessInRedis(String member, Sentence why) implements Sentence {}

  record UnknownLevel(String level, List<String> levels) implements Sentence {}

  record MemberOrCsv() implements Sentence {}

  record NotAListName(String name) implements Sentence {}

  record ListExists(String list) implements Sentence {}

  record NoList(String list) implements Sentence {}

  record NoSuchList(String list, List<String> lists) implements Sentence {}

  record NotOnList(String member, String list) implements Sentence {}

  record ListOfRulesMissing(String period, String list) implements Sentence {}

  record ListOfBoardMissing(String board, String list) implements Sentence {}

  // Files.

  record NotCsv(String error) implements Sentence {}

  record NoRows() implements Sentence {}

  record TooManyRows(long most) implements Sentence {}

  record NoColumn(String column) implements Sentence {}

  record UnknownColumn(String column, @Nullable Sentence hint) implements Sentence {}

  /** What is wrong with a line of a file. */
  record Line(long line, Sentence said) implements Sentence {}

  record LevelMissing() implements Sentence {}

  record Column(String column, Sentence said) implements Sentence {}

  record Fields(long fields) implements Sentence {}

  record NotInForce() implements Sentence {}

  record NotAMember(int most) implements Sentence {}

  record NotAReason(int most) implements Sentence {}

  record NotATime(String text) implements Sentence {}

  record UnknownBoard(String board, @Nullable Sentence hint) implements Sentence {}

  record NoBoardInList(String list, String board) implements Sentence {}

  record EntryOfList(String list) implements Sentence {}
}
