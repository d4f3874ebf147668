package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveExclusions;
import palmares.live.journal.Journal;
import palmares.live.member.ExternalId;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.operations.rebuild.Rebuild;
import palmares.operations.rebuild.Rebuild.Present;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.WrongState;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.NamedLists;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.reward.History.Amend;
import palmares.settlement.reward.History.Begin;
import palmares.settlement.reward.History.Close;
import palmares.settlement.reward.History.Decide;
import palmares.settlement.reward.History.Exclude;
import palmares.settlement.reward.History.Forget;
import palmares.settlement.reward.History.Lift;
import palmares.settlement.reward.History.Look;
import palmares.settlement.reward.History.Register;
import palmares.settlement.reward.History.Send;
import palmares.settlement.reward.History.Step;
import palmares.settlement.reward.History.Wipe;
import palmares.settlement.reward.Owing.Prize;
import palmares.testing.Fact;
import palmares.testing.Model;
import palmares.testing.RandomFacts;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;

/** Plays a history, and compares all that comes of it with the model. */
final class HistoryPlay {
  private static final List<String> PEOPLE = List.of("bob", "cid", "dan", "eve", "fay", "gus");

  /** Who decided on ties may not approve what comes of it. */
  private static final List<String> OTHERS = List.of("hal", "ida", "jon", "kim", "lea");

  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private NamedLists lists;
  @Autowired private LiveExclusions liveExclusions;
  @Autowired private Approvals approvals;
  @Autowired private Revisions revisions;
  @Autowired private Amendments amendments;
  @Autowired private LateEventDecisions decisions;
  @Autowired private Members members;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Journal journal;
  @Autowired private Rebuild rebuild;

  private final History history;
  private final HistoryComparison comparison;
  private final RankMethod method;
  private final World world;
  private final Board board;
  private final List<PlayedPeriod> periods = new ArrayList<>();
  private final List<Excluded> excluded = new ArrayList<>();
  private final Map<String, Instant> registered = new HashMap<>();
  private final Set<String> forgotten = new HashSet<>();
  private final Set<String> known = new HashSet<>();
  private final Owing owing = new Owing();
  private long acknowledged;

  /** On an empty installation. */
  HistoryPlay(History history, HistoryComparison comparison, World world) {
    this.history = history;
    this.world = world;
    world.begin();
    board = world.board(history.text() + history.rewards().text());
    this.comparison = comparison;
    method = RankMethod.valueOf(history.rewards().ranks().toUpperCase(Locale.ROOT));
  }

  /** An exclusion in force. */
  private record Excluded(long id, Exclude made) {}

  /** Plays all, and returns how many events were acknowledged. */
  long play() {
    lists.create("staff", "ann", "they run it");
    for (Step step : history.steps()) {
      try {
        play(step);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("%s: %s".formatted(step, e.getMessage()), e);
      }
    }
    assertThat(records.verify().named()).isEmpty();
    return acknowledged;
  }

  private void play(Step step) {
    if (step instanceof Begin) {
      begin();
    } else if (step instanceof Send send) {
      send(send.facts());
    } else if (step instanceof Register register) {
      register(register);
    } else if (step instanceof Forget forget) {
      forget(forget.member());
    } else if (step instanceof Exclude exclude) {
      exclude(exclude);
    } else if (step instanceof Lift lift) {
      lift(lift.which());
    } else if (step instanceof Wipe) {
      wipe();
    } else if (step instanceof Look look && look.period() < periods.size()) {
      look(periods.get(look.period()), look.member());
    } else if (step instanceof Close close && close.period() < periods.size()) {
      close(periods.get(close.period()), close);
    } else if (step instanceof Decide decide && decide.period() < periods.size()) {
      decide(periods.get(decide.period()), decide);
    } else if (step instanceof Amend amend && amend.period() < periods.size()) {
      amend(periods.get(amend.period()), amend);
    }
  }

  private void begin() {
    if (!periods.isEmpty()) {
      until(last().period.slot().endsAt());
    }
    Period period = world.open(board);
    periods.add(new PlayedPeriod(period, history.chance().model(), history.rewards()));
  }

  private PlayedPeriod last() {
    return periods.get(periods.size() - 1);
  }

  private void until(Instant time) {
    if (world.now().isBefore(time)) {
      world.now(time);
    }
  }

  private void send(List<Fact> facts) {
    if (periods.isEmpty()) {
      return;
    }
    until(last().period.slot().endsAt());
    List<Fact> named = facts.stream().map(fact -> fact.to(board)).toList();
    List<String> expected = named.stream().map(this::expected).toList();
    List<String> outcomes = world.take(named).stream().map(RandomFacts::word).toList();
    assertThat(outcomes).as("%s", named).isEqualTo(expected);
    named.forEach(fact -> known.add(fact.member()));
    acknowledged +=
        outcomes.stream()
            .filter(word -> List.of("applied", "undone", "duplicate", "late").contains(word))
            .count();
  }

