package palmares.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static palmares.platform.time.SqlTime.utc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.archive.Archives;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.Batches;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.period.BoardPauses;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.NamedLists;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.BoardFiles;
import palmares.rules.boardfiles.BoardFilesException;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.settlement.closing.Expiry;
import palmares.settlement.closing.Sweep;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;
import palmares.testing.Acts;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Seeds;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** In each random order of verbs, every period settles in the end, and verifies after each step. */
@WorldTest
class MixedVerbsLawTest {
  private static final int STEPS = 60;

  private static final List<String> PEOPLE = List.of("ann", "bob", "cid", "Dan", "local:eve");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Exclusions exclusions;
  @Autowired private NamedLists lists;
  @Autowired private Amendments amendments;
  @Autowired private Revisions revisions;
  @Autowired private Approvals approvals;
  @Autowired private Closings closings;
  @Autowired private LateEventDecisions lateEvents;
  @Autowired private Archives archives;
  @Autowired private Expiry expiry;
  @Autowired private Sweep sweep;
  @Autowired private BoardPauses pauses;
  @Autowired private Batches batches;
  @Autowired private Acts acts;
  @Autowired private BatchRunner runner;
  @Autowired private Periods periods;

  private Random random = new Random(0);
  private final List<String> log = new ArrayList<>();
  private final List<Board> boards = new ArrayList<>();
  private final List<Rules> rules = new ArrayList<>();
  private final List<Fact> sent = new ArrayList<>();

  static LongStream seeds() {
    return Seeds.from1To(1);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachOrderOfVerbsSettlesAndVerifies(long seed) {
    random = new Random(seed);
    lists.create("staff", "ann", "they run it");
    for (int i = 0; i < 2; i++) {
      newBoard(i);
    }
    for (int step = 0; step < STEPS; step++) {
      act(seed, step);
    }
    finish(seed);
  }

  private void act(long seed, int step) {
    int what = random.nextInt(24);
    log.add(step + ": " + what);
    try {
      switch (what) {
        case 0, 1, 2, 3 -> send();
        case 4 -> pass();
        case 5, 6 -> closeDue();
        case 7, 8 -> exclude();
        case 9 -> lift();
        case 10, 11 -> decideLate();
        case 12, 13 -> amend();
        case 14, 15, 16, 19 -> approve(person());
        case 17 -> reject();
        case 18 -> restart();
        case 20 -> expireOrArchive();
        case 21 -> holdOrPause();
        case 22 -> batch();
        default -> edit();
      }
    } catch (Refusal e) {
      log.add("   refused " + e.getMessage());
    } catch (RuntimeException e) {
      throw new AssertionError("seed %d\n%s".formatted(seed, String.join("\n", log)), e);
    }
    check(seed);
  }

  private void check(long seed) {
    assertThat(records.verify().named()).as("seed %d\n%s", seed, String.join("\n", log)).isEmpty();
  }

  @SafeVarargs
  private <T> T one(T... values) {
    return values[random.nextInt(values.length)];
  }

  private String person() {
    return PEOPLE.get(random.nextInt(PEOPLE.size()));
  }

  private String member() {
    return "m" + random.nextInt(7);
  }

  private void newBoard(int i) {
    for (int attempt = 0; ; attempt++) {
      try {
        Rules text =
            (i == 0 ? Rules.day() : Rules.of(one("day", "week")))
                .with("ranks: " + one("unique", "competition", "dense"))
                .with(
                    """
                    actions:
                      like: { points: 1, undo: true }
                      invite: { points: 10, undo: true, max-per-day: 3 }
                      win: { points: 4, once-per: day }
                      coin: { points: 1, max-quantity: 30, max-per-period: 60 }
                    """)
                .with("exclusions: [staff]")
                .with(rewards())
                .with(payout());
        if (random.nextBoolean()) {
          text = text.with("durability: committed");
        }
        boards.add(world.board(text));
        rules.add(text);
        log.add("board " + text.text());
        return;
      } catch (BoardFilesException e) {
        if (attempt > 50) {
          throw e;
        }
      }
    }
  }

  private String rewards() {
    var text = new StringBuilder("rewards:\n");
    var names = new TreeSet<String>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      String name = "r" + random.nextInt(5);
      if (names.add(name)) {
        String currency = one("credits", "credits", "gems");
        text.append(
            "  - { rule: %s%s, currency: %s, ".formatted(name, currency.charAt(0), currency));
        text.append(
            switch (random.nextInt(7)) {
              case 0 -> "taking-part: " + prize();
              case 1 -> "points: { 2: %d, 9: %d }".formatted(prize(), prize());
              case 2 -> "per: like, credits: " + prize();
              case 3 -> "per: invite, credits: " + prize();
              case 4 ->
                  "top: { 25%%: %d, 60%%: %d }, ties: %s, of: %s"
                      .formatted(prize(), prize(), one("each", "share"), one("ranked", "eligible"));
              default ->
                  "ranks: { 1: %d, 2-3: %d, 5: %d }, ties: %s"
                      .formatted(prize(), prize(), prize(), one("each", "share", "hold"));
            });
        text.append(" }\n");
      }
    }
    return text.toString();
  }

