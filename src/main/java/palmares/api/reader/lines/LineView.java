package palmares.api.reader.lines;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.live.board.LiveLine;
import palmares.operations.report.FinalLine;
import palmares.platform.text.Money;
import palmares.rules.board.Scale;

/**
 * The JSON form of a line.
 *
 * @param place null if the member is excluded from ranking
 * @param rank null if the member is excluded from ranking
 * @param thenBy the second key; null on boards without one
 * @param reachedAt null on a live board where arrival breaks ties, and on an adopted board whose
 *     scores contain no time
 * @param credits what was paid for it; null while the period is not settled
 * @param otherPrizes what was paid in other currencies; null if nothing
 * @param nickname of a registered member, on boards that count invites; else null
 * @param invites number of members it has invited; null unless the board counts only invites
 * @param excluded {@code unranked} if the member is excluded from ranking; else null
 * @param loss on an adopted board, why the order among equal lines is unknown; null if it is known
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
    @Nullable List<Money> otherPrizes,
    @Nullable String nickname,
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
        line.prizes().credits(),
        line.prizes().others().isEmpty() ? null : line.prizes().others(),
        null,
        null,
        line.rank() == null ? UNRANKED : null,
        line.loss());
  }

  /** The same line with what a profile adds. */
  public LineView with(@Nullable String nickname, @Nullable Long invites) {
    return new LineView(
        place,
        rank,
        member,
        points,
        thenBy,
        reachedAt,
        credits,
        otherPrizes,
        nickname,
        invites,
        excluded,
        loss);
  }
}
