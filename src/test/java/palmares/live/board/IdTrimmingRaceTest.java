package palmares.live.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.BoardChange.Arrival;
import palmares.live.board.LiveBoards.StoredDecisions;
import palmares.live.journal.Journal;
import palmares.period.Period;
import palmares.platform.redis.RedisClient;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A repeat counts once even if its board trims its id between the search and the call. */
@WorldTest
class IdTrimmingRaceTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Journal journal;
  @Autowired private RedisClient redis;
  @Autowired private EventApplier eventApplier;
  @Autowired private SharedCalls shared;
  @Autowired private KeyRemoval removal;
  @Autowired private MeterRegistry metrics;
  @Autowired private StoredDecisions.Journals journals;

  private final List<Runnable> afterSearch = new ArrayList<>();
  private LiveBoards live;
  private Board board;
  private Period ever;

  @BeforeEach
  void aBoardThatKeepsOneIdAndASearchThatIsFollowedByADrain() {
    board = world.board(Rules.of("year").with("kept-ids: 1"));
    ever = world.open(board);
    world.take(List.of(Fact.by("ann").on("a"), Fact.by("ann").on("b"), Fact.by("ann").on("c")));
    journal.drain(ever);
    live =
        new LiveBoards(
            redis,
            eventApplier,
            shared,
            removal,
            metrics,
            changes -> {
              StoredDecisions found = journals.search(changes);
              if (!afterSearch.isEmpty()) {
                afterSearch.remove(0).run();
              }
              return found;
            });
  }

  @Test
  void aSingleRepeatCountsOnce() {
    BoardChange first = change("x");
    assertThat(verdicts(first)).containsExactly(Verdict.APPLIED);
    afterSearch.add(this::forgetAllButTheLast);
    assertThat(verdicts(first)).containsExactly(Verdict.DUPLICATE);
    assertThat(afterSearch).isEmpty();
    assertCounted(5);
  }

  @Test
  void aBatchWithARepeatCountsOnceInItsOrder() {
    BoardChange first = change("x");
    live.apply(List.of(first));
    afterSearch.add(this::forgetAllButTheLast);
    afterSearch.add(this::forgetAllButTheLast);
    assertThat(verdicts(change("y"), first, change("z"), change("y")))
        .containsExactly(Verdict.APPLIED, Verdict.DUPLICATE, Verdict.APPLIED, Verdict.DUPLICATE);
    assertThat(afterSearch).isEmpty();
    assertCounted(8);
  }

  private void forgetAllButTheLast() {
    world.take(Fact.by("ann").on("another"));
    journal.drain(ever);
  }

  private List<Verdict> verdicts(BoardChange... changes) {
    return live.apply(List.of(changes)).stream().map(Decision::verdict).toList();
  }

  private void assertCounted(int events) {
    journal.drain(ever);
    assertThat(records.number("select count(*) from event")).isEqualTo(events);
  }

  private BoardChange change(String id) {
    return new BoardChange(
        LiveKeys.of(ever),
        new Event(id, new MemberId("ann"), "coin", id, false, 1, null, null, null, null),
        Objects.requireNonNull(board.actions().get("coin")),
        new BoardChange.Worth(1, null, 0),
        world.now(),
        Arrival.NOW,
        null,
        "digest-of-" + id);
  }
}