  private String payout() {
    return "payout: { match: %s, forfeited: %s, owed: %s, approval: %s%s%s%s }"
        .formatted(
            one("all", "first"),
            one("nobody", "moves-up"),
            one("take", "debt", "write-off"),
            one("none", "required", "two-person"),
            random.nextInt(3) == 0 ? ", unusual: 2" : "",
            random.nextInt(3) == 0 ? ", min-points: 2" : "",
            random.nextInt(3) == 0
                ? ", budget: { credits: { period: %d, month: %d } }"
                    .formatted(20 + random.nextInt(100), 60 + random.nextInt(300))
                : "");
  }

  private int prize() {
    return 1 + random.nextInt(40);
  }

  private Fact fact() {
    Fact fact =
        Fact.by(member())
            .does(one("like", "like", "invite", "win", "coin"))
            .on("p" + random.nextInt(4));
    if (fact.action().equals("coin")) {
      fact = fact.times(1 + random.nextInt(30));
    }
    boolean undo =
        (fact.action().equals("like") || fact.action().equals("invite")) && random.nextInt(4) == 0;
    return undo ? fact.undone() : fact;
  }

  private void send() {
    for (int i = 0; i <= random.nextInt(12); i++) {
      Fact fact = fact();
      if (random.nextInt(3) == 0 && !sent.isEmpty()) {
        fact = sent.get(random.nextInt(sent.size()));
      }
      sent.add(fact);
      world.take(fact);
    }
    // Late ones, as an import or a slow line brings them.
    for (Period period : all()) {
      if (period.state() != PeriodState.OPEN && random.nextInt(3) == 0) {
        late(period);
      }
    }
  }

  /** As the intake stores one that arrives after the seal. */
  private void late(Period period) {
    Fact fact = fact();
    servers.sql(
        """
        insert into late_event (
          board, period, id, member, action, subject, undo, quantity, value, then_by,
          occurred_at, arrived_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, null, null, ?, ?)
        """,
        period.board().value(),
        period.name().value(),
        fact.id(),
        fact.member(),
        fact.action(),
        fact.subject(),
        fact.undo(),
        fact.quantity(),
        utc(period.slot().startsAt().plusSeconds(1 + random.nextInt(80000))),
        utc(world.now()));
  }

  private void pass() {
    world.pass(one(Duration.ofMinutes(7), Duration.ofHours(5), Duration.ofHours(25)));
    sweep.prepare();
  }

  private List<Period> all() {
    return records.words("select id::text from period order by id").stream()
        .map(id -> periods.get(new PeriodId(Long.parseLong(id))))
        .toList();
  }

  private Period any() {
    List<Period> all = all();
    if (all.isEmpty()) {
      throw new Refusal(Problem.WRONG_STATE, Sentence.verbatim("none"));
    }
    return all.get(random.nextInt(all.size()));
  }

  private void closeDue() {
    Period period = any();
    if (random.nextBoolean() && period.slot().endsAt().isAfter(world.now())) {
      world.due(period);
      sweep.prepare();
    }
    close(period);
  }

  private ClosingResult close(Period period) {
    ClosingResult closed =
        closings.close(period.id(), new ClosingCause("close", person()), step -> {});
    log.add("   " + period.label() + " " + closed.outcome() + " " + closed.detail());
    if (closed.outcome() == ClosingResult.Status.FAILED) {
      throw new IllegalStateException("closing failed: " + closed.detail());
    }
    return closed;
  }

