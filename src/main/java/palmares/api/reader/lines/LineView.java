package palmares.api.reader.lines;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import palmares.live.board.LiveLine;
import palmares.live.member.PublicProfiles.PublicProfile;
import palmares.operations.report.FinalLine;
import palmares.rules.board.Scale;

/**
 * A line of a board as answers spell it.
 *
 * @param place null if the member is excluded from the ranks
 * @param rank as the place
 * @param thenBy the second key; null on boards without one
 * @param reachedAt null on a live board where arrivals break ties, and on an adopted one whose
 *     scores tell no time
 * @param credits what was paid for it; null while the period is not settled
 * @param nickname on boards that count invites, of a member who has registered
 * @param inviteCode as the nickname
 * @param invites how many it brought; null unless the board counts nothing else
 * @param excluded {@code unranked} where there is neither place nor rank; else null
 * @param loss why the order among its equals is not known, on an adopted board; null if it is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LineView(
    @Nullable Long place,
    @Nullable Long rank,
    String member,
    long points,
    @Nullable Long thenBy,
    @Nullable Instant reachedAt,
    @Nullable Long credits,
    @Nullable String nickname,
    @Nullable String inviteCode,
    @Nullable Long invites,
    @Nullable String excluded,
    @Nullable String loss) {

  private static final String UNRANKED = "unranked";

  static LineView of(LiveLine line, Scale scale) {
    return new LineView(
        line.ranked() ? line.place() : null,
        line.ranked() ? line.rank() : null,
        line.member(),
        line.points(),
        scale.thenBy() == null ? null : line.memberScore().thenBy(),
        line.reachedAt(),
        null,
        null,
        null,
        null,
        line.ranked() ? null : UNRANKED,
        null);
  }

  static LineView of(FinalLine line, Scale scale) {
    return new LineView(
        line.rank() == null ? null : line.place(),
        line.rank(),
        line.member(),
        line.points(),
        scale.thenBy() == null ? null : line.thenBy(),
        line.reachedAt(),
        line.credits(),
        null,
        null,
        null,
        line.rank() == null ? UNRANKED : null,
        line.loss());
  }

  /** The same line, with whose it is. */
  LineView of(@Nullable PublicProfile card, @Nullable Long brought) {
    return new LineView(
        place,
        rank,
        member,
        points,
        thenBy,
        reachedAt,
        credits,
        card == null ? null : card.nickname(),
        card == null ? null : card.inviteCode(),
        brought,
        excluded,
        loss);
  }
}
