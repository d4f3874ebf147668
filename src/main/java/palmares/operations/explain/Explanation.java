package palmares.operations.explain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What there is to tell of a member in a period.
 *
 * @param period when and where it was
 * @param ends how it stands or stood, revision by revision; none while the period is open
 */
public record Explanation(
    About period,
    Who who,
    Journal journal,
    List<Ending> ends,
    Ties ties,
    List<Transfer> transfers,
    List<Late> late) {

  /**
   * The period.
   *
   * @param rules how it ranks, in a sentence
   * @param asOf when this was told
   */
  public record About(
      String board,
      String title,
      String name,
      String state,
      Instant startsAt,
      Instant endsAt,
      String zone,
      String rules,
      Instant asOf) {

    public String label() {
      return board + " " + name;
    }
  }

  /**
   * The member.
   *
   * @param nickname null if it has not registered, as the next three
   */
  public record Who(
      String member,
      @Nullable String nickname,
      @Nullable String inviteCode,
      @Nullable String inviter,
      @Nullable Instant registeredAt) {}

  /**
   * What the member did.
   *
   * @param total how many events there are
   * @param leftOut how many of the first are not among the steps
   * @param curve what it held over time, thinned out if there is much
   * @param note what there is to know of them; null if nothing
   */
  public record Journal(
      long total, long leftOut, List<Step> steps, List<Spot> curve, @Nullable String note) {}

  /**
   * One event.
   *
   * @param outcome what became of it, in the journal's words
   * @param change what it gave, or took if negative
   * @param points what the member held after it
   */
  public record Step(
      long seq, String id, Instant at, String deed, String outcome, long change, long points) {}

  /** What the member held from a time on. */
  public record Spot(Instant at, long points) {}

  /**
   * How the member stands in a revision.
   *
   * @param revision 0 for the live board, which is none yet
   * @param status stands, superseded, approved, rejected, waits, computed or live
   * @param said who made it and decided on it, and why; empty for nothing
   * @param place null if it has no line
   * @param rank null if it has no line, or no rank
   * @param excluded the level and the reason; null if it is not excluded
   * @param corrections why its line is another than the journal's
   * @param prizes what it was awarded
   * @param nothing why it was awarded nothing; null if it was something
   */
  public record Ending(
      int revision,
      String status,
      List<String> said,
      @Nullable Long place,
      @Nullable Long rank,
      @Nullable Long points,
      @Nullable String thenBy,
      @Nullable Instant reachedAt,
      @Nullable String excluded,
      List<String> corrections,
      List<Prize> prizes,
      @Nullable String nothing) {}

  /** What a rule gave, and why. */
  public record Prize(String rule, long credits, String currency, String why) {}

  /**
   * Members with equal points.
   *
   * @param others how many
   * @param near those next to it
   */
  public record Ties(long others, List<Tie> near) {}

  /**
   * @param why by what the two are put in order
   */
  public record Tie(String member, long place, @Nullable Long rank, String why) {}

  /** One movement of what the member was paid, owes, or gave back. */
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
   * An event that came too late.
   *
   * @param why it does not count, or since when it does
   */
  public record Late(String id, String deed, Instant occurredAt, Instant arrivedAt, String why) {}
}
