package palmares.settlement.watch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.board.LiveBoards;
import palmares.live.board.LiveExclusions;
import palmares.live.board.LiveKeys;
import palmares.live.journal.Journal;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.settlement.watch.WatchRound.Settings;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Moves of members on watched boards become facts, once each, also across failures. */
@WorldTest
class RankWatchTest {
  private static final Settings MANY = new Settings(10_000);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Periods periods;
  @Autowired private RankWatch watch;
  @Autowired private Journal journal;
  @Autowired private Rebuild rebuild;
  @Autowired private Exclusions exclusions;
  @Autowired private LiveExclusions live;
  @Autowired private LiveBoards liveBoards;
  @Autowired private Clock clock;
  @Autowired private DataSource dataSource;
  @Autowired private MeterRegistry metrics;

  private WatchRound round;
  private @Nullable Period day;
  private long last;

  @BeforeEach
  void aTargetOfFactsAboutRanks() {
    servers.sql(
        """
        insert into outbox_target (name, address, facts, since, fact)
        values ('app', 'nowhere', '{rank.entered,rank.left,rank.passed}', now(), 0)
        """);
    round = server();
    last = 0;
  }

  private WatchRound server() {
    return new WatchRound(periods, watch, MANY, clock);
  }

  private Board open(String... fields) {
    Rules rules = Rules.day();
    List.of(fields).forEach(rules::with);
    Board board = world.board(rules);
    day = world.open(board);
    return board;
  }

  private Period day() {
    return requireNonNull(day);
  }

  private void coins(String member, long coins) {
    world.take(Fact.by(member).does("coin").times(coins));
  }

  /** Runs a round a second later, and returns the facts that it has stored. */
  private List<String> watched() {
    world.pass(Duration.ofSeconds(1));
    round.run(() -> true);
    return news();
  }

  private List<String> news() {
    List<String> facts =
        records.words(
            """
            select concat_ws(' ', type, data ->> 'member',
              coalesce(data ->> 'top', data ->> 'threshold', data ->> 'by'),
              coalesce(data ->> 'formerRank', '-') || '>' || coalesce(data ->> 'rank', '-'))
            from fact where type like 'rank.%' and id > ? order by id
            """,
            last);
    last = records.number("select coalesce(max(id), 0) from fact where type like 'rank.%'");
    return facts;
  }

  @Test
  void membersEnterLeaveAndPass() {
    open("watch: { top: [2], points: [50], passed: true }");
    coins("ann", 10);
    coins("bob", 5);
    assertThat(watched()).containsExactly("rank.entered ann 2 ->1", "rank.entered bob 2 ->2");
    coins("bob", 10);
    assertThat(watched()).containsExactly("rank.passed ann bob 1>2");
    coins("cid", 60);
    assertThat(watched())
        .containsExactly(
            "rank.left ann 2 2>3",
            "rank.entered cid 2 ->1",
            "rank.entered cid 50 ->1",
            "rank.passed bob cid 1>2");
    String id = records.words("select type || ':' || subject from fact order by id desc").get(0);
    assertThat(id)
        .isEqualTo(
            "rank.passed:%s/%s/bob/passed/%s"
                .formatted(day().board(), day().name(), world.now().getEpochSecond()));
    assertThat(records.words("select data::text from fact order by id desc limit 1").get(0))
        .isEqualTo(
            "{\"member\":\"bob\",\"formerRank\":1,\"rank\":2,\"points\":15,\"by\":\"cid\","
                + "\"byRank\":1,\"byPoints\":60}");
    assertThat(metrics.counter("palmares.watch.moves", "fact", "rank.passed").count())
        .isGreaterThanOrEqualTo(2);
  }

  @Test
  void aBoardThatDoesNotChangeIsNotComparedAgain() {
    open("watch: { top: [2] }");
    coins("ann", 10);
    watched();
    long comparisons = metrics.timer("palmares.watch.comparison").count();
    assertThat(watched()).isEmpty();
    assertThat(metrics.timer("palmares.watch.comparison").count()).isEqualTo(comparisons);
    coins("ann", 1);
    watched();
    assertThat(metrics.timer("palmares.watch.comparison").count()).isEqualTo(comparisons + 1);
  }

