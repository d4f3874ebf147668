package palmares.api.reader.lines;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import palmares.live.member.PublicProfiles;
import palmares.live.member.PublicProfiles.PublicProfile;
import palmares.rules.board.Action;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;

/** Adds nicknames, invite codes and numbers of invites to the lines of a board with invites. */
record InviteBoard(PeriodBoard board, Board rules, PublicProfiles publicProfiles)
    implements PeriodBoard {

  @Override
  public Version version() {
    return withProfiles(board.version());
  }

  @Override
  public Section top(int count) {
    return withProfiles(board.top(count));
  }

  @Override
  public Section fromRank(long rank, int count) {
    return withProfiles(board.fromRank(rank, count));
  }

  @Override
  public Section after(Cursor cursor, int count) {
    return withProfiles(board.after(cursor, count));
  }

  @Override
  public Section around(MemberId member, int neighbours) {
    return withProfiles(board.around(member, neighbours));
  }

  @Override
  public Section find(List<MemberId> members) {
    return withProfiles(board.find(members));
  }

  @Override
  public Optional<Standing> member(MemberId member) {
    return board
        .member(member)
        .map(
            found ->
                new Standing(
                    withProfiles(found.version()),
                    found.members(),
                    withProfiles(List.of(found.line())).get(0),
                    found.ahead()));
  }

  @Override
  public Section holding(long rank) {
    return withProfiles(board.holding(rank));
  }

  @Override
  public @Nullable Long needed(Section holding) {
    return board.needed(holding);
  }

  /** Includes the latest registration, as that may add a profile to a line. */
  private Version withProfiles(Version version) {
    return new Version(version.over(), version.word() + "-" + publicProfiles.latestNumber());
  }

  private Section withProfiles(Section section) {
    return new Section(
        withProfiles(section.version()),
        section.members(),
        withProfiles(section.lines()),
        section.end());
  }

  private List<LineView> withProfiles(List<LineView> lines) {
    Map<String, PublicProfile> profiles =
        publicProfiles.of(lines.stream().map(LineView::member).toList());
    return lines.stream()
        .map(line -> line.with(profiles.get(line.member()), invites(line.points())))
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