  private String expected(Fact fact) {
    PlayedPeriod period =
        periods.stream().filter(each -> each.has(fact.at())).findFirst().orElse(null);
    if (period == null) {
      return "of no period"; // left out, so that a smaller history may differ by that only
    }
    return period.isOver(world.now()) ? period.late(fact) : period.model.apply(fact);
  }

  private void register(Register register) {
    String member = register.member();
    if (periods.isEmpty() || registered.containsKey(member)) {
      return;
    }
    if (register.isLast()) {
      until(last().period.slot().endsAt().minusNanos(1_000));
    }
    registered.put(member, world.now());
    known.add(member);
    String number = "" + RandomFacts.members().indexOf(member);
    members.register(
        new Registration(new ExternalId("x" + number), "n" + number, null, new MemberId(member)));
  }

  private void forget(String member) {
    if (registered.containsKey(member)) {
      boolean isFirst = forgotten.add(member);
      Boolean forgot =
          transaction.execute(
              status -> members.forget(new MemberId(member), "asked for it", "ann"));
      assertThat(forgot).isEqualTo(isFirst);
    }
  }

  private void exclude(Exclude exclude) {
    if (excluded.stream().anyMatch(each -> each.made().equals(exclude))) {
      return;
    }
    MemberId member = new MemberId(exclude.member());
    var terms =
        new Terms(
            member,
            exclude.level(),
            exclude.scope().equals("board") ? board.id() : null,
            exclude.scope().equals("staff") ? "staff" : null,
            exclude.from(),
            exclude.until());
    excluded.add(new Excluded(exclusions.exclude(terms, "a law", "test").id(), exclude));
    world.pass(Duration.ofMillis(1));
  }

  private void lift(int which) {
    if (which < excluded.size()) {
      exclusions.lift(excluded.remove(which).id(), "a mistake", "test");
      world.pass(Duration.ofMillis(1));
    }
  }

  /** The strongest level of each member. */
  private Map<String, ExclusionLevel> levels(PlayedPeriod period) {
    var levels = new TreeMap<String, ExclusionLevel>();
    for (Excluded each : excluded) {
      Exclude made = each.made();
      boolean isNamed =
          !made.scope().equals("staff") || history.text().contains("exclusions: [staff]");
      Instant from = made.from() == null ? Instant.MIN : made.from();
      Instant until = made.until() == null ? Instant.MAX : made.until();
      if (isNamed
          && from.isBefore(period.period.slot().endsAt())
          && until.isAfter(period.period.slot().startsAt())) {
        levels.merge(
            made.member(),
            made.level(),
            (one, other) -> one.ordinal() < other.ordinal() ? one : other);
      }
    }
    return levels;
  }

  private void wipe() {
    if (periods.isEmpty() || last().isSettled()) {
      return;
    }
    for (PlayedPeriod each : periods) {
      if (!each.isSettled()) {
        journal.drain(each.period);
      }
    }
    servers.flush();
    for (PlayedPeriod each : periods) {
      if (!each.isSettled() && each.model.events() > 0) {
        assertThat(rebuild.run(each.period.id(), Present.REFUSE, null, () -> {}, done -> {}))
            .isPresent();
      }
    }
  }

  private void look(PlayedPeriod period, String member) {
    if (period.isSettled()) {
      comparison.compareExports(world.again(period.period), period.outcome());
      return;
    }
    liveExclusions.updateAll();
    Map<String, ExclusionLevel> levels = levels(period);
    comparison.compareLive(
        period.period,
        period.model.lines(
            method, each -> levels.getOrDefault(each, ExclusionLevel.NO_PRIZE).isRanked()),
        member);
  }

