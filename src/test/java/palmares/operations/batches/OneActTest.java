package palmares.operations.batches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import palmares.api.roles.Caller;
import palmares.operations.batches.Batches.BoardSum;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.ItemTasks;
import palmares.operations.tasks.TaskLeases;
import palmares.operations.tasks.VerbRequest;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Acts;
import palmares.testing.Fact;
import palmares.testing.MortalProcess;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A cheater is taken out of many periods by one act and one approval, killed on the way. */
@WorldTest
class OneActTest {
  private static final int BOARDS = 3;
  private static final boolean WHOLE = Boolean.getBoolean("tests.one-act");
  private static final int DAYS_WITH_CHEATER = WHOLE ? 22 : 8;
  private static final int MEMBERS = 12;
  private static final int KILLS = WHOLE ? 20 : 10;
  private static final int KILLS_OF_AMENDMENTS = WHOLE ? 8 : 4;
  private static final int MAX_STATEMENTS_BETWEEN_KILLS = 250;

  /** Of amending and approving all periods, with the work that each death repeats. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private static final long SEED = 20261123;

  private static final String NET =
      """
      select account || ' ' || rule || ' ' || currency, sum(amount)
      from entry
      where period_id = ? and kind = 'member'
      group by 1
      having sum(amount) <> 0
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Exclusions exclusions;
  @Autowired private Batches batches;
  @Autowired private Acts acts;
  @Autowired private BatchRunner runner;
  @Autowired private ItemTasks tasks;
  @Autowired private MortalProcess process;
  @Autowired private JdbcClient jdbc;

  /** A settled period, and one with the same events that the cheater did not send. */
  private record Pair(Period period, Period twin) {}

  private static Rules rules(String action) {
    return Rules.day()
        .with("ranks: competition")
        .with("actions: { %s: { points: 1, max-quantity: 1000 } }".formatted(action))
        .with(
            """
            rewards:
              - { rule: podium, ranks: { 1: 1000, 2-3: 301 }, ties: share }
              - { rule: top, top: { 25%: 40, 50%: 7 } }
              - { rule: thanks, taking-part: 1, currency: gems }
            """);
  }

  private List<Pair> settled(Random random) {
    var boards = new ArrayList<Board>();
    for (int i = 0; i < 2 * BOARDS; i++) {
      boards.add(world.board(rules((i < BOARDS ? "act" : "same") + i % BOARDS)));
    }
    var pairs = new ArrayList<Pair>();
    for (int day = 0; day <= DAYS_WITH_CHEATER; day++) {
      List<Period> open = boards.stream().map(world::open).toList();
      world.takeAll(facts(random, day < DAYS_WITH_CHEATER), World.ANYBODY);
      open.forEach(world::due);
      world.sweep();
      List<Period> settled = open.stream().map(world::again).toList();
      assertThat(settled).allMatch(period -> period.state().isSettled());
      for (int i = 0; i < BOARDS; i++) {
        pairs.add(new Pair(settled.get(i), settled.get(i + BOARDS)));
      }
      world.pass(Duration.ofHours(10));
    }
    return pairs;
  }

  private static List<Fact> facts(Random random, boolean cheats) {
    var facts = new ArrayList<Fact>();
    for (int board = 0; board < BOARDS; board++) {
      for (int member = 0; member < MEMBERS; member++) {
        int points = 1 + random.nextInt(20);
        for (String action : List.of("act", "same")) {
          facts.add(Fact.by("m" + member).does(action + board).times(points));
        }
      }
      if (cheats) {
        facts.add(Fact.by("mallory").does("act" + board).times(10 + random.nextInt(15)));
      }
    }
    return facts;
  }

  private Map<String, Long> net(Period period) {
    var net = new TreeMap<String, Long>();
    jdbc.sql(NET)
        .param(period.id().value())
        .query(
            row -> {
              net.put(row.getString(1), row.getLong(2));
            });
    return net;
  }

  private List<String> lines(Period period) {
    return records.published(period).stream()
        .map(line -> "%s %s %d".formatted(line.rank(), line.member(), line.points()))
        .sorted()
        .toList();
  }

  /** What members get and owe in each board and currency, from what its twins have paid. */
  private List<BoardSum> differences(List<Pair> pairs) {
    var sums = new TreeMap<String, BoardSum>();
    for (Pair pair : pairs) {
      var byMember = new TreeMap<String, Long>();
      net(pair.twin()).forEach((what, amount) -> byMember.merge(member(what), amount, Long::sum));
      net(pair.period())
          .forEach((what, amount) -> byMember.merge(member(what), -amount, Long::sum));
      byMember.values().removeIf(amount -> amount == 0);
      var ofPeriod = new TreeMap<String, BoardSum>();
      byMember.forEach(
          (what, amount) -> {
            String board = pair.period().board().value();
            String currency = what.substring(what.lastIndexOf(' ') + 1);
            var sum =
                new BoardSum(
                    board,
                    currency,
                    1,
                    BigDecimal.valueOf(Math.max(0, amount)),
                    BigDecimal.valueOf(Math.max(0, -amount)));
            ofPeriod.merge(
                board + " " + currency, sum, (one, other) -> add(one, other, one.periods()));
          });
      ofPeriod.forEach(
          (key, sum) ->
              sums.merge(
                  key, sum, (one, other) -> add(one, other, one.periods() + other.periods())));
    }
    return List.copyOf(sums.values());
  }

