package palmares.settlement.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.util.ReflectionTestUtils;
import palmares.live.member.ExternalId;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Seeds;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Slices of a big period give the outcome of one slice, and a restart fills those that miss. */
@WorldTest
@TestPropertySource(properties = "palmares.history.own-tables-from=1")
class SlicesTest {
  private static final int MEMBERS = 24;
  private static final int SLICES = 8;

  private static final String LINES =
      """
      select concat_ws(' ', member, place, coalesce(rank, 0), points, then_by, arrival, reached_at)
      from line
      join revision on revision.id = line.outcome
      where period_id = ?
      order by place, member
      """;

  private static final String PAYMENTS =
      """
      select concat_ws(' ', member, rule, purpose, amount)
      from payment
      join revision on revision.id = payment.outcome
      where period_id = ?
      order by member, rule, purpose
      """;

  private static final String SUMS =
      """
      select concat_ws(' ', lines, line_sum, payments, payment_sum)
      from revision
      where period_id = ?
      """;

  private static final String FROZEN =
      """
      select concat_ws(' ', member, level) from frozen_exclusion where period_id = ? order by member
      """;

  private static final String FILLED =
      "select count(*) from batch_step_execution where step_name like 'slice % of 8'";

  private static final String COMPLETED = FILLED + " and status = 'COMPLETED'";

