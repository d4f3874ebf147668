package palmares.operations.lateevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static palmares.operations.lateevents.CorrectedRevisions.ofCorrections;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.intake.EventOutcome;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.operations.lateevents.LateEventReview.EvaluatedLateEvent;
import palmares.period.Period;
import palmares.period.WrongState;
import palmares.rules.board.Board;
import palmares.rules.board.RankMethod;
import palmares.testing.Fact;
import palmares.testing.Model;
import palmares.testing.ModelRules;
import palmares.testing.RandomFacts;
import palmares.testing.Records;
import palmares.testing.Seeds;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Accepted late events make the same lines as events in time. */
@WorldTest
class LateLawTest {
  private static final int IN_TIME = 60;
  private static final int LATE = 60;
  private static final Choice ACCEPT = new Choice(Verdict.ACCEPTED, "ann", "a slow line", false);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private LateEventDecisions decisions;
  @Autowired private LateEventReview review;
  @Autowired private Corrections corrections;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

  private CorrectedRevisions revisions;

  @BeforeEach
  void prepare() {
    revisions = new CorrectedRevisions(jdbc, transaction, corrections);
  }

  static LongStream seeds() {
    return Seeds.from1To(6);
  }

  /** In time, a value that improves nothing uses up what counts once; late, it does not. */
  private static boolean countsOnceByValue(ModelRules rules) {
    return !rules.scoring().equals("add")
        && rules.actions().values().stream().anyMatch(action -> action.isLimited());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anAcceptedEventCountsAsInTimeAndOthersAreRefused(long seed) {
    var chance = new RandomFacts(seed);
    assumeTrue(!countsOnceByValue(chance.goesBy()));
    RankMethod ranks = RankMethod.values()[(int) (seed % 3)];
    Board board = world.board(chance.rules().with("ranks: " + ranks.word()));
    Period period = world.open(board);
    Model model = chance.model();
    world.now(period.slot().endsAt());
    for (Fact fact : facts(chance, period, IN_TIME)) {
      model.apply(fact);
      world.take(fact);
    }
    period = world.settle(period);

    var seen = new HashSet<String>(records.words("select id from event"));
    List<Fact> late = late(facts(chance, period, LATE), seen);
    int half = late.size() / 2;
    for (Fact fact : late.subList(0, half)) {
      accept(period, fact, model, seed);
    }
    revisions.amend(period, 1);
    assertBasis(period, 2, chance, model, seed);
    revisions.post(period, 2);
    for (Fact fact : late.subList(half, late.size())) {
      accept(period, fact, model, seed);
    }
    revisions.amend(period, 2);
    assertBasis(period, 3, chance, model, seed);
    assertThat(ofCorrections(records.verify())).as("verified, seed %d", seed).isEmpty();
  }

  private static List<Fact> facts(RandomFacts chance, Period period, int count) {
    var facts = new ArrayList<Fact>();
    while (facts.size() < count) {
      facts.addAll(chance.facts(period.slot(), count - facts.size()));
    }
    return facts;
  }

  /** The late and undecided events, the first under each id. */
  private List<Fact> late(List<Fact> facts, Set<String> seen) {
    var late = new ArrayList<Fact>();
    for (Fact fact : facts) {
      EventOutcome outcome = world.take(fact);
      if (seen.add(fact.id())) {
        assertThat(outcome.kind()).isEqualTo(EventOutcome.Kind.LATE);
        late.add(fact);
      }
    }
    return late;
  }

  private void accept(Period period, Fact fact, Model model, long seed) {
    String expected = model.apply(fact);
    if (expected.equals("applied") || expected.equals("undone")) {
      decisions.decide(period, List.of(fact.id()), ACCEPT);
    } else {
      assertThatThrownBy(() -> decisions.decide(period, List.of(fact.id()), ACCEPT))
          .as("%s, which would be %s, seed %d", fact, expected, seed)
          .isInstanceOf(WrongState.class)
          .hasMessageContaining("cannot count");
      assertThat(records.words("select verdict from late_event where id = ?", fact.id()))
          .as("nothing is changed")
          .containsOnlyNulls();
    }
    world.pass(Duration.ofMillis(1));
  }

  private void assertBasis(
      Period period, int revision, RandomFacts chance, Model model, long seed) {
    ModelRules rules = chance.goesBy();
    boolean fewestWin = rules.scoring().equals("lowest-best");
    assertThat(revisions.basis(period, revision, fewestWin, rules.maxThen() > 0 && rules.fewest()))
        .as("revision %d, seed %d, %s", revision, seed, chance)
        .isEqualTo(model.lines(RankMethod.UNIQUE));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theRankOfALateEventIsThatOfItsLine(long seed) {
    var chance = new RandomFacts(seed);
    RankMethod ranks = RankMethod.values()[(int) (seed % 3)];
    Board board = world.board(chance.rules().with("ranks: " + ranks.word()));
    Period period = world.open(board);
    world.now(period.slot().endsAt());
    facts(chance, period, IN_TIME).forEach(world::take);
    period = world.settle(period);
    late(facts(chance, period, LATE), new HashSet<>(records.words("select id from event")));

    for (EvaluatedLateEvent late : review.list(board.id(), period.name(), false, null, LATE)) {
      if (late.rejection() == null) {
        assertThat(late.rank())
            .as("%s, seed %d, %s", late, seed, ranks)
            .isEqualTo(rank(period, late, ranks, chance.goesBy()));
      }
    }
  }

  /** Computes the rank by a window over all lines, in a transaction that is rolled back. */
  private long rank(Period period, EvaluatedLateEvent late, RankMethod ranks, ModelRules rules) {
    return transaction.execute(
        status -> {
          status.setRollbackOnly();
          decisions.decide(period, List.of(late.event().id()), ACCEPT);
          revisions.amend(period, 1);
          String level =
              "%s points, %s then_by"
                  .formatted(
                      rules.scoring().equals("lowest-best") ? "" : "-",
                      rules.maxThen() > 0 && rules.fewest() ? "" : "-");
          return records.number(
              """
              select rank from (
                select member, %s as rank
                from basis
                where period_id = ? and revision = 2
                window exact as (order by %s, arrival, reached_at, member collate "C" desc),
                  level as (order by %s)) ranked
              where member = ?
              """
                  .formatted(
                      switch (ranks) {
                        case UNIQUE -> "row_number() over exact";
                        case COMPETITION -> "rank() over level";
                        case DENSE -> "dense_rank() over level";
                      },
                      level,
                      level),
              period.id().value(),
              late.event().member());
        });
  }
}