  /** Leaves the rule out of 'member rule currency'. */
  private static String member(String what) {
    return what.substring(0, what.indexOf(' ')) + what.substring(what.lastIndexOf(' '));
  }

  private static BoardSum add(BoardSum one, BoardSum other, long periods) {
    return new BoardSum(
        one.board(),
        one.currency(),
        periods,
        one.gets().add(other.gets()),
        one.owes().add(other.owes()));
  }

  /** Runs the batch, killed that often, then to its end. */
  private Batch runKilled(Batch batch, Random random, int kills) {
    for (int kill = 0; kill < kills; kill++) {
      // The first statement takes the batch.
      long statement = 2 + random.nextInt(MAX_STATEMENTS_BETWEEN_KILLS);
      assertThat(process.killedAt(statement, () -> runner.run(batch.id(), item -> true)))
          .as("kill %d at statement %d", kill, statement)
          .isTrue();
      assertThat(runner.run(batch.id(), item -> true))
          .as("the dead process still holds the batch")
          .isEmpty();
      world.pass(TaskLeases.LEASE_DURATION);
    }
    Batch ended = runner.run(batch.id(), item -> true).orElseThrow();
    assertThat(ended.endedAt()).isNotNull();
    return ended;
  }

  @Test
  void oneExclusionOneAmendmentAndOneApprovalEqualClosingsWithoutTheMember() {
    var random = new Random(SEED);
    List<Pair> pairs = settled(random);
    List<BoardSum> differences = differences(pairs);
    Exclusion exclusion =
        exclusions.exclude(
            Terms.always(new MemberId("mallory"), ExclusionLevel.HIDDEN), "cheats", "ann");
    long start = System.nanoTime();

    Batch amended =
        runKilled(
            acts.amend(new TreeSet<>(Set.of(exclusion.id())), "bob", "mallory is out"),
            random,
            KILLS_OF_AMENDMENTS);
    int touched = BOARDS * DAYS_WITH_CHEATER;
    assertThat(amended.counts()).isEqualTo(new Batch.Counts(0, touched, 0, 0, 0, 0));

    Batches.ApprovalPage page = batches.page(amended.id());
    assertThat(page.periods()).isEqualTo(touched);
    assertThat(page.sums()).usingRecursiveFieldByFieldElementComparator().isEqualTo(differences);
    Batch approved =
        runKilled(
            acts.approve(amended.id(), page.digest(), "cid", "the sum is right"),
            random,
            KILLS - KILLS_OF_AMENDMENTS);
    assertThat(approved.counts()).isEqualTo(new Batch.Counts(0, touched, 0, 0, 0, 0));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);

    for (Pair pair : pairs) {
      assertThat(net(pair.period())).as(pair.period().label()).isEqualTo(net(pair.twin()));
      assertThat(lines(pair.period())).as(pair.period().label()).isEqualTo(lines(pair.twin()));
    }
    assertThat(records.number("select count(*) from revision where revision = 2"))
        .isEqualTo(touched);
    assertThat(records.number("select count(*) from revision where revision > 2")).isZero();
    assertThat(records.number("select count(*) from audit_entry where verb = 'approve'"))
        .isEqualTo(touched);
    assertThat(records.number("select coalesce(sum(amount), 0) from entry")).isZero();
    assertThat(records.verify().named()).isEmpty();
    assertThatThrownBy(() -> batches.page(amended.id()))
        .isInstanceOf(WrongState.class)
        .hasMessageContaining("nothing to decide on");
  }

  private long begin(long key) {
    return Objects.requireNonNull(
        tasks
            .begin(
                new Call(false, "key-" + key, null),
                new VerbRequest("close-batch", null, null, "late", "all"),
                () -> batches.close(new PeriodRange(null, null, null, null)),
                (id, goesOn) -> true)
            .id());
  }

  /** Killed at each statement in turn: nothing of it is stored then, or all of it. */
  @Test
  void aCallThatDiesWhileItBeginsABatchBeginsItOnceByItsKey() {
    SecurityContextHolder.setContext(new SecurityContextImpl(Caller.local("bob").authentication()));
    Board board = world.board(rules("act"));
    var days = new ArrayList<Period>();
    for (int day = 0; day < 2; day++) {
      days.add(world.open(board));
      world.take(Fact.by("ann").does("act"));
      world.pass(Duration.ofDays(1));
    }
    var begun = new ArrayList<Long>();
    boolean killed = true;
    while (killed) {
      long key = begun.size();
      killed = process.killedAt(key + 1, () -> begin(key));
      world.pass(TaskLeases.LEASE_DURATION);
      begun.add(begin(key));
    }
    SecurityContextHolder.clearContext();
    assertThat(begun).hasSizeGreaterThan(8).doesNotHaveDuplicates();
    assertThat(records.number("select count(*) from task")).isEqualTo(begun.size());
    assertThat(records.number("select count(*) from task_item")).isEqualTo(2L * begun.size());
    assertThat(records.number("select count(*) from audit_entry where verb = 'close-batch'"))
        .isEqualTo(begun.size());
    assertThat(begun).allMatch(id -> runner.run(id, () -> true));
    assertThat(days).allMatch(day -> world.again(day).state().isSettled());
    assertThat(records.verify().named()).isEmpty();
  }
}