  private void exclude() {
    MemberId member = new MemberId(member());
    ExclusionLevel level = one(ExclusionLevel.values());
    Board board = boards.get(random.nextInt(boards.size()));
    Terms terms =
        switch (random.nextInt(4)) {
          case 0 -> Terms.always(member, level);
          case 1 -> Terms.listed("staff", member, level);
          case 2 -> new Terms(member, level, board.id(), null, null);
          default ->
              new Terms(
                  member,
                  level,
                  null,
                  world.now().minus(Duration.ofHours(random.nextInt(60))),
                  world.now().plus(Duration.ofHours(1 + random.nextInt(40))));
        };
    log.add("   " + terms);
    exclusions.exclude(terms, "cheats " + random.nextInt(3), person());
  }

  private void lift() {
    var present = exclusions.page(null, null, false, null, 1_000);
    if (!present.isEmpty()) {
      exclusions.lift(present.get(random.nextInt(present.size())).id(), "was wrong", person());
    }
  }

  private void decideLate() {
    Period period = any();
    List<String> ids =
        records.words(
            "select id from late_event where board = ? and period = ? order by id",
            period.board().value(),
            period.name().value());
    if (ids.isEmpty()) {
      return;
    }
    String id = ids.get(random.nextInt(ids.size()));
    log.add("   " + period.label() + " " + id);
    lateEvents.decide(
        period,
        List.of(id),
        new Choice(
            one(Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.DISMISSED),
            person(),
            one("slow line", "late event of a bus: it was late"),
            random.nextBoolean()));
  }

  private void amend() {
    Period period = any();
    Map<MemberId, Long> points =
        random.nextInt(3) == 0
            ? Map.of(new MemberId(member()), (long) random.nextInt(30))
            : Map.of();
    Board other = null;
    if (random.nextInt(3) == 0) {
      int index = boards.indexOf(board(period));
      Rules base = rules.get(index);
      try {
        other = BoardFiles.parse(period.board(), copy(base).with(rewards()).with(payout()).text());
      } catch (BoardFilesException e) {
        other = null;
      }
    }
    Ties ties = random.nextInt(3) == 0 ? one(Ties.EACH, Ties.SHARE, Ties.ORDER) : null;
    log.add("   " + period.label() + " " + points + " " + (other != null) + " " + ties);
    amendments
        .prepare(period.id(), new AmendmentRequest(person(), "a reason", other, points, ties))
        .ifPresent(made -> log.add("   prepared " + made.revision().number()));
  }

  private static Rules copy(Rules rules) {
    Rules copy = Rules.day();
    for (String field : rules.text().split("\n(?=[a-z])")) {
      copy.with(field);
    }
    return copy;
  }

  private Board board(Period period) {
    return boards.stream().filter(b -> b.id().equals(period.board())).findFirst().orElseThrow();
  }

  private void approve(String by) {
    List<Period> held =
        all().stream()
            .filter(
                p ->
                    p.state() == PeriodState.HELD
                        || p.state().isSettled() && amendments.undecided(p).isPresent())
            .toList();
    if (held.isEmpty()) {
      return;
    }
    Period period = held.get(random.nextInt(held.size()));
    log.add("   " + period.label() + " " + period.state() + " by " + by);
    if (period.state() == PeriodState.HELD) {
      Revision first = revisions.find(period.id(), 1).orElseThrow();
      Ties ties = random.nextInt(3) == 0 ? one(Ties.EACH, Ties.SHARE, Ties.ORDER) : null;
      List<Sentence> more =
          approvals.approve(period.id(), new ApprovalDecision(by, "seen", ties, first.digest()));
      log.add("   " + more);
      if (more.isEmpty()) {
        close(period);
      }
    } else {
      Revision undecided = amendments.undecided(period).orElseThrow();
      var approved =
          amendments.approve(period.id(), undecided.number(), undecided.digest(), by, "seen");
      log.add("   " + approved);
    }
  }

  private void reject() {
    Period period = any();
    log.add("   " + period.label() + " " + period.state());
    if (period.state() == PeriodState.HELD) {
      approvals.reject(period.id(), new ApprovalDecision(person(), "no", null));
    } else if (period.state().isSettled()) {
      amendments.reject(period.id(), new Amendments.Decision(null, null, person(), "no"), () -> {});
    }
  }

