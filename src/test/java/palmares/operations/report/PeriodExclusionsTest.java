package palmares.operations.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.report.PeriodExclusions.Applied;
import palmares.operations.report.PeriodExclusions.Position;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import palmares.testing.Contest;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A period shows the exclusions that its outcome was computed with, and what changed since. */
@WorldTest
class PeriodExclusionsTest {
  @Autowired private World world;
  @Autowired private Exclusions exclusions;
  @Autowired private PeriodExclusions applied;
  @Autowired private Amendments amendments;

  private long exclude(String member, ExclusionLevel level) {
    return exclusions.exclude(Terms.always(new MemberId(member), level), "a bot", "dan").id();
  }

  private List<String> shown(Period period, @Nullable Integer revision) {
    return applied.page(period, applied.freeze(period, revision).orElse(null), null, 100).stream()
        .map(row -> row.exclusion().terms().member() + " " + row.status().word())
        .toList();
  }

  @Test
  void anOutcomeKeepsItsExclusionsAndSaysWhatChangedSince() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    long ann = exclude("ann", ExclusionLevel.NO_PRIZE);
    exclude("bob", ExclusionLevel.UNRANKED);
    assertThat(shown(day, null)).containsExactly("ann in-force", "bob in-force");
    Period settled = world.settle(day);
    assertThat(shown(settled, null)).containsExactly("ann applied", "bob applied");

    exclusions.lift(ann, "she is none", "dan");
    exclude("cid", ExclusionLevel.HIDDEN);
    exclude("somebody-else", ExclusionLevel.HIDDEN);
    assertThat(shown(settled, null))
        .containsExactly("ann lifted-since", "bob applied", "cid added-since");

    amendments.prepare(settled.id(), new AmendmentRequest("bob", "cid is a bot", null, Map.of()));
    assertThat(shown(settled, 2)).containsExactly("bob applied", "cid applied");
    assertThat(shown(settled, null)).as("in force until the decision").contains("ann lifted-since");
    amendments.approve(settled.id(), null, "eve", "fine");
    assertThat(shown(world.again(settled), null)).containsExactly("bob applied", "cid applied");
    assertThat(shown(world.again(settled), 1)).contains("ann lifted-since");
  }

  @Test
  void pagesHaveEachExclusionOnce() {
    Period day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
    exclude("ann", ExclusionLevel.NO_PRIZE);
    exclude("bob", ExclusionLevel.NO_PRIZE);
    Period settled = world.settle(day);
    exclude("bob", ExclusionLevel.HIDDEN);
    var freeze = applied.freeze(settled, null).orElseThrow();
    var seen = new ArrayList<String>();
    Position after = null;
    for (List<Applied> page = applied.page(settled, freeze, null, 1);
        !page.isEmpty();
        page = applied.page(settled, freeze, after, 1)) {
      Applied row = page.get(0);
      seen.add(row.exclusion().terms().member() + " " + row.status().word());
      after = new Position(row.exclusion().terms().member().value(), row.exclusion().id());
    }
    assertThat(seen).containsExactly("ann applied", "bob applied", "bob added-since");
  }
}
