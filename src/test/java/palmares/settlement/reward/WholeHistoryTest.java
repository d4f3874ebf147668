package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.explain.Explainer;
import palmares.operations.explain.Explanation;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.exclusion.Exclusion;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Fact;
import palmares.testing.FaultTable;
import palmares.testing.Line;
import palmares.testing.Model;
import palmares.testing.RandomFacts;
import palmares.testing.Records;
import palmares.testing.Seeds;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * From the first event to the last amendment, a period is what a model in plain Java says: outcomes
 * of events, lines, what each member owns by each rule, and what an explanation says of it. Boards,
 * payouts, events, exclusions, decisions on ties and corrections are random, and all of them meet.
 * A history that differs is cut down to the events that it takes.
 */
@WorldTest
class WholeHistoryTest {
  private static final Path JOURNAL = Path.of("target", "histories.tsv");

  /** Seeds beyond this one are a campaign's, which is continued and written down. */
  private static final int FEW = 4;

  private static final int FACTS = 200;
  private static final int MAX_ATTEMPTS_TO_SHRINK = 60;

  private static final String NET =
      """
      select account || ' ' || rule || ' ' || currency || ' ' || sum(amount) from entry
      where period_id = ? and kind = 'member'
      group by account, rule, currency
      having sum(amount) <> 0
      """;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private Approvals approvals;
  @Autowired private Revisions revisions;
  @Autowired private Amendments amendments;
  @Autowired private Explainer explainer;

  /**
   * All that is random of a history.
   *
   * @param text the board's file
   * @param excluded before the closing
   * @param excludedLater before the amendment
   * @param registered in time
   */
  private record History(
      long seed,
      RandomFacts chance,
      String text,
      RankMethod ranks,
      boolean hasPayout,
      List<List<Fact>> requests,
      Map<String, ExclusionLevel> excluded,
      Map<String, ExclusionLevel> excludedLater,
      Set<String> registered,
      Map<String, Long> corrected,
      @Nullable Ties ties) {
    History with(List<List<Fact>> fewer) {
      return new History(
          seed,
          chance,
          text,
          ranks,
          hasPayout,
          fewer,
          excluded,
          excludedLater,
          registered,
          corrected,
          ties);
    }

    @Override
    public String toString() {
      return "seed %d, excluded %s, later %s, registered %s, corrected %s, ties %s, %s%nof%n%s"
          .formatted(seed, excluded, excludedLater, registered, corrected, ties, requests, text);
    }
  }

  static LongStream seeds() {
    LongStream all = Seeds.from1To(FEW);
    Set<String> known = isCampaign() ? FaultTable.noted(JOURNAL).keySet() : Set.of();
    return all.filter(seed -> !known.contains("seed " + seed));
  }

