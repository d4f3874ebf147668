package palmares.operations.explain;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.live.board.LiveBoardUnavailable;
import palmares.live.board.LiveLine;
import palmares.live.board.LiveQueries;
import palmares.live.member.Members;
import palmares.live.member.Members.Profile;
import palmares.operations.explain.Explanation.Late;
import palmares.operations.explain.Explanation.MemberInfo;
import palmares.operations.explain.Explanation.PeriodInfo;
import palmares.operations.explain.Explanation.Standing;
import palmares.operations.explain.Explanation.Ties;
import palmares.operations.lateevents.LateEventReview;
import palmares.operations.lateevents.LateEventReview.EvaluatedLateEvent;
import palmares.operations.report.RevisionHistory;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/** Explains members' results in periods. */
@Component
public class Explainer {
  private final JournalRows journal;
  private final OutcomeRows outcomes;
  private final TieRows ties;
  private final BoardDefinitions definitions;
  private final Members members;
  private final RevisionHistory revisionHistory;
  private final LateEventReview lateEvents;
  private final KnownMembers knownMembers;
  private final LiveQueries live;
  private final JdbcClient jdbc;
  private final Clock clock;

  Explainer(
      JournalRows journal,
      OutcomeRows outcomes,
      TieRows ties,
      BoardDefinitions definitions,
      Members members,
      RevisionHistory revisionHistory,
      LateEventReview lateEvents,
      KnownMembers knownMembers,
      LiveQueries live,
      JdbcClient jdbc,
      Clock clock) {
    this.journal = journal;
    this.outcomes = outcomes;
    this.ties = ties;
    this.definitions = definitions;
    this.members = members;
    this.revisionHistory = revisionHistory;
    this.lateEvents = lateEvents;
    this.knownMembers = knownMembers;
    this.live = live;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Explains a member's result in a period.
   *
   * @param events how many of the latest events to list
   * @return empty if the member is unknown
   */
  @Transactional(readOnly = true)
  public Optional<Explanation> explain(Period period, MemberId member, int events) {
    Optional<Profile> profile = members.find(member);
    Explanation explanation = explanation(period, member, events, profile);
    return Optional.of(explanation)
        .filter(all -> profile.isPresent() || all.hasResult() || isKnownElsewhere(member.value()));
  }

  /**
   * Explains a member's result in a period to somebody who may know nothing of other boards.
   *
   * @param events how many of the latest events to list
   * @return empty if nothing on the period's board is known of the member, registered or not
   */
  @Transactional(readOnly = true)
  public Optional<Explanation> explainOnBoard(Period period, MemberId member, int events) {
    return Optional.of(explanation(period, member, events, members.find(member)))
        .filter(all -> all.hasResult() || isOnBoard(period.board(), member));
  }

  private Explanation explanation(
      Period period, MemberId member, int events, Optional<Profile> profile) {
    String id = member.value();
    Board rules = definitions.of(period);
    var listed = journal.of(period, rules, id, events);
    List<RevisionSummary> revisions =
        revisionHistory.of(period.board(), period.name(), null, Integer.MAX_VALUE);
    var standings = new ArrayList<Standing>();
    for (RevisionSummary revision : revisions) {
      standings.add(outcomes.of(period, revision, id));
    }
    if (period.state() == PeriodState.OPEN) {
      live(period, rules, member).ifPresent(standings::add);
    }
    List<EvaluatedLateEvent> late = lateEvents.of(period, id);
    return new Explanation(
        info(period, rules),
        who(id, profile),
        listed,
        standings,
        ties(rules, revisions, id),
        outcomes.transfers(revisions, id),
        late.stream().map(Explainer::late).toList());
  }

  private PeriodInfo info(Period period, Board rules) {
    return new PeriodInfo(
        period.board().value(),
        rules.title(),
        period.name().value(),
        period.shownState(clock.instant()),
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

  private static MemberInfo who(String id, Optional<Profile> profile) {
    return profile
        .map(
            known ->
                new MemberInfo(
                    id,
                    known.nickname(),
                    known.inviteCode().toString(),
                    known.inviter() == null ? null : known.inviter().value(),
                    known.registeredAt()))
        .orElseGet(() -> new MemberInfo(id, null, null, null, null));
  }

  /** The ties in the current revision, or in the latest if none is posted yet. */
  private Ties ties(Board rules, List<RevisionSummary> revisions, String id) {
    return revisions.stream()
        .filter(one -> one.status().equals("in force"))
        .findAny()
        .or(() -> revisions.stream().reduce((one, later) -> later))
        .map(one -> ties.of(one.outcome(), rules, id))
        .orElseGet(() -> new Ties(0, List.of()));
  }

  /** The result on the live board; empty if Redis is not available. */
  private Optional<Standing> live(Period period, Board rules, MemberId member) {
    try {
      return live.around(period, rules, member, 0)
          .flatMap(page -> page.lines().stream().findAny())
          .map(Explainer::standing);
    } catch (RedisUnavailable | LiveBoardUnavailable e) {
      return Optional.empty();
    }
  }

  private static Standing standing(LiveLine line) {
    return new Standing(
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
            ? "it is not decided yet"
            : "%s by %s at %s: %s"
                .formatted(
                    decision.verdict().word(), decision.by(), decision.at(), decision.reason());
    String why;
    if (one.included() != null) {
      why = "counts since revision %d; %s".formatted(one.included(), decided);
    } else if (one.points() == null) {
      why =
          "arrived after the seal, and cannot count: %s; %s"
              .formatted(Texts.english(Objects.requireNonNull(one.rejection())), decided);
    } else {
      why =
          "arrived after the seal; it would give %+d points and rank %s; %s"
              .formatted(one.change(), one.rank() == null ? "none" : one.rank(), decided);
    }
    return new Late(event.id(), event.actionText(), event.occurredAt(), event.arrivedAt(), why);
  }

  private boolean isKnownElsewhere(String member) {
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

  /** Whether anything on a board is known of a member, apart from what only Redis has. */
  public boolean isOnBoard(BoardId board, MemberId member) {
    boolean isRecorded =
        jdbc.sql(
                """
                select exists (
                    select from event
                    join period on period.id = event.period_id
                    where event.member = :member and period.board = :board)
                  or exists (
                    select from late_event where member = :member and board = :board)
                  or exists (
                    select from exclusion where member = :member and board = :board)
                """)
            .param("member", member.value())
            .param("board", board.value())
            .query(Boolean.class)
            .single();
    return isRecorded || knownMembers.hasLineOn(board, member);
  }

  /** Members of the period whose ids have the same first letter, to suggest for an unknown one. */
  public List<String> similar(Period period, String word) {
    Optional<Integer> closing =
        jdbc.sql("select id from revision where period_id = :period and revision = 1")
            .param("period", period.id().value())
            .query(Integer.class)
            .optional();
    var similar = new LinkedHashSet<String>();
    closing.ifPresent(
        outcome ->
            similar.addAll(
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
    similar.addAll(
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
    return List.copyOf(similar);
  }
}
