package palmares.live.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.settlement.closing.Sweep;
import palmares.testing.Fact;
import palmares.testing.LiveContent;
import palmares.testing.LiveDump;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Live boards get the list of exclusions, even after failures of Redis or of commands. */
@WorldTest
class LiveExclusionsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions live;
  @Autowired private LiveBoards boards;
  @Autowired private Sweep sweep;
  @Autowired private Journal journal;
  @Autowired private Rebuild rebuild;

  private Board board;
  private Period day;

  @BeforeEach
  void aBoardOfThree() {
    board = world.board(Rules.day());
    day = world.open(board);
    happen();
  }

  private void happen() {
    world.take(
        List.of(
            Fact.by("ann").does("coin").times(3).to(board),
            Fact.by("bob").does("coin").times(2).to(board),
            Fact.by("cid").does("coin").times(1).to(board)));
  }

  private Exclusion exclude(String member, ExclusionLevel level) {
    return exclusions.exclude(Terms.always(new MemberId(member), level), "a law", "test");
  }

  private List<String> top() {
    return records.live(day).stream().map(line -> line.rank() + " " + line.member()).toList();
  }

  @Test
  void theSweepUpdatesABoardAfterTheCommandDied() {
    exclude("ann", ExclusionLevel.HIDDEN);
    assertThat(top()).containsExactly("1 ann", "2 bob", "3 cid");
    sweep.run();
    assertThat(top()).containsExactly("1 bob", "2 cid");
    assertThat(live.updateAll()).as("updated once").isEmpty();
  }

  @Test
  void eventsOfAnExcludedMemberMoveNobodyDown() {
    board = world.board(Rules.day().with("ranks: dense"));
    day = world.open(board);
    happen();
    exclude("cid", ExclusionLevel.UNRANKED);
    live.updateAll();
    world.take(Fact.by("cid").does("coin").times(5).to(board));
    assertThat(top()).containsExactly("1 ann", "2 bob");
  }

  @Test
  void aNewBoardHasTheExclusionsFromItsFirstEvent() {
    exclude("ann", ExclusionLevel.UNRANKED);
    world.now(day.slot().endsAt());
    day = world.open(board);
    happen();
    assertThat(top()).containsExactly("1 bob", "2 cid");
  }

  @Test
  void aRebuiltBoardHasTheExclusions() {
    exclude("ann", ExclusionLevel.HIDDEN);
    live.updateAll();
    journal.drain(day);
    servers.flush();
    rebuild.run(day.id(), Present.REFUSE, null, () -> {}, done -> {});
    assertThat(top()).containsExactly("1 bob", "2 cid");
  }

  @Test
  void aBoardThatWentBackIsUpdatedAgain() {
    LiveDump dump = LiveDump.of(servers, day);
    exclude("ann", ExclusionLevel.HIDDEN);
    live.updateAll();
    dump.restore(servers);
    assertThat(top()).hasSize(3);
    sweep.run();
    assertThat(top()).containsExactly("1 bob", "2 cid");
  }

  @Test
  void anOlderListNeverReplacesANewerOne() {
    LiveKeys keys = LiveKeys.of(day);
    Exclusion made = exclude("ann", ExclusionLevel.HIDDEN);
    exclusions.lift(made.id(), "a law", "test");
    exclude("bob", ExclusionLevel.HIDDEN);
    live.updateAll();
    var before = LiveContent.of(servers, day);
    assertThat(setExclusions(keys, "2", "", "bob", "", "cid", "hidden")).isEqualTo("newer");
    assertThat(LiveContent.of(servers, day)).isEqualTo(before);
    assertThat(setExclusions(keys, "3", "~", "cid", "hidden")).as("half of it").isEqualTo("done");
    assertThat(live.updateAll()).as("the whole list").hasSize(1);
    assertThat(top()).containsExactly("1 ann", "2 cid");
  }

  @Autowired private RedisClient redis;

  private String setExclusions(LiveKeys keys, String... arguments) {
    byte[][] all = {
      keys.meta(),
      keys.lines(),
      keys.levels(),
      keys.holders(),
      keys.places(),
      keys.excluded(),
      keys.excludedLines()
    };
    return LiveBoards.text(
        redis
            .run(LiveScripts.SET_EXCLUSIONS, new ScriptCall(all, ScriptCall.arguments(arguments)))
            .get(0));
  }

  @Test
  void anUpdateDoesNotCreateADeletedBoard() {
    exclude("ann", ExclusionLevel.HIDDEN);
    boards.delete(day, () -> {});
    live.update(day);
    assertThat(LiveContent.of(servers, day).keys()).isEmpty();
  }

  @Test
  void aDeletedBoardLeavesNoKeys() {
    exclude("ann", ExclusionLevel.HIDDEN);
    exclude("cid", ExclusionLevel.UNRANKED);
    live.updateAll();
    assertThat(LiveContent.of(servers, day).keys()).containsKeys("excluded", "excluded-lines");
    journal.drain(day);
    boards.delete(day, () -> {});
    assertThat(LiveContent.of(servers, day).keys()).isEmpty();
  }

  @Test
  void aBoardWithoutExclusionsHasNoKeysForThem() {
    exclude("ann", ExclusionLevel.NO_PRIZE);
    live.updateAll();
    assertThat(LiveContent.of(servers, day).keys().keySet())
        .doesNotContain("excluded", "excluded-lines");
    assertThat(top()).containsExactly("1 ann", "2 bob", "3 cid");
  }

  @ParameterizedTest
  @EnumSource(RankMethod.class)
  void thousandsOfWinnersAreExcludedInSeveralCalls(RankMethod ranks) {
    board = world.board(Rules.day().with("ranks: " + ranks.word()));
    day = world.open(board);
    happen();
    var facts = new ArrayList<Fact>();
    IntStream.range(0, 1_300)
        .forEach(i -> facts.add(Fact.by("m" + i).does("coin").times(100 + i).to(board)));
    world.takeAll(facts, World.ANYBODY);
    servers.sql(
        """
        insert into exclusion (member, level, reason, made_by, made_at)
        select 'm' || i, 'hidden', 'a law', 'test', now() from generate_series(0, 1299) i
        """);
    live.updateAll();
    assertThat(top()).containsExactly("1 ann", "2 bob", "3 cid");
    assertThat(records.around(day, "bob", 1)).hasSize(3);
  }
}
