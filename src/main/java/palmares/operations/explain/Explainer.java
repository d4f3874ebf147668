package palmares.operations.explain;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.LiveBoardHeld;
import palmares.live.board.LiveLine;
import palmares.live.board.LiveQueries;
import palmares.live.member.Members;
import palmares.live.member.Profile;
import palmares.operations.explain.Explanation.About;
import palmares.operations.explain.Explanation.Ending;
import palmares.operations.explain.Explanation.Late;
import palmares.operations.explain.Explanation.Ties;
import palmares.operations.explain.Explanation.Who;
import palmares.operations.lateevents.EvaluatedLateEvent;
import palmares.operations.lateevents.LateEventReview;
import palmares.operations.report.RevisionHistory;
import palmares.operations.report.RevisionSummary;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;

/** Tells of members. */
@Component
public class Explainer {
  private final JournalRows journal;
  private final OutcomeRows endings;
  private final TieRows ties;
  private final Sources sources;
  private final JdbcClient jdbc;
  private final Clock clock;

  Explainer(
      JournalRows journal,
      OutcomeRows endings,
      TieRows ties,
      Sources sources,
      JdbcClient jdbc,
      Clock clock) {
    this.journal = journal;
    this.endings = endings;
    this.ties = ties;
    this.sources = sources;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** What others know. */
  @Component
  record Sources(
      BoardDefinitions definitions,
      Members members,
      RevisionHistory revisions,
      LateEventReview late,
      LiveQueries live) {}

  /**
   * The member's story in the period; empty if nobody ever heard of the member.
   *
   * @param events how many of the last events to tell one by one
   */
  @Transactional(readOnly = true)
  public Optional<Explanation> tell(Period period, MemberId member, int events) {
    String id = member.value();
    Board rules = sources.definitions().of(period);
    var told = journal.of(period, rules, id, events);
    List<RevisionSummary> revisions = sources.revisions().of(period.board(), period.name());
    var ends = new ArrayList<Ending>();
    for (RevisionSummary revision : revisions) {
      ends.add(endings.of(period, revision, id));
    }
    if (period.state() == PeriodState.OPEN) {
      live(period, rules, member).ifPresent(ends::add);
    }
    List<EvaluatedLateEvent> late = sources.late().of(period, id);
    Optional<Profile> profile = sources.members().find(member);
    boolean heard =
        told.total() > 0
            || !late.isEmpty()
            || profile.isPresent()
            || ends.stream().anyMatch(end -> end.place() != null || end.excluded() != null);
    if (!heard && !isElsewhere(id)) {
      return Optional.empty();
    }
    return Optional.of(
        new Explanation(
            about(period, rules),
            who(id, profile),
            told,
            ends,
            ties(rules, revisions, id),
            endings.transfers(revisions, id),
            late.stream().map(Explainer::late).toList()));
  }

  private About about(Period period, Board rules) {
    return new About(
        period.board().value(),
        rules.title(),
        period.name().value(),
        period.state().word(),
        period.slot().startsAt(),
        period.slot().endsAt(),
        rules.zone().getId(),
        "scoring %s, ranks %s, ties by %s"
            .formatted(
                rules.scale().scoring().word(),
                rules.ranks().word(),
                (rules.scale().thenBy() == null ? "" : rules.scale().thenBy().name() + ", then ")
                    + rules.scale().tiebreak().word()),
        clock.instant());
  }

  private static Who who(String id, Optional<Profile> profile) {
    return profile
        .map(
            known ->
                new Who(
                    id,
                    known.nickname(),
                    known.inviteCode().toString(),
                    known.inviter() == null ? null : known.inviter().value(),
                    known.registeredAt()))
        .orElseGet(() -> new Who(id, null, null, null, null));
  }

  /** By the revision that stands, or the latest if none does yet. */
  private Ties ties(Board rules, List<RevisionSummary> revisions, String id) {
    return revisions.stream()
        .filter(one -> one.status().equals("stands"))
        .findAny()
        .or(() -> revisions.stream().reduce((one, later) -> later))
        .map(one -> ties.of(one.outcome(), rules, id))
        .orElseGet(() -> new Ties(0, List.of()));
  }

  /** As Redis has it now; nothing if it cannot be asked. */
  private Optional<Ending> live(Period period, Board rules, MemberId member) {
    try {
      return sources
          .live()
          .around(period, rules, member, 0)
          .flatMap(page -> page.lines().stream().findAny())
          .map(Explainer::ending);
    } catch (RedisUnavailable | LiveBoardHeld e) {
      return Optional.empty();
    }
  }

  private static Ending ending(LiveLine line) {
    return new Ending(
        0,
        "live",
        List.of(),
        line.place(),
        line.rank(),
        line.points(),
        null,
        line.reachedAt(),
        null,
        List.of(),
        List.of(),
        "nothing is paid before the period is settled");
  }

  private static Late late(EvaluatedLateEvent one) {
    var event = one.event();
    var decision = event.decision();
    String decided =
        decision == null
            ? "nobody has decided on it"
            : "%s by %s at %s: %s"
                .formatted(
                    decision.verdict().word(), decision.by(), decision.at(), decision.reason());
    String why;
    if (one.included() != null) {
      why = "counts since revision %d; %s".formatted(one.included(), decided);
    } else if (one.points() == null) {
      why = "came after the seal, and could not count: %s; %s".formatted(one.objection(), decided);
    } else {
      why =
          "came after the seal; it would have given %+d points, and rank %s; %s"
              .formatted(one.change(), one.rank() == null ? "none" : one.rank(), decided);
    }
    return new Late(event.id(), event.deed(), event.occurredAt(), event.arrivedAt(), why);
  }

  private boolean isElsewhere(String member) {
    return jdbc.sql(
            """
            select exists (select from event where member = :member)
              or exists (select from late_event where member = :member)
              or exists (select from exclusion where member = :member)
            """)
        .param("member", member)
        .query(Boolean.class)
        .single();
  }

  /** Members of the period with ids that begin alike, for a message about one that is unknown. */
  public List<String> alike(Period period, String word) {
    Optional<Integer> closing =
        jdbc.sql("select id from revision where period_id = :period and revision = 1")
            .param("period", period.id().value())
            .query(Integer.class)
            .optional();
    var alike = new LinkedHashSet<String>();
    closing.ifPresent(
        outcome ->
            alike.addAll(
                jdbc.sql(
                        """
                        select member from snapshot
                        where outcome = :outcome and left(member, 1) = left(:word, 1)
                        limit 2000
                        """)
                    .param("outcome", outcome)
                    .param("word", word)
                    .query(String.class)
                    .list()));
    alike.addAll(
        jdbc.sql(
                """
                select distinct member from (
                  select member from event
                  where period_id = :period and left(member, 1) = left(:word, 1)
                  limit 2000
                ) event
                """)
            .param("period", period.id().value())
            .param("word", word)
            .query(String.class)
            .list());
    return List.copyOf(alike);
  }
}