  private void restart() {
    Period period = any();
    if (period.state() == PeriodState.REJECTED || random.nextInt(4) == 0) {
      log.add("   " + period.label() + " " + period.state());
      approvals.restart(period.id(), new ApprovalDecision(person(), "again", null));
      close(period);
    }
  }

  private void expireOrArchive() {
    Period period = any();
    log.add("   " + period.label() + " " + period.state());
    if (period.state() == PeriodState.SETTLED) {
      servers.sql(
          "update period set expires_at = ? where id = ?", utc(world.now()), period.id().value());
      expiry.expire();
      log.add("   " + world.again(period).state());
    } else if (period.state() == PeriodState.EXPIRED && random.nextInt(3) == 0) {
      archives.move(
          period.id(), archives.folder().resolve("copy" + random.nextLong()), "ann", "old");
      log.add("   archived");
    }
  }

  private void holdOrPause() {
    Period period = any();
    log.add("   " + period.label() + " " + period.state());
    switch (random.nextInt(4)) {
      case 0 -> approvals.hold(period.id(), person(), "look");
      case 1 -> approvals.liftHold(period.id(), person(), "looked");
      case 2 -> pauses.pause(period.board(), person(), "stop");
      default -> pauses.resume(period.board(), person(), "go");
    }
  }

  private void batch() {
    if (random.nextBoolean()) {
      var all = exclusions.page(null, null, true, null, 1_000);
      var ids = new TreeSet<Long>();
      all.forEach(
          each -> {
            if (random.nextBoolean()) {
              ids.add(each.id());
            }
          });
      var batch = acts.amend(ids, person(), "together");
      log.add("   " + runner.run(batch.id(), item -> true));
    } else {
      var known = batches.undecided();
      if (known.isEmpty()) {
        return;
      }
      long of = known.get(0).batch();
      var page = batches.page(of);
      var decided =
          random.nextInt(4) == 0
              ? acts.reject(of, page.digest(), person(), "no")
              : acts.approve(of, page.digest(), person(), "yes");
      log.add("   " + runner.run(decided.id(), item -> true));
    }
  }

  private void edit() {
    int index = random.nextInt(boards.size());
    try {
      Rules text = copy(rules.get(index)).with(rewards()).with(payout());
      if (random.nextInt(3) == 0) {
        text = text.with("period: " + one("day", "week"));
      }
      if (random.nextInt(4) == 0) {
        text = text.with("zone: " + one("Europe/Berlin", "America/New_York", "UTC"));
      }
      Board edited = world.edit(boards.get(index), text);
      boards.set(index, edited);
      rules.set(index, text);
      sweep.prepare();
      log.add("   edited " + edited.id());
    } catch (BoardFilesException e) {
      log.add("   no");
    }
  }

  /** All is settled in the end, however it was left. */
  private void finish(long seed) {
    log.add("finish");
    try {
      pauses.list().forEach(pause -> pauses.resume(pause.board(), "ann", "end"));
      for (Period period : all()) {
        Period now = world.due(period);
        for (int i = 0; i < 12 && !now.state().isSettled(); i++) {
          if (now.state() == PeriodState.REJECTED) {
            approvals.restart(now.id(), new ApprovalDecision("zed", "again", null));
          }
          ClosingResult closed = close(now);
          if (closed.outcome() == ClosingResult.Status.HELD) {
            Revision first = revisions.find(now.id(), 1).orElseThrow();
            for (Ties ties : new Ties[] {null, Ties.SHARE}) {
              try {
                log.add(
                    "   "
                        + approvals.approve(
                            now.id(), new ApprovalDecision("x" + i, "end", ties, first.digest())));
                break;
              } catch (Refusal e) {
                log.add("   refused " + e.getMessage());
              }
            }
          }
          now = world.again(now);
        }
        assertThat(now.state().isSettled())
            .as("seed %d %s\n%s", seed, now.label(), String.join("\n", log))
            .isTrue();
        check(seed);
      }
    } catch (RuntimeException e) {
      throw new AssertionError("seed %d\n%s".formatted(seed, String.join("\n", log)), e);
    }
  }
}