  @Test
  void boardsThatAreNotWatchedAndFactsThatNobodyWantsAreNotStored() {
    Board plain = world.board(Rules.day());
    open("watch: { top: [2] }");
    world.open(plain);
    world.take(Fact.by("zed").to(plain));
    servers.sql("update outbox_target set facts = '{rank.left}'");
    coins("ann", 10);
    coins("bob", 9);
    coins("cid", 8);
    assertThat(watched()).isEmpty();
    coins("cid", 9);
    assertThat(watched()).containsExactly("rank.left bob 2 2>3");
  }

  /** Each move would be kept until somebody acts. What it knows then leads to what is true then. */
  @Test
  void whileATargetIsParkedNothingIsStoredAndAfterItWhatHasMovedAltogether() {
    open("watch: { top: [1], passed: true }");
    coins("ann", 10);
    watched();
    servers.sql(
        """
        update outbox_target
        set parked_at = now(), failures = 1, failing_since = now(),
          failure = '{"code": "delivery.closed", "values": {}, "text": ""}'
        """);
    coins("bob", 11);
    assertThat(watched()).isEmpty();
    coins("ann", 5);
    assertThat(watched()).isEmpty();
    coins("cid", 20);
    assertThat(watched()).isEmpty();
    servers.sql(
        """
        update outbox_target
        set parked_at = null, failures = 0, failing_since = null, failure = null
        """);
    assertThat(watched()).containsExactly("rank.left ann 1 1>2", "rank.entered cid 1 ->1");
  }

  @Test
  void aParkedTargetKeepsNoOtherFromItsFacts() {
    open("watch: { top: [1] }");
    servers.sql(
        """
        insert into outbox_target (
          name, address, facts, since, fact, failures, failing_since, failure, parked_at)
        values ('gone', 'nowhere', '{rank.entered}', now(), 0, 1, now(),
          '{"code": "delivery.closed", "values": {}, "text": ""}', now())
        """);
    coins("ann", 10);
    assertThat(watched()).containsExactly("rank.entered ann 1 ->1");
  }

  @Test
  void aServerThatStartsAgainRepeatsNothingAndForgetsNothing() {
    open("watch: { top: [1], passed: true }");
    coins("ann", 10);
    watched();
    coins("bob", 11);
    round = server();
    assertThat(watched()).containsExactly("rank.left ann 1 1>2", "rank.entered bob 1 ->1");
    round = server();
    assertThat(watched()).isEmpty();
  }

