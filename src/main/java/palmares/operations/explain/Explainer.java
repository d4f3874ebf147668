package palmares.operations.explain;

import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
import palmares.operations.lateevents.LateEventReview;
import palmares.operations.lateevents.LateEventReview.EvaluatedLateEvent;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;

/** Explains members' results in periods. */
@Component
public class Explainer {
  private final JournalRows journal;
  private final OutcomeRows outcomes;
  private final BoardDefinitions definitions;
  private final Members members;
  private final LateEventReview lateEvents;
  private final KnownMembers knownMembers;
  private final LiveQueries live;
  private final Clock clock;

  Explainer(
      JournalRows journal,
      OutcomeRows outcomes,
      BoardDefinitions definitions,
      Members members,
      LateEventReview lateEvents,
      KnownMembers knownMembers,
      LiveQueries live,
      Clock clock) {
    this.journal = journal;
    this.outcomes = outcomes;
    this.definitions = definitions;
    this.members = members;
    this.lateEvents = lateEvents;
    this.knownMembers = knownMembers;
    this.live = live;
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
        .filter(all -> profile.isPresent() || all.hasResult() || knownMembers.knows(member));
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
        .filter(all -> all.hasResult() || knownMembers.knowsOn(period.board(), member));
  }

  private Explanation explanation(
      Period period, MemberId member, int events, Optional<Profile> profile) {
    String id = member.value();
    Board rules = definitions.of(period);
    var listed = journal.of(period, rules, id, events);
    var settled = outcomes.of(period, rules, id);
    var standings = new ArrayList<>(settled.standings());
    if (period.state() == PeriodState.OPEN) {
      live(period, rules, member).ifPresent(standings::add);
    }
    List<EvaluatedLateEvent> late = lateEvents.of(period, id);
    return new Explanation(
        info(period, rules),
        who(id, profile),
        listed,
        standings,
        settled.ties(),
        settled.transfers(),
        late.stream().map(one -> late(one, rules.zone())).toList());
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
        new ExplanationSentences.Rules(
            rules.scale().scoring(),
            rules.ranks(),
            rules.scale().thenBy() == null
                ? null
                : new ExplanationSentences.ThenBy(rules.scale().thenBy().name()),
            rules.scale().tiebreak()),
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
        new ExplanationSentences.NotSettled());
  }

  private static Late late(EvaluatedLateEvent one, ZoneId zone) {
    var event = one.event();
    var decision = event.decision();
    return new Late(
        event.id(),
        event.done(),
        event.occurredAt(),
        event.arrivedAt(),
        List.of(
            effect(one),
            decision == null
                ? new ExplanationSentences.Undecided()
                : new ExplanationSentences.LateDecided(
                    decision.verdict(),
                    decision.by(),
                    decision.at().atZone(zone),
                    decision.reason())));
  }

  private static Sentence effect(EvaluatedLateEvent one) {
    if (one.included() != null) {
      return new ExplanationSentences.CountsSince(one.included());
    }
    if (one.points() == null) {
      return new ExplanationSentences.CannotCount(Objects.requireNonNull(one.rejection()));
    }
    return one.rank() == null
        ? new ExplanationSentences.WouldGiveNoRank(one.change())
        : new ExplanationSentences.WouldGive(one.change(), one.rank());
  }
}
