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

/**
 * A board that counts invites: its lines tell how members are called, how they invite, and how many
 * they brought.
 */
record InviteBoard(PeriodBoard board, Board rules, PublicProfiles publicProfiles)
    implements PeriodBoard {

  @Override
  public Version version() {
    return named(board.version());
  }

  @Override
  public Section top(int count) {
    return named(board.top(count));
  }

  @Override
  public Section fromRank(long rank, int count) {
    return named(board.fromRank(rank, count));
  }

  @Override
  public Section after(Cursor cursor, int count) {
    return named(board.after(cursor, count));
  }

  @Override
  public Section around(MemberId member, int neighbours) {
    return named(board.around(member, neighbours));
  }

  @Override
  public Section find(List<MemberId> members) {
    return named(board.find(members));
  }

  @Override
  public Optional<Standing> member(MemberId member) {
    return board
        .member(member)
        .map(
            found ->
                new Standing(
                    named(found.version()),
                    found.members(),
                    named(List.of(found.line())).get(0),
                    found.ahead()));
  }

  @Override
  public Section holding(long rank) {
    return named(board.holding(rank));
  }

  @Override
  public @Nullable Long needed(Section holding) {
    return board.needed(holding);
  }

  /** Who registers later changes what its line tells. */
  private Version named(Version version) {
    return new Version(version.over(), version.word() + "-" + publicProfiles.latestNumber());
  }

  private Section named(Section section) {
    return new Section(
        named(section.version()), section.members(), named(section.lines()), section.end());
  }

  private List<LineView> named(List<LineView> lines) {
    Map<String, PublicProfile> known =
        publicProfiles.of(lines.stream().map(LineView::member).toList());
    return lines.stream()
        .map(line -> line.of(known.get(line.member()), brought(line.points())))
        .toList();
  }

  /** All points are of invites where nothing else is counted. */
  private @Nullable Long brought(long points) {
    if (rules.actions().size() > 1) {
      return null;
    }
    Action invite = rules.actions().values().iterator().next();
    return points / invite.points();
  }
}