  @Test
  void aComparisonThatDoesNotCommitIsFoundAgain() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    servers.sql("alter table fact add constraint broken check (type <> 'rank.entered')");
    try {
      assertThat(watched()).isEmpty();
      assertThat(records.number("select count(*) from watched_period where seen is not null"))
          .isZero();
    } finally {
      servers.sql("alter table fact drop constraint broken");
    }
    assertThat(watched()).containsExactly("rank.entered ann 1 ->1");
  }

  @Test
  void severalServersCompareABoardOnceASecond() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    watched();
    WatchRound other = server();
    coins("bob", 11);
    round.run(() -> true);
    other.run(() -> true);
    assertThat(news()).as("within the second").isEmpty();
    world.pass(Duration.ofSeconds(1));
    other.run(() -> true);
    round.run(() -> true);
    assertThat(news()).containsExactly("rank.left ann 1 1>2", "rank.entered bob 1 ->1");
  }

  @Test
  void aBoardIsComparedAlthoughTheClockWasSetBack() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    watched();
    servers.sql("update watched_period set compared_at = compared_at + interval '1 hour'");
    coins("bob", 11);
    assertThat(watched()).containsExactly("rank.left ann 1 1>2", "rank.entered bob 1 ->1");
  }

  @Test
  void aServerThatComparesKeepsOthersFromItUntilItDies() throws Exception {
    open("watch: { top: [1] }");
    coins("ann", 10);
    watched();
    coins("bob", 11);
    try (Connection other = dataSource.getConnection()) {
      other.setAutoCommit(false);
      other.createStatement().execute("select from palmares.watched_period for update");
      assertThat(watched()).isEmpty();
      other.rollback();
    }
    assertThat(watched()).hasSize(2);
  }

  @Test
  void theMostFactsOfARoundAreSharedAndTheOthersFollow() {
    Board first = world.board(Rules.day().with("watch: { top: [10] }"));
    Board second = world.board(Rules.day().with("watch: { top: [10] }"));
    world.open(first);
    world.open(second);
    for (int n = 0; n < 6; n++) {
      world.take(Fact.by("m" + n).to(first));
      world.take(Fact.by("m" + n).to(second));
    }
    round = new WatchRound(periods, watch, new Settings(4), clock);
    assertThat(IntStream.range(0, 3).map(n -> watched().size()).toArray()).containsExactly(4, 4, 4);
    assertThat(watched()).isEmpty();
    assertThat(records.number("select count(distinct subject) from fact where type like 'rank.%'"))
        .isEqualTo(12);
  }

  @Test
  void undoneActionsLeaveButPassNobody() {
    open("watch: { top: [1, 3], passed: true }");
    Fact like = Fact.by("ann").on("post");
    world.take(like);
    Fact other = Fact.by("ann").on("page");
    world.take(other);
    world.take(Fact.by("bob").on("post"));
    watched();
    world.take(like.undone());
    world.take(other.undone());
    assertThat(watched()).containsExactly("rank.left ann 1 1>2", "rank.entered bob 1 2>1");
  }

  @ParameterizedTest
  @EnumSource(names = {"HIDDEN", "UNRANKED"})
  void excludedMembersLeaveAndPassNobodyWhenTheyComeBack(ExclusionLevel level) {
    open("watch: { top: [2], passed: true }");
    coins("ann", 10);
    coins("bob", 9);
    coins("cid", 8);
    watched();
    var exclusion = exclusions.exclude(Terms.always(new MemberId("ann"), level), "a law", "test");
    live.updateAll();
    assertThat(watched()).containsExactly("rank.left ann 2 1>-", "rank.entered cid 2 ->2");
    exclusions.lift(exclusion.id(), "a mistake", "test");
    live.updateAll();
    assertThat(watched()).containsExactly("rank.left cid 2 2>3", "rank.entered ann 2 ->1");
  }

  @Test
  void whereRanksAreSharedTopsCountPlacesAndATiePassesNobody() {
    open("ranks: competition", "watch: { top: [2], passed: true }");
    coins("ann", 10);
    world.pass(Duration.ofSeconds(1));
    coins("bob", 10);
    world.pass(Duration.ofSeconds(1));
    coins("cid", 10);
    assertThat(watched()).containsExactly("rank.entered ann 2 ->1", "rank.entered bob 2 ->1");
    coins("bob", 1);
    assertThat(watched()).containsExactly("rank.passed ann bob 1>2");
  }

  @Test
  void whereTheLowestValueWinsFewerPointsEnterAndPass() {
    open(
        "scoring: lowest-best",
        "actions: { lap: {} }",
        "watch: { top: [2], points: [50], passed: true }");
    world.take(Fact.by("ann").does("lap").with(60));
    world.take(Fact.by("bob").does("lap").with(70));
    watched();
    world.take(Fact.by("bob").does("lap").with(50));
    assertThat(watched()).containsExactly("rank.entered bob 50 2>1", "rank.passed ann bob 1>2");
  }

  @Test
  void aHaltedBoardIsNotComparedUntilItIsRebuilt() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    watched();
    coins("bob", 11);
    journal.drain(day());
    servers.redis(redis -> redis.keyCommands().del(LiveKeys.of(day()).lines()));
    assertThat(watched()).as("torn").isEmpty();
    rebuild.run(day().id(), Present.REPLACE, null, () -> {}, done -> {});
    assertThat(watched()).containsExactly("rank.left ann 1 1>2", "rank.entered bob 1 ->1");
  }

  @Test
  void aBoardThatRedisHasLostIsNotAnEmptyOne() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    watched();
    journal.drain(day());
    servers.flush();
    assertThat(watched()).isEmpty();
    rebuild.run(day().id(), Present.REFUSE, null, () -> {}, done -> {});
    assertThat(watched()).isEmpty();
  }

  @Test
  void whatHappensBeforeTheSealIsFoundAfterItAndNothingMore() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    watched();
    coins("bob", 11);
    world.settle(day());
    assertThat(watched()).containsExactly("rank.left ann 1 1>2", "rank.entered bob 1 ->1");
    assertThat(records.number("select count(*) from watched_period where not is_over")).isZero();
    assertThat(records.number("select count(seen) from watched_period")).isZero();
    assertThat(watched()).isEmpty();
  }

  /** A closing has sealed the board in Redis, and its transaction has not committed yet. */
  @Test
  void aBoardThatIsComparedInTheMiddleOfItsSealIsOverAfterIt() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    liveBoards.seal(day());
    assertThat(watched()).containsExactly("rank.entered ann 1 ->1");
    world.settle(day());
    assertThat(watched()).isEmpty();
    assertThat(records.number("select count(*) from watched_period where not is_over")).isZero();
  }

  /** The facts that the restored database has lost were delivered, and receivers know their ids. */
  @Test
  void afterARestoreOfPostgresIdsDoNotComeAgain() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    watched();
    servers.sql("create table before as select * from watched_period");
    try {
      coins("bob", 11);
      watched();
      coins("ann", 5);
      watched();
      List<String> delivered = records.words("select type || subject from fact order by id");
      servers.sql(
          """
          delete from fact where id > (select min(id) from fact);
          update watched_period now set comparison = before.comparison, seen = before.seen,
            compared_at = before.compared_at
          from before where before.period_id = now.period_id
          """);
      coins("bob", 9);
      round = server();
      assertThat(watched()).containsExactly("rank.left ann 1 1>2", "rank.entered bob 1 ->1");
      assertThat(records.words("select type || subject from fact order by id").subList(1, 3))
          .doesNotContainAnyElementsOf(delivered);
    } finally {
      servers.sql("drop table before");
    }
  }

  @Test
  void whatAnImportWritesIsComparedAfterItAndWhatItOpenedAfterItsEndNever() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    servers.sql(
        """
        insert into import_run (sources, by, started_at, heartbeat_at)
        values ('old', 'zoe', now(), now());
        update period set opened_by_import = (select max(id) from import_run)
        """);
    assertThat(watched()).as("while it goes on").isEmpty();
    servers.sql("update import_run set ended_at = now()");
    assertThat(watched()).containsExactly("rank.entered ann 1 ->1");
    coins("bob", 11);
    servers.sql("update period set opened_at = ends_at");
    assertThat(watched()).isEmpty();
  }

  @Test
  void whatIsSeenIsWrittenOnlyIfItDiffers() {
    open("watch: { top: [1] }");
    coins("ann", 10);
    watched();
    servers.sql("update watched_period set seen = seen || '{\"untouched\": 1}'");
    coins("bob", 1);
    watched();
    assertThat(records.words("select seen ->> 'untouched' from watched_period"))
        .containsExactly("1");
  }

  @Test
  void thePauseOfAPassedMemberEndsThoughTheBoardDoesNotChange() {
    open("watch: { top: [5], passed: true }");
    coins("ann", 10);
    coins("bob", 9);
    coins("cid", 8);
    watched();
    coins("bob", 2);
    assertThat(watched()).containsExactly("rank.passed ann bob 1>2");
    coins("cid", 4);
    assertThat(watched()).containsExactly("rank.passed bob cid 1>2");
    world.pass(Duration.ofSeconds(57));
    assertThat(watched()).isEmpty();
    assertThat(watched()).containsExactly("rank.passed ann cid 2>3");
  }

  @Test
  void theMostFactsMustBeAFewAtLeast() {
    assertThatThrownBy(() -> new Settings(0)).hasMessageContaining("must be 1 to 10000");
    assertThatThrownBy(() -> new Settings(10_001)).hasMessageContaining("must be 1 to 10000");
  }
}
