package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Programs read the same lines of an outcome as the view shows, amended or not. */
@WorldTest
class PublishedTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private PalmaresReport palmaresReport;
  @Autowired private RevisionHistory revisions;
  @Autowired private Exclusions exclusions;
  @Autowired private Amendments amendments;

  private Period day;

  @BeforeEach
  void aSettledContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    world.settle(day);
  }

  @Test
  void aSettledPeriodReadsAsTheView() {
    assertThat(read()).isNotEmpty().isEqualTo(viewed("palmares where true"));
  }

  @Test
  void anAmendmentAndItsBaseReadAsTheView() {
    List<String> before = read();
    amend();
    assertThat(read()).isEqualTo(viewed("palmares where true")).isNotEqualTo(before);
    assertThat(read(1)).isEqualTo(viewed("palmares_revision where revision = 1")).isEqualTo(before);
    assertThat(read(2)).isEqualTo(viewed("palmares_revision where revision = 2"));
  }

  @Test
  void everyPageIsPartOfTheWhole() {
    amend();
    var all = new ArrayList<FinalLine>();
    palmaresReport.each(day.board(), null, all::add);
    int members = all.size();
    assertThat(palmaresReport.members(day.board(), day.name())).isEqualTo(members);
    for (int place = 1; place <= members + 1; place++) {
      for (int count = 1; count <= 3; count++) {
        assertThat(palmaresReport.from(day.board(), day.name(), place, count))
            .isEqualTo(
                all.subList(place - 1, Math.max(place - 1, Math.min(place - 1 + count, members))));
      }
    }
    for (FinalLine line : all) {
      var member = new MemberId(line.member());
      int from = (int) Math.max(0, line.place() - 2);
      assertThat(
              palmaresReport.find(day.board(), day.name(), List.of(member, new MemberId("nobody"))))
          .containsExactly(line);
      assertThat(palmaresReport.around(day.board(), day.name(), member, 1))
          .isEqualTo(all.subList(from, (int) Math.min(members, line.place() + 1)));
    }
    assertThat(palmaresReport.around(day.board(), day.name(), new MemberId("nobody"), 1)).isEmpty();
  }

  private void amend() {
    exclusions.exclude(Terms.always(new MemberId("ann"), ExclusionLevel.UNRANKED), "cheats", "zoe");
    assertThat(
            amendments.prepare(
                day.id(), new AmendmentRequest("zoe", "ann cheated", null, Map.of())))
        .isPresent();
    amendments.approve(day.id(), null, "bob", "right so");
  }

  private List<String> read() {
    var lines = new ArrayList<String>();
    palmaresReport.each(day.board(), List.of(day.name()), line -> lines.add(text(line)));
    return lines;
  }

  private List<String> read(int revision) {
    var lines = new ArrayList<String>();
    revisions.first(day.board(), day.name(), revision, 100, line -> lines.add(text(line)));
    return lines;
  }

  private static String text(FinalLine line) {
    return "%d %s %s %d %d %s %d"
        .formatted(
            line.place(),
            line.rank(),
            line.member(),
            line.points(),
            line.prizes().credits(),
            line.reachedAt(),
            line.awards().values().stream().mapToLong(Long::longValue).sum());
  }

  /** With the sum of the awards, because their order by rule is not defined. */
  private List<String> viewed(String view) {
    return records.words(
        """
        select concat_ws(' ', place, coalesce(rank::text, 'null'), member, points, credits,
          to_char(reached_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), coalesce((
            select sum(value::bigint) from json_each_text(awards)), 0))
        from %s and board = ?
        order by place
        """
            .formatted(view),
        day.board().value());
  }
}