  private static boolean isCampaign() {
    return Integer.getInteger("tests.seeds", 0) > FEW;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aWholeHistoryIsWhatTheModelSays(long seed) {
    History history = made(seed);
    try {
      play(history);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("smallest: " + smallest(history), e);
    }
    if (isCampaign()) {
      FaultTable.note(JOURNAL, "seed " + seed, "" + FACTS);
      long seeds = FaultTable.noted(JOURNAL).size();
      FaultTable.write("differential histories", seeds, seeds * FACTS, 0, 1);
    }
  }

  /** Leaves out halves, then quarters, and so on, of the events, as long as it still differs. */
  private History smallest(History history) {
    History small = history;
    int attempts = 0;
    for (int parts = 2; parts <= small.requests().size(); parts *= 2) {
      int size = Math.max(1, small.requests().size() / parts);
      for (int from = 0; from + size <= small.requests().size(); ) {
        if (attempts++ > MAX_ATTEMPTS_TO_SHRINK) {
          return small;
        }
        var fewer = new ArrayList<>(small.requests());
        fewer.subList(from, from + size).clear();
        History without = small.with(fewer);
        if (differs(without)) {
          small = without;
        } else {
          from += size;
        }
      }
    }
    return small;
  }

  private boolean differs(History history) {
    try {
      play(history);
      return false;
    } catch (AssertionError | RuntimeException e) {
      return true;
    }
  }

  private History made(long seed) {
    var random = new Random(seed);
    var chance = new RandomFacts(seed);
    RankMethod ranks = RankMethod.values()[random.nextInt(3)];
    // The model of rewards has no second key.
    boolean hasPayout = chance.goesBy().maxThen() == 0;
    String text = chance.rules().with("ranks: " + ranks.word()).text();
    if (hasPayout) {
      text = withPayout(text, chance.goesBy().scoring(), ranks, seed);
    }
    Period period = world.open(world.board(text));
    var requests = new ArrayList<List<Fact>>();
    for (int taken = 0; taken < FACTS; ) {
      List<Fact> some = chance.facts(period.slot(), FACTS - taken);
      for (int i = 0; i < some.size(); i += 4) {
        requests.add(some.subList(i, Math.min(i + 4, some.size())));
      }
      taken += some.size();
    }
    var registered = new HashSet<String>();
    RandomFacts.members().stream().filter(m -> random.nextInt(3) > 0).forEach(registered::add);
    var corrected = new HashMap<String, Long>();
    for (int i = random.nextInt(3); i > 0; i--) {
      long most = Math.min(chance.goesBy().maxPoints(), 9);
      corrected.put(member(random), random.nextLong(most + 1));
    }
    return new History(
        seed,
        chance,
        text,
        ranks,
        hasPayout,
        requests,
        levels(random),
        levels(random),
        registered,
        corrected,
        List.of(Ties.EACH, Ties.SHARE, Ties.ORDER).get(random.nextInt(3)));
  }

  private static String member(Random random) {
    return RandomFacts.members().get(random.nextInt(RandomFacts.members().size()));
  }

  private static Map<String, ExclusionLevel> levels(Random random) {
    var levels = new TreeMap<String, ExclusionLevel>();
    for (int i = random.nextInt(4); i > 0; i--) {
      levels.put(member(random), ExclusionLevel.values()[random.nextInt(3)]);
    }
    return levels;
  }

  /** A payout that loads; without one if hundreds do not, such as where points are too many. */
  private String withPayout(String text, String scoring, RankMethod ranks, long seed) {
    for (int i = 0; i < 200; i++) {
      String payout =
          new RandomRules(seed * 1_000 + i)
              .payout(scoring.equals("latest") ? "best" : scoring, ranks.word())
              .replace("per: invite", "per: like");
      try {
        world.board(text + payout);
        return text + payout;
      } catch (BoardFilesException e) {
        continue; // Such as a rule that could never pay.
      }
    }
    return text;
  }

  private void play(History history) {
    Board board = world.board(history.text());
    Period period = world.open(board);
    Model model = history.chance().model();
    world.now(period.slot().endsAt());
    history.registered().forEach(servers::register);
    for (List<Fact> request : history.requests()) {
      List<Fact> facts = request.stream().map(fact -> fact.to(board)).toList();
      List<String> expected = facts.stream().map(model::apply).toList();
      assertThat(world.take(facts).stream().map(RandomFacts::word))
          .as("%s", facts)
          .isEqualTo(expected);
    }
    var made = new ArrayList<Exclusion>();
    try {
      exclude(made, history.excluded(), board);
      Period settled = settled(period, history);
      compare(settled, board, history, model, history.excluded());
      var excluded = new TreeMap<>(history.excluded());
      history.excludedLater().forEach((m, level) -> excluded.merge(m, level, this::stronger));
      exclude(made, history.excludedLater(), board);
      amend(settled, board, history, model, excluded);
      compare(world.again(settled), board, history, model, excluded);
    } finally {
      made.forEach(each -> exclusions.lift(each.id(), "the history is over", "test"));
    }
    assertThat(records.verify().named()).isEmpty();
  }

  private ExclusionLevel stronger(ExclusionLevel one, ExclusionLevel other) {
    return one.ordinal() < other.ordinal() ? one : other;
  }

  private void exclude(List<Exclusion> made, Map<String, ExclusionLevel> levels, Board board) {
    levels.forEach(
        (member, level) ->
            made.add(
                exclusions.exclude(
                    new Terms(new MemberId(member), level, board.id(), null, null),
                    "a law",
                    "test")));
  }

  private Period settled(Period period, History history) {
    world.close(period);
    Period closed = world.again(period);
    if (closed.state() == PeriodState.HELD) {
      Revision first = revisions.find(period.id(), 1).orElseThrow();
      assertThat(
              approvals.approve(
                  period.id(), new ApprovalDecision("ann", "seen", history.ties(), first.digest())))
          .isEmpty();
      closed = world.settle(closed);
    }
    assertThat(closed.state()).isEqualTo(PeriodState.SETTLED);
    return closed;
  }

  private void amend(
      Period period,
      Board board,
      History history,
      Model model,
      Map<String, ExclusionLevel> excluded) {
    var points = new HashMap<MemberId, Long>();
    history
        .corrected()
        .forEach(
            (member, corrected) -> {
              if (model.lines(RankMethod.UNIQUE).stream()
                  .anyMatch(l -> l.member().equals(member))) {
                points.put(new MemberId(member), corrected);
                model.correct(member, corrected);
              }
            });
    boolean isHeld = !RuleModel.held(board, entrants(history, model, excluded)).isEmpty();
    var request =
        new AmendmentRequest("ann", "a law", null, points, isHeld ? history.ties() : null);
    if (amendments.prepare(period.id(), request).isPresent()) {
      Revision second = amendments.undecided(period).orElseThrow();
      amendments.approve(period.id(), second.number(), second.digest(), "bob", "right so");
    }
  }

  private void compare(
      Period period,
      Board board,
      History history,
      Model model,
      Map<String, ExclusionLevel> excluded) {
    List<Line> lines = lines(history, model, excluded);
    assertThat(records.published(period))
        .as("lines of revision %d", period.revision())
        .isEqualTo(lines);
    if (!history.hasPayout()) {
      return;
    }
    List<Entrant> entrants = entrants(history, model, excluded);
    var expected = new ArrayList<String>();
    RuleModel.credits(board, entrants, history.ties())
        .forEach((what, credits) -> expected.add(what + " " + credits));
    assertThat(records.words(NET, period.id().value()))
        .as("what members own by revision %d", period.revision())
        .containsExactlyInAnyOrderElementsOf(expected);
    for (Line line : lines) {
      Explanation explained =
          explainer.explain(period, new MemberId(line.member()), 10).orElseThrow();
      assertThat(explained.transfers())
          .as("explained to %s", line)
          .hasSameSizeAs(
              records.words(
                  """
                  select amount::text from transfer
                  where period_id = ? and ? in (from_name, to_name)
                  """,
                  period.id().value(),
                  line.member()));
    }
  }

  private static List<Entrant> entrants(
      History history, Model model, Map<String, ExclusionLevel> excluded) {
    return lines(history, model, excluded).stream()
        .map(line -> entrant(line, history, model, excluded))
        .toList();
  }

  /** The ranked ones, then those who are shown without a rank. */
  private static List<Line> lines(
      History history, Model model, Map<String, ExclusionLevel> excluded) {
    var lines =
        new ArrayList<>(
            model.lines(
                history.ranks(),
                member -> excluded.getOrDefault(member, ExclusionLevel.NO_PRIZE).isRanked()));
    for (Line line :
        model.lines(RankMethod.UNIQUE, member -> excluded.get(member) == ExclusionLevel.UNRANKED)) {
      lines.add(
          new Line(
              lines.size() + 1, 0, line.member(), line.points(), line.thenBy(), line.reachedAt()));
    }
    return lines;
  }

  private static Entrant entrant(
      Line line, History history, Model model, Map<String, ExclusionLevel> excluded) {
    Entrant entrant =
        Entrant.of(line.member(), line.points()).doing(model.counted(line.member(), "like"), 0);
    entrant = history.registered().contains(line.member()) ? entrant : entrant.stranger();
    entrant = excluded.get(line.member()) == ExclusionLevel.NO_PRIZE ? entrant.barred() : entrant;
    return line.rank() == 0 ? entrant.unranked() : entrant;
  }
}
