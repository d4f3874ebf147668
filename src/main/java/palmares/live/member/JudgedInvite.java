package palmares.live.member;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import palmares.live.board.Event;
import palmares.live.intake.InviteCredits;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/**
 * An invite as the journals have it.
 *
 * @param credits how many times it was credited
 * @param countedAt the time of the credit in force; null if there is none
 * @param period in which it counts
 * @param qualifiedAt null if it does not qualify
 */
record JudgedInvite(
    MemberId newcomer,
    MemberId inviter,
    BoardId board,
    String action,
    Instant invitedAt,
    String countedIn,
    int credits,
    @Nullable Instant countedAt,
    @Nullable String period,
    @Nullable Instant qualifiedAt) {

  /** What must change, so that the credit in force is the one that the invite is worth. */
  Optional<Step> change() {
    Instant due =
        qualifiedAt == null || !countedIn.equals("registration") ? qualifiedAt : invitedAt;
    return Objects.equals(due, countedAt) ? Optional.empty() : Optional.of(new Step(due));
  }

  Event credit(Instant time) {
    int n = credits + 1;
    return event(n == 1 ? action : action + "#" + n, false, time);
  }

  Event reversal() {
    return event(action + "#-" + credits, true, requireNonNull(countedAt));
  }

  /** No action has the character #, so ids differ for all names of newcomers. */
  private Event event(String numbered, boolean undo, Instant time) {
    return new Event(
        InviteCredits.PREFIX + numbered + ":" + newcomer,
        inviter,
        action,
        newcomer.value(),
        undo,
        1,
        null,
        null,
        time,
        board);
  }

  /**
   * A change of the credit in force.
   *
   * @param countedAt the time of the credit that is due; null if none is
   */
  record Step(@Nullable Instant countedAt) {}
}
