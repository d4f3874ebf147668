package palmares.api.reader.lines;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.api.reader.lines.PeriodBoard.Version;
import palmares.live.member.PublicProfiles;
import palmares.rules.board.Action;
import palmares.rules.board.Board;

/**
 * Adds nicknames and numbers of invites to the lines of boards that count invites.
 *
 * @param profiles null to add none
 */
record LineProfiles(Board rules, @Nullable PublicProfiles profiles) {

  /** Adds the version of the profiles, of which lines may have one. */
  Version version(boolean over, String word) {
    return new Version(
        over, rules.invites() == null || profiles == null ? word : word + "-" + profiles.version());
  }

  List<LineView> addTo(List<LineView> lines) {
    if (rules.invites() == null || profiles == null) {
      return lines;
    }
    Map<String, String> nicknames =
        profiles.nicknames(lines.stream().map(LineView::member).toList());
    return lines.stream()
        .map(line -> line.with(nicknames.get(line.member()), invites(line.points())))
        .toList();
  }

  /** Computes the invites from the points, if the board counts nothing else; else null. */
  private @Nullable Long invites(long points) {
    if (rules.actions().size() > 1) {
      return null;
    }
    Action invite = rules.actions().values().iterator().next();
    return points / invite.points();
  }
}
