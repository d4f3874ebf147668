package palmares.settlement.outbox;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.DuePeriods;
import palmares.period.Lease;
import palmares.period.Period;
import palmares.period.PeriodTimeline.PeriodOpened;
import palmares.period.Population;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.platform.threads.Spans;
import palmares.rules.calendar.Slot;
import palmares.settlement.wallet.AwardKey;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores the facts that other systems get, in the transaction that makes them true. So a fact is
 * delivered if, and only if, its transaction commits.
 */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Outbox {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** A longer message of a failure is cut; the run keeps all of it. */
  private static final int MAX_FAILURE_CHARACTERS = 1_000;

  private static final String INSERT =
      """
      insert into fact (type, subject, at, board, period, data, traceparent)
      select :type, :subject, :now, :board, :period, :data::json, :traceparent
      """;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Spans spans;

  Outbox(JdbcClient jdbc, Clock clock, Spans spans) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.spans = spans;
  }

  /** Stores that the period is settled, with the revision that is in force. */
  public void settled(Period period) {
    posted(period, null, "period.settled");
  }

  /**
   * Stores that a revision of the period is posted.
   *
   * @param revision 2 or more
   */
  public void amended(Period period, int revision) {
    posted(period, revision, "period.amended");
  }

  private void posted(Period period, @Nullable Integer revision, String type) {
    jdbc.sql(
            """
            insert into fact (type, subject, at, board, period, revision, traceparent)
            select :type, board || '/' || name || '/' || posted, :now, board, name, posted,
              :traceparent
            from (
              select board, name, coalesce(:revision::int, revision) as posted
              from period
              where id = :period
            ) period
            """)
        .param("type", type)
        .param("now", clock.instant())
        .param("revision", revision)
        .param("traceparent", spans.traceparent())
        .param("period", period.id())
        .update();
  }

  /**
   * Stores that a period's row was created, or that a coming period has moved, if a target wants to
   * know. The time is part of its id, since a coming period may move more than once.
   */
  @EventListener
  public void opened(PeriodOpened opened) {
    Map<String, Object> data = times(opened.slot(), opened.closesAt());
    data.put("moved", opened.moved());
    String board = opened.board().value();
    String period = opened.slot().name().value();
    storeIfWanted("period.opened", board, period, "/" + clock.instant(), data);
  }

  /**
   * Stores that a person has given the period a later end.
   *
   * @param former the end that it had
   */
  public void extended(Period period, Lease lease, Instant former) {
    Map<String, Object> data = times(period.slot(), period.closesAt());
    data.put("formerEndsAt", former.toString());
    storeOfPeriod(
        "period.extended",
        period.board().value(),
        period.name().value(),
        "/" + lease.fence(),
        data);
  }

  private static Map<String, Object> times(Slot slot, @Nullable Instant closesAt) {
    var data = new LinkedHashMap<String, Object>();
    data.put("startsAt", slot.startsAt().toString());
    data.put("endsAt", slot.endsAt().toString());
    if (closesAt != null) {
      data.put("closesAt", closesAt.toString());
    }
    return data;
  }

  /** Stores that the period's live board is frozen, if a target wants to know. */
  public void sealed(Period period, Population population) {
    Map<String, Object> data = times(period.slot(), null);
    data.put("members", population.members());
    data.put("points", population.points());
    data.put("events", population.events());
    storeIfWanted("period.sealed", period.board().value(), period.name().value(), "", data);
  }

  /** Small boards open and seal many periods, so these facts are not stored for nobody. */
  private void storeIfWanted(
      String type, String board, String period, String suffix, Map<String, Object> data) {
    store(
        INSERT + "where exists (select from outbox_target where :type = any(facts))",
        type,
        board + "/" + period + suffix,
        board,
        period,
        data);
  }

  /**
   * Stores that the period is held for a person.
   *
   * @param reasons why
   * @param releaseAt when it is released if nobody objects; null if only a person releases it
   */
  public void held(
      Period period, Lease lease, List<? extends Sentence> reasons, @Nullable Instant releaseAt) {
    var data = new LinkedHashMap<String, Object>();
    data.put("attempt", lease.fence());
    data.put("reasons", reasons);
    if (releaseAt != null) {
      data.put("releaseAt", releaseAt.toString());
    }
    storeOfPeriod(
        "period.held", period.board().value(), period.name().value(), "/" + lease.fence(), data);
  }

  /**
   * Stores that a closing of the period failed.
   *
   * @param step the step that failed; null if none had begun
   */
  public void failed(
      Period period, Lease lease, @Nullable String step, Sentence failure, DuePeriods.Retry retry) {
    var data = new LinkedHashMap<String, Object>();
    data.put("attempt", lease.fence());
    data.put("failures", retry.failures());
    if (step != null) {
      data.put("step", step);
    }
    String text = Texts.english(failure);
    data.put(
        "failure",
        text.length() <= MAX_FAILURE_CHARACTERS
            ? failure
            : Sentence.verbatim(text.substring(0, MAX_FAILURE_CHARACTERS)));
    data.put("retryAt", retry.at().toString());
    storeOfPeriod(
        "period.failed", period.board().value(), period.name().value(), "/" + lease.fence(), data);
  }

  public void overdue(String board, String period, Instant closesAt, String state) {
    var data = new LinkedHashMap<String, Object>();
    data.put("closesAt", closesAt.toString());
    data.put("state", state);
    storeOfPeriod("period.overdue", board, period, "", data);
  }

  private void storeOfPeriod(
      String type, String board, String period, String suffix, Map<String, Object> data) {
    store(INSERT, type, board + "/" + period + suffix, board, period, data);
  }

  /**
   * Stores that a nightly verification found differences.
   *
   * @param first the first difference
   */
  public void verificationFailed(LocalDate night, long periods, long differences, Sentence first) {
    var data = new LinkedHashMap<String, Object>();
    data.put("night", night.toString());
    data.put("periods", periods);
    data.put("differences", differences);
    data.put("first", first);
    store(INSERT, "verification.failed", night.toString(), null, null, data);
  }

  public void digest(LocalDate day, Map<String, Object> data) {
    store(INSERT, "digest", day.toString(), null, null, data);
  }

  /**
   * A fact about a member's rank on an open board.
   *
   * @param about what it is about besides the member; part of its id
   */
  public record RankFact(String type, String member, String about, Map<String, Object> data) {}

  /**
   * Stores what has become of members' ranks, as far as a target wants to know.
   *
   * @param comparison the number of the comparison that found it; part of the ids
   * @return how many are stored
   */
  public int ranked(Period period, long comparison, List<RankFact> facts) {
    String board = period.board().value();
    String name = period.name().value();
    return jdbc.sql(
            """
            insert into fact (type, subject, at, board, period, data, traceparent)
            select type, subject, :now, :board, :period, data::json, :traceparent
            from unnest(:types::text[], :subjects::text[], :data::text[])
              with ordinality as found (type, subject, data, n)
            where exists (select from outbox_target where found.type = any(facts))
            order by n
            """)
        .param("now", clock.instant())
        .param("board", board)
        .param("period", name)
        .param("traceparent", spans.traceparent())
        .param("types", facts.stream().map(RankFact::type).toList())
        .param(
            "subjects",
            facts.stream()
                .map(
                    fact ->
                        AwardKey.join(
                            board, name, fact.member(), fact.about(), String.valueOf(comparison)))
                .toList())
        .param("data", facts.stream().map(fact -> JSON.writeValueAsString(fact.data())).toList())
        .update();
  }

  /** Whether targets want facts of these types, and all of these targets are parked. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public boolean isParked(List<String> types) {
    return jdbc.sql(
            """
            select coalesce(bool_and(parked_at is not null), false)
            from outbox_target
            where facts && :types::text[]
            """)
        .param("types", types)
        .query(Boolean.class)
        .single();
  }

  private void store(
      String sql,
      String type,
      String subject,
      @Nullable String board,
      @Nullable String period,
      Map<String, Object> data) {
    jdbc.sql(sql)
        .param("traceparent", spans.traceparent())
        .param("type", type)
        .param("subject", subject)
        .param("now", clock.instant())
        .param("board", board)
        .param("period", period)
        .param("data", JSON.writeValueAsString(data))
        .update();
  }
}
