package palmares.settlement.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.intake.EventOrigin;
import palmares.live.member.ExternalId;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.operations.lateevents.LateEvent.Verdict;
import palmares.operations.lateevents.LateEventDecisions;
import palmares.operations.lateevents.LateEventDecisions.Choice;
import palmares.operations.withheld.WithheldLines;
import palmares.operations.withheld.WithheldLines.Decision;
import palmares.period.ImportRuns;
import palmares.period.Period;
import palmares.period.Population;
import palmares.period.auditlog.AuditDetails;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.payout.RewardRule.Ties;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.ClosingResult;
import palmares.settlement.closing.Closings;
import palmares.testing.Contest;
import palmares.testing.Fact;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;

/** Settled periods with rows in every table that a settled period can have rows in. */
public record RichHistory(
    World world,
    Servers servers,
    TransactionTemplate transaction,
    Closings closings,
    Approvals approvals,
    Exclusions exclusions,
    LateEventDecisions lateEventDecisions,
    Amendments amendments,
    AuditLog auditLog,
    ImportRuns imports,
    Members members,
    WithheldLines lines) {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  /** Values with a second key and ties that a person decides. */
  private static final String VALUED =
      """
      title: Values
      period: day
      durability: committed
      scoring: best
      max-points: 1000
      then-by: { name: attempts, max: 99 }
      tiebreak: arrival
      ranks: competition
      actions: { run: {} }
      rewards: [{ rule: podium, ranks: { 1: 100, 2: 50 }, ties: hold }]
      """;

  /** Inviters of two members from one address are flagged. */
  private static final String REVIEWED =
      """
      title: Reviewed
      period: day
      durability: committed
      max-points: 1000
      actions: { refer: 10 }
      invites: { action: refer, review: { same-address: 2 } }
      rewards: [{ rule: each, per: refer, credits: 20 }]
      """;

  public void play() {
    Board board =
        world.board(
            Contest.rules()
                .with("clock: event")
                .with("payout: { approval: two-person, owed: debt }"));
    List<Board> league =
        world.boards(List.of(league("tier: 1, relegate: 1"), league("tier: 2, promote: 1")));
    Board committed = world.board(Contest.rules().with("durability: committed"));
    Board adopted = world.board(Rules.adopting("lb:{period}", "millis-left").text());
    Board valued = world.board(VALUED);
    Period day = world.open(board);
    Period upper = world.open(league.get(0));
    Period lower = world.open(league.get(1));
    Period durable = world.open(committed);
    Period theirs = world.open(adopted);
    Period best = world.open(valued);
    Period reviewed = world.open(world.board(REVIEWED));
    world.now(NOON);
    String code = register("uma", null);
    register("una", code);
    register("ute", code);
    for (Fact fact : Contest.facts()) {
      world.take(fact.to(board).at(NOON));
    }
    for (String member : List.of("ann", "bob", "cid")) {
      world.take(Fact.by(member).does("coin").times(3).to(league.get(0)));
      world.take(Fact.by(member + "2").does("coin").times(4).to(league.get(1)));
      world.take(Fact.by(member).does("invite").on("x").to(committed));
      world.take(Fact.by(member).does("run").with(7).then(2).to(valued));
      zadd("lb:2026-11-20", 7L << 41 | 3_600_000, member);
    }
    importOne(league.get(0));
    loseAndAcknowledge(upper);
    for (Period period : List.of(upper, lower, theirs)) {
      world.settle(period);
    }
    release(lower);
    holdAndApprove(durable);
    holdTies(best);
    release(world.settle(reviewed), "uma");
    amend(hold(day), board);
  }

  private String register(String name, @Nullable String code) {
    var id = new MemberId(name);
    return members
        .register(new Registration(new ExternalId(name), name, code, id, "10.0.0.1", null))
        .profile()
        .inviteCode()
        .value();
  }

  /** Leaves a line that was withheld and is paid. */
  private void release(Period period, String member) {
    lines.decide(period, List.of(member), Decision.RELEASE, "kim", "a family");
    amendments.prepare(period.id(), new AmendmentRequest("bob", "a family", null, Map.of()));
    amendments.approve(period.id(), null, "ann", "so be it");
  }

  private void importOne(Board board) {
    var run = imports.begin("facts.ndjson", "local:kim");
    world.take(
        List.of(Fact.by("ann").does("coin").at(NOON).to(board)), new EventOrigin.History(run));
    imports.end(run, imports.now());
  }

  private static String league(String tier) {
    return Rules.day().with("family: { name: league, " + tier + " }").text();
  }

  private void zadd(String key, long score, String member) {
    servers.redis(
        redis -> redis.zSetCommands().zAdd(key.getBytes(UTF_8), score, member.getBytes(UTF_8)));
  }

  /** Leaves the period as after a complete rebuild whose loss a person had acknowledged. */
  private void loseAndAcknowledge(Period period) {
    ClosingResult closed =
        world.close(
            period,
            step -> {
              if (step.equals("fill")) {
                throw new IllegalStateException("a test");
              }
            });
    assertThat(closed.outcome()).isEqualTo(ClosingResult.Status.FAILED);
    Population population = Objects.requireNonNull(world.again(period).population());
    String reason = "the machine of Redis burnt;\ncid knows";
    var auditEntry =
        new AuditEntry(
            "zoe",
            "accept-loss",
            period.board().value(),
            period.name().value(),
            null,
            null,
            reason,
            new AuditDetails(
                Map.of(
                    "members",
                    population.members(),
                    "points",
                    population.points(),
                    "events",
                    population.events(),
                    "missing",
                    "{[3,6)}",
                    "missingEvents",
                    3,
                    "changedMembers",
                    1,
                    "forgotten",
                    "sealed")));
    Instant at = Objects.requireNonNull(transaction.execute(status -> auditLog.append(auditEntry)));
    servers.unguarded(
        () -> {
          servers.sql(
              """
              insert into acknowledged_loss (
                period_id, fence, members, points, events, missing, missing_events,
                changed_members, forgotten, given_up, reason, made_by, made_at)
              select id, fence, sealed_members, sealed_points, sealed_events, '{[3,5]}', 3, 1,
                'sealed', '{}', ?, 'zoe', ?
              from period where id = ?
              """,
              reason,
              at.atOffset(ZoneOffset.UTC),
              period.id().value());
          servers.sql(
              """
              update period
              set rebuilt_members = sealed_members, rebuilt_points = sealed_points,
                rebuilt_events = sealed_events
              where id = ?
              """,
              period.id().value());
        });
  }

  /** Leaves the period as after a person released a quarantined entry. */
  private void release(Period period) {
    var auditEntry =
        AuditEntry.of(period.board(), period.name(), "zoe", "release-entry", "a poor line")
            .with("entry", 1);
    Instant at = Objects.requireNonNull(transaction.execute(status -> auditLog.append(auditEntry)));
    servers.sql(
        """
        insert into journal_quarantine (
          period_id, seq, entry, error, quarantined_at, resolution, resolved_by, resolved_at,
          reason)
        values (
          ?, 1, '', said('verbatim', '{"text": "a test"}'), now(), 'released', 'zoe', ?,
          'a poor line')
        """,
        period.id().value(),
        at.atOffset(ZoneOffset.UTC));
  }

  private void holdAndApprove(Period period) {
    approvals.hold(period.id(), "zoe", "a look first");
    world.close(period);
    approvals.approve(period.id(), new ApprovalDecision("ann", "looked at it", null));
    closings.close(period.id(), ClosingCause.of("test"), step -> {});
  }

  private void holdTies(Period period) {
    world.due(period);
    closings.close(period.id(), new ClosingCause("close", "kim"), step -> {});
    approvals.approve(period.id(), new ApprovalDecision("ann", "as they came", Ties.ORDER));
    closings.close(period.id(), ClosingCause.of("test"), step -> {});
  }

  private Period hold(Period day) {
    exclusions.exclude(
        new Terms(
            new MemberId("dan"),
            ExclusionLevel.NO_PRIZE,
            day.board(),
            day.slot().startsAt(),
            day.slot().endsAt()),
        "a referee",
        "boss");
    exclude("eve", ExclusionLevel.NO_PRIZE);
    long lifted = exclude("cid", ExclusionLevel.HIDDEN);
    world.pass(Duration.ofHours(1));
    exclusions.lift(lifted, "a mistake", "boss");
    world.close(day);
    for (String person : List.of("ann", "zoe")) {
      approvals.approve(day.id(), new ApprovalDecision(person, "looked at it with cid", null));
    }
    closings.close(day.id(), ClosingCause.of("test"), step -> {});
    return world.again(day);
  }

  private long exclude(String member, ExclusionLevel level) {
    return exclusions
        .exclude(Terms.always(new MemberId(member), level), "two accounts", "boss")
        .id();
  }

  private void amend(Period day, Board board) {
    Fact late = Fact.by("dan").on("late").at(NOON).to(board);
    world.take(late);
    lateEventDecisions.decide(
        day, List.of(late.id()), new Choice(Verdict.ACCEPTED, "kim", "a slow line", false));
    exclude("ann", ExclusionLevel.HIDDEN);
    world.pass(Duration.ofMinutes(1));
    amendments.prepare(
        day.id(), new AmendmentRequest("bob", "cheats", null, Map.of(new MemberId("dan"), 300L)));
    amendments.approve(day.id(), null, "ann", "so be it");
    amendments.approve(day.id(), null, "zoe", "so be it");
    decideLater(day, board);
  }

  /** Late events that no amendment counts: one undecided, one dismissed, one accepted. */
  private void decideLater(Period day, Board board) {
    Fact undecided = Fact.by("bob").on("later").at(NOON).to(board);
    Fact dismissed = Fact.by("bob").on("another").at(NOON).to(board);
    Fact accepted = Fact.by("bob").on("too late").at(NOON).to(board);
    for (Fact late : List.of(undecided, dismissed, accepted)) {
      world.take(late);
    }
    lateEventDecisions.decide(
        day, List.of(dismissed.id()), new Choice(Verdict.DISMISSED, "kim", "a repeat", false));
    lateEventDecisions.decide(
        day, List.of(accepted.id()), new Choice(Verdict.ACCEPTED, "kim", "a slow line", false));
  }
}
