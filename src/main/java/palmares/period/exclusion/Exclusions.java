package palmares.period.exclusion;

import static java.time.ZoneOffset.UTC;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.Exclusion.Lift;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/** Makes and lifts exclusions. */
@Component
public class Exclusions {
  /** The columns of an {@link Exclusion}. */
  public static final String COLUMNS =
      """
      select
        exclusion.id, exclusion.member, exclusion.board, exclusion.list, exclusion.level,
        exclusion.starts_at, exclusion.ends_at, exclusion.reason, exclusion.made_by as by,
        exclusion.made_at as at, exclusion.lifted_by as lift_by, exclusion.lifted_at as lift_at,
        exclusion.lift_reason
      """;

  private static final String SELECT = COLUMNS + "from exclusion\n";

  private final JdbcClient jdbc;
  private final Clock clock;
  private final AuditLog auditLog;

  Exclusions(JdbcClient jdbc, Clock clock, AuditLog auditLog) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.auditLog = auditLog;
  }

  /**
   * An exclusion to make.
   *
   * @param reason in the words of the person who makes it
   * @param line of the file that it is from; null if it is from none
   */
  public record Request(Terms terms, String reason, @Nullable Long line) {
    /** What is said of its member, with the place in the file. */
    public Sentence said(Sentence ofMember) {
      return line == null
          ? ofMember
          : new ExclusionSentences.Line(line, new ExclusionSentences.Column("member", ofMember));
    }
  }

  /**
   * Makes an exclusion, and records it in the audit log.
   *
   * @throws WrongState if an equal one is in force, or its list does not exist
   */
  @Transactional
  public Exclusion exclude(Terms terms, String reason, String by) {
    return excludeAll(List.of(new Request(terms, reason, null)), by).get(0);
  }

  /**
   * Makes all of these exclusions or none, and records each in the audit log.
   *
   * @throws WrongState if an equal one is in force, or a list does not exist; names them all
   */
  @Transactional
  public List<Exclusion> excludeAll(List<Request> requests, String by) {
    Instant now = begin();
    var refused = new ArrayList<Sentence>();
    var missing = new LinkedHashSet<Next>();
    var made = new ArrayList<Exclusion>();
    for (Request request : requests) {
      Terms terms = request.terms();
      Optional<Exclusion> equal = findEqual(terms);
      String list = terms.list();
      if (equal.isPresent()) {
        refused.add(request.said(madeBefore(equal.get())));
      } else if (list != null && !exists(list)) {
        refused.add(request.said(new ExclusionSentences.NoList(list)));
        missing.add(Next.of("create-list").with("list", list));
      } else if (refused.isEmpty()) {
        made.add(insert(request, by, now));
      }
    }
    if (!refused.isEmpty()) {
      throw new WrongState(ListSentences.lines(refused, refused.size()))
          .then(missing.toArray(Next[]::new));
    }
    return made;
  }

  private boolean exists(String list) {
    return jdbc.sql("select exists (select from exclusion_list where name = :name)")
        .param("name", list)
        .query(Boolean.class)
        .single();
  }

  private Exclusion insert(Request request, String by, Instant now) {
    auditLog.append(entry("exclude", by, request.terms(), request.reason()), now);
    long id =
        jdbc.sql(
                """
                insert into exclusion (
                  member, board, list, level, starts_at, ends_at, reason, made_by, made_at)
                values (
                  :member, :board::text, :list::text, :level, :starts::timestamptz,
                  :ends::timestamptz, :reason, :by, :now)
                returning id
                """)
            .params(parameters(request.terms()))
            .param("reason", request.reason())
            .param("by", by)
            .param("now", now)
            .query(Long.class)
            .single();
    return new Exclusion(id, request.terms(), request.reason(), by, now, null);
  }

  private Instant begin() {
    return jdbc.sql("select begin_exclusion(:now)")
        .param("now", clock.instant())
        .query(Instant.class)
        .single();
  }

  private static Sentence madeBefore(Exclusion equal) {
    return new ExclusionSentences.MadeBefore(
        equal.terms().member().value(),
        equal.id(),
        equal.at().atZone(UTC),
        equal.by(),
        equal.reason());
  }

  private Optional<Exclusion> findEqual(Terms terms) {
    return jdbc.sql(
            SELECT
                + """
                where lifted_at is null
                  and member = :member
                  and level = :level
                  and board is not distinct from :board::text
                  and list is not distinct from :list::text
                  and starts_at is not distinct from :starts::timestamptz
                  and ends_at is not distinct from :ends::timestamptz
                """)
        .params(parameters(terms))
        .query(Exclusion.class)
        .optional();
  }

  /**
   * Lifts an exclusion, and records it in the audit log. Frozen exclusions do not change.
   *
   * @throws WrongState if it does not exist or is lifted already
   */
  @Transactional
  public Exclusion lift(long id, String reason, String by) {
    Instant now = begin();
    Exclusion exclusion =
        find(id).orElseThrow(() -> new WrongState(new ExclusionSentences.Unknown(id)));
    Lift lift = exclusion.lift();
    if (lift != null) {
      throw new WrongState(
          new ExclusionSentences.LiftedBefore(
              id,
              exclusion.terms().member().value(),
              lift.at().atZone(UTC),
              lift.by(),
              lift.reason()));
    }
    auditLog.append(entry("lift", by, exclusion.terms(), reason).with("exclusion", id), now);
    jdbc.sql(
            """
            update exclusion
            set lifted_by = :by, lifted_at = :now, lift_reason = :reason
            where id = :id
            """)
        .param("by", by)
        .param("now", now)
        .param("reason", reason)
        .param("id", id)
        .update();
    return find(id).orElseThrow();
  }

  /**
   * Removes a member from a list: lifts its entries.
   *
   * @throws WrongState if it is not on the list
   */
  @Transactional
  public List<Exclusion> removeFrom(String list, MemberId member, String reason, String by) {
    var lifted =
        page(member, list, false, null, Integer.MAX_VALUE).stream()
            .map(entry -> lift(entry.id(), reason, by))
            .toList();
    if (lifted.isEmpty()) {
      throw new WrongState(new ExclusionSentences.NotOnList(member.value(), list));
    }
    return lifted;
  }

  /**
   * Lifts every exclusion of a member that is in force.
   *
   * @param board only those made for this board; null for all
   * @throws WrongState if there are none
   */
  @Transactional
  public List<Exclusion> liftAll(
      MemberId member, @Nullable BoardId board, String reason, String by) {
    var lifted =
        page(member, null, false, null, Integer.MAX_VALUE).stream()
            .filter(made -> board == null || board.equals(made.terms().board()))
            .map(made -> lift(made.id(), reason, by))
            .toList();
    if (lifted.isEmpty()) {
      throw new WrongState(
          board == null
              ? new ExclusionSentences.NoneInForce(member.value())
              : new ExclusionSentences.NoneInForceOnBoard(member.value(), board.value()));
    }
    return lifted;
  }

  private static AuditEntry entry(String verb, String by, Terms terms, String reason) {
    return new AuditEntry(by, verb, terms.scope(), null, null, terms.member().value(), reason)
        .with("level", terms.level().word())
        .with("from", terms.startsAt())
        .with("until", terms.endsAt());
  }

  public Optional<Exclusion> find(long id) {
    return jdbc.sql(SELECT + "where id = :id").param("id", id).query(Exclusion.class).optional();
  }

  /**
   * Returns a page of exclusions, oldest first.
   *
   * @param member only those of this member; null for all
   * @param list only those of this list; null for all
   * @param lifted whether to return lifted ones, too
   * @param after only those after the one with this id; null for all
   */
  public List<Exclusion> page(
      @Nullable MemberId member,
      @Nullable String list,
      boolean lifted,
      @Nullable Long after,
      int most) {
    return jdbc.sql(
            SELECT
                + """
                where (:after::bigint is null or id > :after)
                  and member = coalesce(:member, member)
                  and (:list::text is null or list = :list)
                  and (:lifted or lifted_at is null)
                order by id
                limit :most
                """)
        .param("after", after)
        .param("member", member)
        .param("list", list)
        .param("lifted", lifted)
        .param("most", most)
        .query(Exclusion.class)
        .list();
  }

  private static Map<String, @Nullable Object> parameters(Terms terms) {
    var parameters = new LinkedHashMap<String, @Nullable Object>();
    parameters.put("member", terms.member());
    parameters.put("board", terms.board());
    parameters.put("list", terms.list());
    parameters.put("level", terms.level());
    parameters.put("starts", terms.startsAt());
    parameters.put("ends", terms.endsAt());
    return parameters;
  }
}
