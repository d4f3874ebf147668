package palmares.operations.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.from;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.LiveKeys;
import palmares.live.intake.EventOutcome.Kind;
import palmares.live.journal.Journal;
import palmares.live.journal.JournalGap;
import palmares.operations.inbox.Inbox;
import palmares.operations.inbox.InboxItem;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.operations.rebuild.Rebuild.RebuildResult;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Repair;
import palmares.period.WrongState;
import palmares.platform.Problem;
import palmares.rules.board.Board;
import palmares.settlement.closing.ClosingResult;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Line;
import palmares.testing.LiveContent;
import palmares.testing.LiveDump;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A live board is rebuilt only if no event is lost, and then equals the former one. */
@WorldTest
class RebuildTest {
  private static final int MORE_THAN_A_PAGE = 6_000;
  private static final LongConsumer NO_WATCHER = done -> {};

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Journal journal;
  @Autowired private Leases leases;
  @Autowired private Rebuild rebuild;
  @Autowired private Inbox inbox;

  private Period day;

  @BeforeEach
  void aContest() {
    day = world.open(world.board(Contest.rules()));
    world.take(Contest.facts());
  }

  @Test
  void afterARebuildDuplicatesUndosAndTheClosingWorkAsBefore() {
    Fact late = Fact.by("eve").on("the end");
    world.take(late);
    wipe();
    RebuildResult rebuilt = rebuild(Present.REFUSE);

    assertThat(rebuilt)
        .isEqualTo(new RebuildResult(PeriodState.OPEN, 10, 0, List.of(), true, null));
    assertThat(world.take(late).kind()).isEqualTo(Kind.DUPLICATE);
    assertThat(world.take(late.undone()).kind()).isEqualTo(Kind.UNDONE);
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.words("select concat_ws(' ', events, strays) from rebuild"))
        .containsExactly("10 0");
  }

  @Test
  void aCommittedBoardThatRedisLostIsRebuiltCompletely() {
    Board board = world.board(Contest.rules().with("durability: committed"));
    Period safe = world.open(board);
    world.take(Contest.facts().stream().map(fact -> fact.to(board)).toList());
    List<Line> whole = records.live(safe);
    servers.flush();

    rebuild.run(safe.id(), Present.REFUSE, null, () -> {}, NO_WATCHER);

    assertThat(records.live(safe)).isEqualTo(whole).isNotEmpty();
    world.settle(safe);
    assertThat(records.paid(safe)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void anUndoCommittedDuringTheLossFollowsItsAction() {
    Board board = world.board(Contest.rules().with("durability: committed"));
    Period safe = world.open(board);
    Fact like = Fact.by("zoe").on("post").to(board);
    assertThat(world.take(like).kind()).isEqualTo(Kind.APPLIED);
    servers.flush();
    assertThat(world.take(like.undone()).kind()).isEqualTo(Kind.ACCEPTED);

    rebuild.run(safe.id(), Present.REFUSE, null, () -> {}, NO_WATCHER);

    assertThat(records.points(safe, "zoe")).isZero();
    assertThat(records.live(safe)).hasSize(1);
  }

  @Test
  void anExistingBoardIsNotRebuilt() {
    LiveContent before = content();
    assertThatThrownBy(() -> rebuild(Present.REFUSE))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("exists; choose to replace it");
    assertThat(content()).isEqualTo(before);
  }

  @Test
  void aReplacedBoardKeepsEventsThatOnlyRedisHad() {
    LiveContent before = content();
    assertThat(rebuild(Present.REPLACE))
        .isEqualTo(new RebuildResult(PeriodState.OPEN, 9, 0, List.of(), false, null));
    assertThat(content()).isEqualTo(before);
    world.settle(day);
  }

  @Test
  void aFailedRebuildKeepsTheBoardHaltedUntilTheNextOne() {
    world.takeAll(
        IntStream.range(0, MORE_THAN_A_PAGE).mapToObj(n -> Fact.by("m" + n % 700)).toList(),
        World.ANYBODY);
    LiveContent before = content();
    wipe();
    assertThatThrownBy(
            () ->
                rebuild.run(
                    day.id(),
                    Present.REFUSE,
                    null,
                    () -> {},
                    done -> {
                      throw new IllegalStateException("killed at " + done);
                    }))
        .hasMessage("killed at 5000");

    assertThatThrownBy(() -> world.take(Fact.by("ann")))
        .isInstanceOf(LiveBoardUnavailable.class)
        .hasMessageContaining("is being rebuilt");
    assertThatThrownBy(() -> records.live(day)).isInstanceOf(LiveBoardUnavailable.class);
    ClosingResult closed = world.close(day);
    assertThat(closed.text()).contains("rebuild it again");
    rebuild(Present.REFUSE);
    assertThat(content()).isEqualTo(before);
    world.settle(day);
  }

  @Test
  void eventsAfterRedisWentBackCountAfterThoseInPostgres() {
    LiveDump before = LiveDump.of(servers, day);
    Fact lost = Fact.by("fay").on("a");
    Fact taken = Fact.by("fay").on("c");
    world.take(List.of(lost, Fact.by("fay").on("b"), taken));
    journal.drain(day);
    before.restore(servers);
    world.take(List.of(Fact.by("gus").on("a"), taken.again(), Fact.by("gus").on("b"), lost));
    assertThatThrownBy(() -> journal.drain(day))
        .asInstanceOf(type(Repair.Needed.class))
        .returns(Repair.REPLACE, from(Repair.Needed::repair));

    assertThat(rebuild(Present.REPLACE))
        .isEqualTo(new RebuildResult(PeriodState.OPEN, 12, 3, List.of(), false, null));
    assertThat(records.points(day, "fay")).isEqualTo(3);
    assertThat(records.points(day, "gus")).isEqualTo(2);
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aRedisThatWentBackIsNoticedWithoutNewEvents() {
    LiveDump before = LiveDump.of(servers, day);
    world.take(Fact.by("fay"));
    journal.drain(day);
    before.restore(servers);
    assertThat(world.close(day).text())
        .contains("has decided 9 events, and PostgreSQL has 10 of it");
    rebuild(Present.REPLACE);
    world.settle(day);
    assertThat(records.number("select points from standing where member = 'fay'")).isEqualTo(1);
  }

  @Test
  void eventsAfterRedisWentBackCountAfterAFailedClosing() {
    LiveDump before = LiveDump.of(servers, day);
    world.take(Fact.by("fay"));
    journal.drain(day);
    before.restore(servers);
    world.take(List.of(Fact.by("gus"), Fact.by("gus")));
    assertThat(world.close(day).text()).contains("Redis went back to an earlier state");
    assertThat(rebuild(Present.REPLACE))
        .isEqualTo(new RebuildResult(PeriodState.OPEN, 10, 2, List.of(), false, null));
    world.settle(day);
    assertThat(records.words("select member from standing where points between 1 and 2 order by 1"))
        .containsExactly("dan", "fay", "gus");
  }

  @Test
  void eventsThatOnlyTheBoardCountsAreNotGivenUp() {
    journal.drain(day);
    world.take(Fact.by("fay"));
    LiveContent before = content();
    servers.forgetEntry(day, 10);
    assertThatThrownBy(() -> rebuild(Present.REPLACE))
        .isInstanceOf(JournalGap.class)
        .hasMessageContaining("neither PostgreSQL nor the journal in Redis has event 10, which");
    assertThat(content()).as("it goes on as it was").isEqualTo(before);
  }

  @Test
  void aJournalThatWasChangedStopsTheRebuildAndTheEventIsNamed() {
    wipe();
    servers.sql("update event set points = 200 where seq = 2");
    assertThatThrownBy(() -> rebuild(Present.REFUSE))
        .hasFieldOrPropertyWithValue("problem", Problem.EVENTS_MISSING)
        .hasMessageContaining("by bob, was applied with 200 points, but is now applied with 100");
  }

  @Test
  void aJournalThatLacksAnEventStopsTheRebuildAndItsNumberIsNamed() {
    wipe();
    servers.sql("delete from event where seq = 4");
    assertThatThrownBy(() -> rebuild(Present.REFUSE))
        .hasFieldOrPropertyWithValue("problem", Problem.EVENTS_MISSING)
        .hasMessageContaining("lacks event 4");
  }

  @Test
  void aSealedBoardThatIsLostIsMadeAgainAndClosesClean() {
    ClosingResult died = world.close(day, entered -> dieAt("fill", entered));
    assertThat(died.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    LiveContent before = content();
    servers.flush();
    assertThat(rebuild(Present.REFUSE))
        .isEqualTo(new RebuildResult(PeriodState.SEALED, 9, 0, List.of(), true, null));
    assertThat(content()).isEqualTo(before);
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void aBoardThatSomebodyChangedIsPutRightThoughItWasSealed() {
    servers.redis(
        connection -> connection.zSetCommands().zIncrBy(key("board"), 1L << 30, "dan".getBytes()));
    assertThat(world.close(day).text()).contains("dan: the board says");
    rebuild(Present.REPLACE);
    world.settle(day);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
  }

  /** Whether the seal or only the reconciliation finds it: no event is lost by removing it. */
  @ParameterizedTest
  @ValueSource(strings = {"seal", "fill"})
  void aForgedMemberIsRemovedWithoutAnAcknowledgedLoss(String step) {
    assertThat(
            world
                .close(
                    day,
                    entered -> {
                      if (entered.equals(step)) {
                        forge("zoe", 9);
                      }
                    })
                .outcome())
        .isEqualTo(ClosingResult.Status.FAILED);
    assertThat(world.close(day).text()).contains("nobody is paid");
    InboxItem failed =
        inbox.items(day.board()).stream()
            .filter(item -> item.kind() == InboxItem.Kind.FAILED)
            .findFirst()
            .orElseThrow();
    assertThat(failed.next().get(0)).isEqualTo(Repair.REPLACE.next(day.board(), day.name()));

    rebuild(Present.REPLACE);
    world.settle(day);
    assertThat(records.paid(day)).isEqualTo(Contest.PAID);
    assertThat(records.verify().named()).isEmpty();
    assertThat(records.number("select count(*) from acknowledged_loss")).isZero();
  }

  private void forge(String member, long points) {
    servers.redis(
        connection ->
            connection.zSetCommands().zAdd(key("board"), points * (1L << 27), member.getBytes()));
  }

  @Test
  void aSettledPeriodNeedsNone() {
    world.settle(day);
    assertThatThrownBy(() -> rebuild(Present.REPLACE))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is settled");
  }

  @Test
  void anAdoptedBoardIsItsOwnProgramsAndHasNoJournal() {
    Period theirs =
        world.open(
            world.board(
                """
                title: Theirs
                period: day
                adopt: { key: 'lb:{period}', encoding: points }
                """));
    assertThatThrownBy(() -> rebuild.run(theirs.id(), Present.REPLACE, null, () -> {}, NO_WATCHER))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("is adopted");
  }

  @Test
  void whileAnotherHoldsThePeriodNothingIsDone() {
    leases.take(day.id(), "somebody else");
    LiveContent before = content();
    assertThat(rebuild.run(day.id(), Present.REPLACE, null, () -> {}, NO_WATCHER)).isEmpty();
    assertThat(content()).isEqualTo(before);
    world.pass(Duration.ofSeconds(20));
    assertThat(rebuild.run(day.id(), Present.REPLACE, null, () -> {}, NO_WATCHER)).isPresent();
  }

  private RebuildResult rebuild(Present present) {
    return rebuild.run(day.id(), present, null, () -> {}, NO_WATCHER).orElseThrow();
  }

  private void wipe() {
    journal.drain(day);
    servers.flush();
  }

  private LiveContent content() {
    return LiveContent.of(servers, day);
  }

  private byte[] key(String part) {
    return LiveKeys.of(day).name(part).getBytes(UTF_8);
  }

  private static void dieAt(String step, String entered) {
    if (entered.equals(step)) {
      throw new IllegalStateException("killed at " + step);
    }
  }
}