  /** The times of events are read with the board. */
  private static final String WAITING_FOR_TIMES =
      """
      select count(*) from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%from event%seq = any%'
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private Members members;
  @Autowired private FillPermits permits;
  @Autowired private Leases leases;
  @Autowired private DataSource dataSource;

  private final List<String> triggers = new ArrayList<>();

  private int usually;

  /** On any machine. */
  @BeforeEach
  void fillTwoAtATime() {
    usually = permits.slices();
    ReflectionTestUtils.setField(permits, "slices", 2);
  }

  @AfterEach
  void repair() {
    cut(250_000);
    ReflectionTestUtils.setField(permits, "slices", usually);
    triggers.forEach(
        trigger -> servers.sql("drop function if exists %s cascade".formatted(trigger)));
  }

  private void cut(long members) {
    ReflectionTestUtils.setField(permits, "settings", new FillPermits.Settings(null, members));
  }

  private static Rules rules(String ranks, String more) {
    Rules rules =
        Rules.day()
            .with("ranks: " + ranks)
            .with(
                """
                rewards:
                  - { rule: podium, ranks: { 1: 1000, 2-7: 300 } }
                  - { rule: each-coin, per: coin, credits: 2, currency: gems }
                  - { rule: top, top: { 25%: 40, 50%: 7 } }
                """);
    for (String field : more.split(";")) {
      rules = field.isBlank() ? rules : rules.with(field.strip());
    }
    return rules;
  }

  /** Levels are shared by some members, so that ties cross the borders of slices. */
  private void play(String prefix, Random random) {
    for (int i = 0; i < MEMBERS; i++) {
      world.take(Fact.by(prefix + i).does("coin").times(1 + random.nextInt(5)));
      if (random.nextBoolean()) {
        world.pass(Duration.ofSeconds(1));
      }
    }
  }

  private void exclude(String member, ExclusionLevel level) {
    exclusions.exclude(Terms.always(new MemberId(member), level), "two accounts", "boss");
  }

  private List<String> outcome(Period period) {
    long id = period.id().value();
    var outcome = new ArrayList<String>();
    List.of(LINES, PAYMENTS, SUMS, FROZEN).forEach(sql -> outcome.addAll(records.words(sql, id)));
    return outcome;
  }

  @ParameterizedTest
  @CsvSource({
    "competition, '', false",
    "competition, '', true",
    "dense, '', false",
    "dense, '', true",
    "unique, '', true",
    "competition, 'max-points: 100000000000', true",
    "dense, 'max-points: 100000000000', true",
    "competition, 'tiebreak: arrival; max-events: 1000000', true",
  })
  void slicesGiveTheLinesPaymentsAndChecksumsOfOneSlice(
      String ranks, String more, boolean excludes) {
    for (long seed : Seeds.from1To(1).toArray()) {
      Period whole = world.open(world.board(rules(ranks, more)));
      Period sliced = world.open(world.board(rules(ranks, more)));
      var random = new Random(seed);
      String prefix = "s" + seed + "m";
      play(prefix, random);
      if (excludes) {
        int[] excluded = random.ints(0, MEMBERS).distinct().limit(7).toArray();
        for (int i = 0; i < excluded.length; i++) {
          exclude(prefix + excluded[i], ExclusionLevel.values()[i % 3]);
        }
      }
      world.settle(whole);
      cut(MEMBERS / SLICES);
      long before = records.number(COMPLETED);
      world.settle(sliced);
      cut(250_000);
      assertThat(records.number(COMPLETED) - before).as("slices").isEqualTo(SLICES);
      assertThat(outcome(sliced)).as("seed %d", seed).isEqualTo(outcome(whole));
      assertThat(records.verify().named()).isEmpty();
      assertThat(records.number("select count(*) from closing_slice")).isZero();
      world.pass(Duration.ofDays(1));
    }
  }

  /** Nothing but the slices adds up their payments. */
  @ParameterizedTest
  @ValueSource(ints = {1, SLICES})
  void thePaymentsOfABoardWhoseRulesAllPayByLineAreAddedUp(int slices) {
    Period day =
        world.open(
            world.board(
                rules("competition", "")
                    .with(
                        """
                        rewards:
                          - { rule: podium, ranks: { 1: 1000, 2-24: 300 } }
                        """)));
    play("m", new Random(7));
    exclude("m3", ExclusionLevel.NO_PRIZE);
    cut(MEMBERS / slices);
    world.settle(day);
    assertThat(records.paid(day)).hasSizeGreaterThan(MEMBERS / 2);
    assertThat(records.verify().named()).isEmpty();
  }

  @Test
  void slicesWithholdTheLinesThatOneSliceWithholds() {
    Rules reviewed =
        rules("competition", "durability: committed; actions: { invite: 3, coin: 1 }")
            .with("invites: { action: invite, review: { same-device: 3 } }");
    Period whole = world.open(world.board(reviewed));
    Period sliced = world.open(world.board(reviewed));
    String code = register("m1", null);
    List.of("n1", "n2", "n3").forEach(name -> register(name, code));
    play("m", new Random(5));
    world.settle(whole);
    cut(MEMBERS / SLICES);
    world.settle(sliced);
    assertThat(outcome(sliced)).isEqualTo(outcome(whole));
    assertThat(records.words("select distinct member from withheld_award")).containsExactly("m1");
    assertThat(records.paid(whole).keySet()).noneMatch(key -> key.startsWith("m1 "));
    assertThat(records.verify().named()).isEmpty();
  }

  private String register(String name, @Nullable String code) {
    var id = new MemberId(name);
    return members
        .register(new Registration(new ExternalId(name), name, code, id, null, "one telephone"))
        .profile()
        .inviteCode()
        .value();
  }

  @Test
  void aSliceThatFailsStopsTheOthersAndARestartFillsOnlyThoseThatMiss() {
    Period whole = world.open(world.board(rules("competition", "")));
    Period sliced = world.open(world.board(rules("competition", "")));
    play("m", new Random(4));
    exclude("m3", ExclusionLevel.UNRANKED);
    world.settle(whole);
    cut(MEMBERS / SLICES);
    refuse("new.slice = 4");
    ClosingResult closed = world.close(sliced);
    assertThat(closed.outcome()).isEqualTo(Status.FAILED);
    assertThat(closed.text()).contains("no room on the disk");
    long filled = records.number("select count(*) from closing_slice where lines is not null");
    assertThat(filled).isBetween(1L, SLICES - 1L);
    assertThat(records.number(FILLED + " and status = 'FAILED'")).isPositive();
    assertThat(records.paid(sliced)).isEmpty();
    allow();
    long before = records.number(COMPLETED);
    assertThat(before).isEqualTo(filled);
    world.settle(sliced);
    assertThat(records.number(COMPLETED)).isEqualTo(SLICES);
    assertThat(outcome(sliced)).isEqualTo(outcome(whole));
    assertThat(records.verify().named()).isEmpty();
  }

  /** What was filled with other exclusions would pay other members. */
  @Test
  void aRestartUnderOtherExclusionsBeginsAgain() {
    Period whole = world.open(world.board(rules("competition", "")));
    Period sliced = world.open(world.board(rules("competition", "")));
    play("m", new Random(5));
    cut(MEMBERS / SLICES);
    refuse("new.slice = 4");
    assertThat(world.close(sliced).outcome()).isEqualTo(Status.FAILED);
    allow();
    exclude("m1", ExclusionLevel.HIDDEN);
    world.settle(sliced);
    cut(250_000);
    world.settle(whole);
    assertThat(outcome(sliced)).isEqualTo(outcome(whole));
    assertThat(records.verify().named()).isEmpty();
  }

  /** Else two servers that read it for too long would take the period from each other. */
  @Test
  void aBoardIsReadForItsPlanUnderTheLease() throws SQLException {
    Period day = world.open(world.board(rules("dense", "tiebreak: arrival; max-events: 1000000")));
    play("m", new Random(6));
    cut(MEMBERS / SLICES);
    refuse("true");
    assertThat(world.close(day).outcome()).isEqualTo(Status.FAILED);
    allow();
    servers.sql("delete from closing_slice");
    try (Connection reader = dataSource.getConnection()) {
      reader.setAutoCommit(false);
      var closing =
          CompletableFuture.supplyAsync(() -> world.close(day, step -> lock(step, reader)));
      await().until(() -> closing.isDone() || records.number(WAITING_FOR_TIMES) > 0);
      world.pass(Duration.ofMinutes(1));
      assertThat(leases.take(day.id(), "another server")).isEmpty();
      reader.rollback();
      assertThat(closing.join().outcome()).isEqualTo(Status.SETTLED);
    }
    assertThat(records.verify().named()).isEmpty();
  }

  private static void lock(String step, Connection connection) {
    if (step.equals("fill")) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("lock table event in access exclusive mode");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rank = rank + 1, 'do not continue'",
    "place = place + 1, 'could not create unique index'",
    "from_index = from_index - 1, 'out of order'",
  })
  void aSliceThatWasPlannedWronglyPaysNobody(String change, String said) {
    Period day = world.open(world.board(rules("competition", "")));
    world.take(
        IntStream.range(0, MEMBERS).mapToObj(i -> Fact.by("m" + i).does("coin").times(7)).toList());
    cut(MEMBERS / SLICES);
    refuse("new.slice = 4");
    assertThat(world.close(day).outcome()).isEqualTo(Status.FAILED);
    allow();
    servers.sql("update closing_slice set %s where slice = 4".formatted(change));
    ClosingResult closed = world.close(day);
    assertThat(closed.outcome()).as("%s", closed.text()).isNotEqualTo(Status.SETTLED);
    assertThat(closed.text()).contains(said);
    assertThat(records.paid(day)).isEmpty();
    assertThat(world.again(day).state()).isEqualTo(PeriodState.SEALED);
    world.pass(Duration.ofMinutes(10));
    world.settle(day);
    assertThat(records.paid(day)).containsAllEntriesOf(Map.of("m0 each-coin", 14L));
    assertThat(records.verify().named()).isEmpty();
  }

  /** Lets PostgreSQL refuse to store the sums of a slice. */
  private void refuse(String condition) {
    triggers.add("no_slice");
    servers.sql(
        """
        create or replace function no_slice() returns trigger language plpgsql as $$
        begin
          raise exception 'no room on the disk';
        end $$
        """);
    servers.sql(
        """
        create trigger no_slice before update on closing_slice
        for each row when (%s) execute function no_slice()
        """
            .formatted(condition));
  }

  private void allow() {
    servers.sql("drop trigger no_slice on closing_slice");
  }
}
