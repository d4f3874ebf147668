package palmares.bench.read;

import java.util.List;
import palmares.bench.WrongResult;
import palmares.bench.seeding.Crowd;
import palmares.bench.seeding.SeededPeriod;
import palmares.live.board.LiveLine;
import palmares.live.board.LivePage;
import palmares.rules.board.RankMethod;

/**
 * The correct answers of a live board, computed from the crowd alone. The memory that this takes
 * does not depend on the board's size.
 */
final class ExpectedAnswers {
  private final SeededPeriod seeded;
  private final long[] holders;

  /** Number of members with more points, by points. */
  private final long[] ahead = new long[Crowd.MAX_INVITES + 1];

  /** Number of distinct higher points, by points. */
  private final long[] levels = new long[Crowd.MAX_INVITES + 1];

  ExpectedAnswers(SeededPeriod seeded) {
    this.seeded = seeded;
    this.holders = seeded.crowd().holders();
    for (int points = Crowd.MAX_INVITES - 1; points >= 0; points--) {
      long above = holders[points + 1];
      ahead[points] = ahead[points + 1] + above;
      levels[points] = levels[points + 1] + (above > 0 ? 1 : 0);
    }
  }

  /**
   * Checks an answer.
   *
   * @param n the number of the member who was asked for
   * @throws WrongResult if the answer is wrong
   */
  void check(Query query, long n, LivePage page) {
    List<LiveLine> lines = page.lines();
    long members = seeded.crowd().members();
    require(page.members() == members, query, "counts %d members".formatted(page.members()));
    for (int i = 0; i < lines.size(); i++) {
      LiveLine line = lines.get(i);
      require(line.place() == lines.get(0).place() + i && ranks(line), query, "holds " + line);
    }
    if (query == Query.TOP) {
      require(
          lines.size() == Math.min(Query.TOP_LINES, members) && lines.get(0).place() == 1,
          query,
          "holds %d lines".formatted(lines.size()));
    } else {
      checkMember(query, n, lines);
    }
  }

  private void checkMember(Query query, long n, List<LiveLine> lines) {
    String member = seeded.crowd().member(n);
    LiveLine own =
        lines.stream()
            .filter(line -> line.member().equals(member))
            .findAny()
            .orElseThrow(() -> wrong(query, "leaves out " + member));
    require(own.points() == seeded.crowd().invites(n), query, "holds " + own);
    long above = Math.min(Query.NEIGHBOURS, own.place() - 1);
    long below = Math.min(Query.NEIGHBOURS, seeded.crowd().members() - own.place());
    require(
        lines.size() == (query == Query.RANK ? 1 : above + 1 + below),
        query,
        "holds %d lines".formatted(lines.size()));
  }

  /** Whether the line's place and rank fit its points. */
  private boolean ranks(LiveLine line) {
    int points = (int) line.points();
    long rank =
        switch (seeded.board().ranks()) {
          case UNIQUE -> line.place();
          case COMPETITION -> ahead[points] + 1;
          case DENSE -> levels[points] + 1;
        };
    return line.rank() == rank
        && line.place() > ahead[points]
        && line.place() <= ahead[points] + holders[points];
  }

  /**
   * Checks a line's exact place by comparing all members.
   *
   * @throws WrongResult if the place is wrong
   */
  void checkPlace(long n, LiveLine line) {
    Crowd crowd = seeded.crowd();
    long ticks = seeded.ticks();
    long points = crowd.invites(n);
    long time = crowd.latestTime(n, ticks);
    String member = crowd.member(n);
    long place = 1;
    for (long other = 0; other < crowd.members(); other++) {
      long more = crowd.invites(other) - points;
      if (more > 0 || (more == 0 && earlier(other, ticks, time, member))) {
        place++;
      }
    }
    require(line.place() == place, Query.RANK, "holds %s, not place %d".formatted(line, place));
  }

  /**
   * Whether a member ranks ahead of another with as many points: it reached them earlier, or at the
   * same time with a greater id.
   */
  private boolean earlier(long n, long ticks, long time, String member) {
    long its = seeded.crowd().latestTime(n, ticks);
    return its < time || (its == time && seeded.crowd().member(n).compareTo(member) > 0);
  }

  private void require(boolean right, Query query, String finding) {
    if (!right) {
      throw wrong(query, finding);
    }
  }

  private WrongResult wrong(Query query, String finding) {
    RankMethod method = seeded.board().ranks();
    return new WrongResult(
        "on a board of %,d members with %s ranks, the answer to '%s' is wrong: it %s"
            .formatted(seeded.crowd().members(), method.word(), query.label(), finding));
  }
}
