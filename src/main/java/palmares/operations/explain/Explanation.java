package palmares.operations.explain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;

/**
 * One member's result in a period and the reasons for it. Its fields are those of the JSON.
 *
 * @param ends the member's result in each revision; if the period is open, that on the live board
 */
public record Explanation(
    PeriodInfo period,
    MemberInfo who,
    Journal journal,
    List<Standing> ends,
    Ties ties,
    List<Transfer> transfers,
    List<Late> late) {

  /** Whether anything happened to the member in the period. */
  boolean hasResult() {
    return journal.total() > 0
        || !late.isEmpty()
        || ends.stream().anyMatch(end -> end.place() != null || end.excluded() != null);
  }

  /** The same explanation with less of the member's profile. */
  public Explanation with(MemberInfo visible) {
    return new Explanation(period, visible, journal, ends, ties, transfers, late);
  }

  /**
   * The period.
   *
   * @param rules how it ranks
   * @param asOf when the explanation was made
   */
  public record PeriodInfo(
      String board,
      String title,
      String name,
      String state,
      Instant startsAt,
      Instant endsAt,
      String zone,
      Sentence rules,
      Instant asOf) {

    public String label() {
      return board + " " + name;
    }
  }

  /**
   * The member.
   *
   * @param nickname null if the member has not registered, or the caller may not see it, like the
   *     next two
   * @param registeredAt null if the member has not registered
   */
  public record MemberInfo(
      String member,
      @Nullable String nickname,
      @Nullable String inviteCode,
      @Nullable String inviter,
      @Nullable Instant registeredAt) {}

  /**
   * The member's events.
   *
   * @param total the number of events
   * @param leftOut the number of earliest events that are not among the steps
   * @param curve the points over time, at most 500 of them
   * @param note what limits this list; null if nothing does
   */
  public record Journal(
      long total,
      long leftOut,
      List<Step> steps,
      List<CurvePoint> curve,
      @Nullable Sentence note) {}

  /**
   * One event.
   *
   * @param action what the member did
   * @param outcome its outcome, as in the journal
   * @param change the points that it gave; negative if it took some
   * @param points the member's points after it
   */
  public record Step(
      long seq, String id, Instant at, Sentence action, String outcome, long change, long points) {}

  /** The points that the member had from a time on. */
  public record CurvePoint(Instant at, long points) {}

  /**
   * The member's result in a revision.
   *
   * @param revision 0 for the live board
   * @param status that of the view {@code revision_overview}, or live
   * @param said who prepared the revision and decided on it, and why
   * @param place null if the member has no line
   * @param rank null if the member has no line, or no rank
   * @param excluded the level and the reason; null if the member is not excluded
   * @param corrections why the line differs from the journal
   * @param prizes what the member was awarded
   * @param nothing why the member was awarded nothing; null if it was awarded something
   */
  public record Standing(
      int revision,
      String status,
      List<Sentence> said,
      @Nullable Long place,
      @Nullable Long rank,
      @Nullable Long points,
      @Nullable Sentence thenBy,
      @Nullable Instant reachedAt,
      @Nullable Sentence excluded,
      List<Sentence> corrections,
      List<Prize> prizes,
      @Nullable Sentence nothing) {}

  /** Says what a rule gave, and why. */
  public record Prize(String rule, long credits, String currency, Sentence why) {}

  /**
   * Members with equal points.
   *
   * @param others the number of other members
   * @param near the nearest of them
   */
  public record Ties(long others, List<Tie> near) {}

  /**
   * A member with equal points.
   *
   * @param why what puts the two in this order
   */
  public record Tie(String member, long place, @Nullable Long rank, Sentence why) {}

  /** One transfer of what the member was paid, owes or returned. */
  public record Transfer(
      Instant at,
      int revision,
      String purpose,
      String rule,
      long amount,
      String currency,
      String from,
      String to) {}

  /**
   * A late event.
   *
   * @param why why it does not count, or since when it does; and what was decided
   */
  public record Late(
      String id, Sentence action, Instant occurredAt, Instant arrivedAt, List<Sentence> why) {}
}