  private void close(PlayedPeriod played, Close close) {
    if (played.isSettled()) {
      return;
    }
    Period period = played.period;
    HistoryOutcome outcome =
        outcome(played, played.model, played.rewards, levels(played), close.ties().word());
    world.close(period);
    assertThat(world.again(period).state())
        .as("held ties %s, to pay %s", outcome.held(), outcome.sums())
        .isEqualTo(outcome.isHeld() ? PeriodState.HELD : PeriodState.SETTLED);
    if (outcome.isHeld() && close.isRejectedFirst()) {
      approvals.reject(period.id(), new ApprovalDecision("ann", "no", null));
      approvals.restart(period.id(), new ApprovalDecision("ann", "again", null));
      world.close(period);
    }
    boolean isDecidedFirst = outcome.rewards().approval().equals("two-person");
    for (String person : PEOPLE) {
      if (world.again(period).state() == PeriodState.HELD) {
        Revision first = revisions.find(period.id(), 1).orElseThrow();
        boolean decides = !isDecidedFirst || person.equals(PEOPLE.get(0));
        Ties decided = outcome.held().isEmpty() || !decides ? null : close.ties();
        approvals.approve(
            period.id(), new ApprovalDecision(person, "seen", decided, first.digest()));
      }
      if (world.again(period).state() != PeriodState.HELD) {
        world.close(period); // is held again if the decision on ties exceeds a budget
      }
    }
    assertThat(world.again(period).state())
        .as("%s", revisions.find(period.id(), 1))
        .isEqualTo(PeriodState.SETTLED);
    settle(played, outcome);
  }

  private void settle(PlayedPeriod played, HistoryOutcome outcome) {
    played.settle(outcome);
    var awards = new HashMap<List<String>, Prize>();
    outcome
        .credits()
        .forEach(
            (what, credits) -> {
              String[] words = what.split(" ");
              awards.put(List.of(words[0], words[1]), new Prize(words[1], words[2], credits));
            });
    owing.posted(board.id().value(), played.period.id(), outcome.rewards().owed(), awards);
    compare(played);
  }

  private void compare(PlayedPeriod played) {
    comparison.compare(world.again(played.period), played.outcome());
    comparison.compareBalances(owing.balances());
  }

  private void decide(PlayedPeriod played, Decide decide) {
    List<Fact> undecided = List.copyOf(played.undecided.values());
    if (!played.isSettled() || decide.which() >= undecided.size()) {
      return;
    }
    Fact fact = undecided.get(decide.which());
    var choice =
        new Choice(
            decide.accepts() ? Verdict.ACCEPTED : Verdict.DISMISSED, "ann", "a slow line", false);
    String expected = decide.accepts() ? played.model.accept(fact) : "dismissed";
    if (List.of("applied", "undone", "dismissed").contains(expected)) {
      decisions.decide(world.again(played.period), List.of(fact.id()), choice);
      played.undecided.remove(fact.id());
    } else {
      assertThatThrownBy(
              () -> decisions.decide(world.again(played.period), List.of(fact.id()), choice))
          .as("%s would be %s", fact, expected)
          .isInstanceOf(WrongState.class);
    }
    world.pass(Duration.ofMillis(1));
  }

  private void amend(PlayedPeriod played, Amend amend) {
    if (!played.isSettled()) {
      return;
    }
    Period period = played.period;
    Model model = played.model.copy();
    var points = new LinkedHashMap<MemberId, Long>();
    amend
        .points()
        .forEach(
            (member, corrected) -> {
              boolean differs =
                  model.has(member) ? model.points(member) != corrected : corrected > 0;
              if (differs && known.contains(member)) {
                points.put(new MemberId(member), corrected);
                model.correct(member, corrected, period.slot().endsAt());
              }
            });
    PayoutPlan rewards = amend.rewards() == null ? played.rewards : amend.rewards();
    HistoryOutcome outcome = outcome(played, model, rewards, levels(played), amend.ties().word());
    Board rules =
        amend.rewards() == null
            ? null
            : BoardFiles.parse(board.id(), history.text() + amend.rewards().text());
    var request =
        new AmendmentRequest(
            "ann", "a law", rules, points, outcome.held().isEmpty() ? null : amend.ties());
    if (amendments.prepare(period.id(), request).isEmpty()) {
      assertThat(outcome.same(played.outcome())).as("nothing would change").isTrue();
      return;
    }
    if (amend.isRejected()) {
      amendments.reject(period.id(), new Amendments.Decision(null, null, "ann", "no"), () -> {});
      compare(played);
      return;
    }
    for (String person : OTHERS) {
      amendments
          .undecided(period)
          .ifPresent(
              undecided ->
                  amendments.approve(
                      period.id(), undecided.number(), undecided.digest(), person, "right so"));
    }
    assertThat(amendments.undecided(period)).isEmpty();
    played.model = model;
    played.rewards = rewards;
    settle(played, outcome);
  }

  private HistoryOutcome outcome(
      PlayedPeriod played,
      Model model,
      PayoutPlan rewards,
      Map<String, ExclusionLevel> levels,
      String ties) {
    Instant end = played.period.slot().endsAt();
    var inTime = new HashSet<String>();
    registered.forEach(
        (member, at) -> {
          if (at.isBefore(end)) {
            inTime.add(member);
          }
        });
    return HistoryOutcome.of(model, rewards, method, levels, inTime, ties);
  }
}
