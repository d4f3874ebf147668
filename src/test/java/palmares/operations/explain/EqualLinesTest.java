package palmares.operations.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.explain.EqualLines.Level;
import palmares.period.Period;
import palmares.rules.board.Scale;
import palmares.rules.board.Scale.Scoring;
import palmares.rules.board.Scale.ThenBy;
import palmares.rules.board.Scale.Tiebreak;
import palmares.rules.board.TimeResolution;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Binary search counts the same as a scan of all lines, for each order of a board. */
@WorldTest
class EqualLinesTest {
  private static final int MOST_POINTS = 4;
  private static final int MOST_KEYS = 2;

  @Autowired private World world;
  @Autowired private Servers servers;
  @Autowired private Records records;
  @Autowired private EqualLines equals;

  @ParameterizedTest
  @CsvSource({"ADD, false, 40", "ADD, true, 40", "LOWEST_BEST, false, 40", "LOWEST_BEST, true, 1"})
  void binarySearchCountsEveryLine(Scoring scoring, boolean fewestThen, int lines) {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
    int outcome = Math.toIntExact(records.number("select id from revision"));
    var scale =
        new Scale(
            scoring,
            MOST_POINTS,
            new ThenBy("wins", MOST_KEYS, fewestThen),
            Tiebreak.values()[0],
            0,
            TimeResolution.values()[0],
            false);
    servers.unguarded(() -> fill(outcome, scale, lines));
    for (int points = 0; points <= MOST_POINTS; points++) {
      for (int then = 0; then <= MOST_KEYS; then++) {
        var level = new Level(scale, points, then);
        assertThat(equals.ranked(outcome, level))
            .as("%s", level)
            .isEqualTo(
                records.number(
                    "select count(*) from line where rank is not null and points = ? and then_by ="
                        + " ?",
                    points,
                    then));
        assertThat(equals.withPoints(outcome, level))
            .as("%s", level)
            .isEqualTo(records.number("select count(*) from line where points = ?", points));
      }
    }
  }

  /** Lines with few levels, about a third of them without a rank. */
  private void fill(int outcome, Scale scale, int lines) {
    servers.sql("delete from line");
    var random = new Random(lines);
    for (int i = 0; i < lines; i++) {
      servers.sql(
          """
          insert into line (outcome, points, then_by, rank, member)
          values (?, ?, ?, nullif(?, 0), ?)
          """,
          outcome,
          random.nextInt(MOST_POINTS),
          random.nextInt(MOST_KEYS + 1),
          Math.min(1, random.nextInt(3)),
          "member-" + i);
    }
    servers.sql(
        """
        update line set place = placed.place
        from (
          select member,
            row_number() over (order by rank is null, %d * points, %d * then_by) as place
          from line
        ) placed
        where placed.member = line.member
        """
            .formatted(scale.scoring().fewestWin() ? 1 : -1, scale.fewestThen() ? 1 : -1));
  }
}
