package palmares.operations.explain;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.explain.EqualLines.Level;
import palmares.operations.explain.Explanation.Tie;
import palmares.operations.explain.Explanation.Ties;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.rules.board.RankMethod;
import palmares.rules.board.Scale.ThenBy;

/** Finds members with equal points, and what puts them in order. */
@Component
class TieRows {
  private static final int NEIGHBOURS_PER_SIDE = 3;

  private final JdbcClient jdbc;
  private final EqualLines equals;

  TieRows(JdbcClient jdbc, EqualLines equals) {
    this.jdbc = jdbc;
    this.equals = equals;
  }

  private record Line(long place, @Nullable Long rank, MemberScore memberScore) {}

  Ties of(int outcome, Board rules, String member) {
    List<Line> lines = near(outcome, member);
    Line own =
        lines.stream()
            .filter(line -> line.memberScore().member().equals(member))
            .findAny()
            .orElse(null);
    if (own == null) {
      return new Ties(0, List.of());
    }
    var ties = new ArrayList<Tie>();
    for (Line line : lines) {
      if (line != own && line.memberScore().points() == own.memberScore().points()) {
        ties.add(
            new Tie(line.memberScore().member(), line.place(), line.rank(), why(rules, own, line)));
      }
    }
    return new Ties(ties.isEmpty() ? 0 : others(outcome, rules, own), ties);
  }

  private List<Line> near(int outcome, String member) {
    return jdbc.sql(
            """
            select other.place, other.rank, other.member, other.points, other.then_by,
              other.arrival, other.reached_at
            from standing own
            join standing other
              on other.outcome = own.outcome
              and other.place between own.place - :near and own.place + :near
            where own.outcome = :outcome and own.member = :member
            order by other.place
            """)
        .param("near", NEIGHBOURS_PER_SIDE)
        .param("outcome", outcome)
        .param("member", member)
        .query(Line.class)
        .list();
  }

  private long others(int outcome, Board rules, Line own) {
    MemberScore held = own.memberScore();
    return equals.withPoints(outcome, new Level(rules.scale(), held.points(), held.thenBy())) - 1;
  }

  private static Sentence why(Board rules, Line own, Line other) {
    MemberScore mine = own.memberScore();
    MemberScore its = other.memberScore();
    boolean isAhead = other.place() < own.place();
    if ((own.rank() == null) != (other.rank() == null)) {
      return new ExplanationSentences.Placed(
          false, isAhead, new ExplanationSentences.WithoutRank());
    }
    ThenBy second = rules.scale().thenBy();
    if (second != null && mine.thenBy() != its.thenBy()) {
      return new ExplanationSentences.Placed(
          false,
          isAhead,
          new ExplanationSentences.BySecondKey(
              second.name(), second.fewestWin(), its.thenBy(), mine.thenBy()));
    }
    return new ExplanationSentences.Placed(
        rules.ranks() != RankMethod.UNIQUE,
        isAhead,
        rules.scale().explainTie(mine, its, rules.zone()));
  }
}
