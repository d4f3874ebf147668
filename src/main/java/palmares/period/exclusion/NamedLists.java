package palmares.period.exclusion;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Fault;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

/**
 * Keeps the named lists of excluded members that board files refer to. An entry of a list is an
 * exclusion, which {@link Exclusions} makes and lifts like any other.
 */
@Component
public class NamedLists {
  private static final Pattern NAME = Pattern.compile(BoardId.REGEX);

  private final JdbcClient jdbc;
  private final AuditLog auditLog;

  NamedLists(JdbcClient jdbc, AuditLog auditLog) {
    this.jdbc = jdbc;
    this.auditLog = auditLog;
  }

  /**
   * A list.
   *
   * @param members how many members are on it now
   */
  public record NamedList(
      String list, long members, Instant createdAt, @Wrapped String by, @Wrapped String reason) {}

  /**
   * Creates an empty list, and records it in the audit log.
   *
   * @throws Refusal if it exists, or its name is malformed
   */
  @Transactional
  public void create(String name, String by, String reason) {
    if (!NAME.matcher(name).matches()) {
      throw new Refusal(
          Problem.INVALID_FIELD,
          List.of(Fault.of("list", new ExclusionSentences.NotAListName(name))));
    }
    Instant now =
        auditLog.append(
            new AuditEntry(by, "create-list", "list:" + name, null, null, null, reason));
    int created =
        jdbc.sql(
                """
                insert into exclusion_list (name, reason, made_by, made_at)
                values (:name, :reason, :by, :now)
                on conflict (name) do nothing
                """)
            .param("name", name)
            .param("reason", reason)
            .param("by", by)
            .param("now", now)
            .update();
    if (created != 1) {
      throw new WrongState(new ExclusionSentences.ListExists(name));
    }
  }

  public List<NamedList> all() {
    return jdbc.sql(
            """
            select name as list, exclusion_list.reason, exclusion_list.made_by as by,
              exclusion_list.made_at as created_at, count(distinct exclusion.member) as members
            from exclusion_list
            left join exclusion on exclusion.list = name and exclusion.lifted_at is null
            group by name
            order by name
            """)
        .query(NamedList.class)
        .list();
  }

  /** A list that the rules of a board refer to and that does not exist: its closings fail. */
  public record MissingList(String board, String list) {}

  /** The list for want of which a closing has failed; null if it failed for another cause. */
  public static @Nullable Object missingList(Sentence failure) {
    return failure.code().equals(Sentence.code(ExclusionSentences.ListOfRulesMissing.class))
        ? failure.values().get("list")
        : null;
  }

  /** Finds the lists that boards refer to and that do not exist: closings of these boards stop. */
  public List<MissingList> missing(Collection<Board> boards) {
    Set<String> names = all().stream().map(NamedList::list).collect(Collectors.toSet());
    return boards.stream()
        .flatMap(
            board ->
                board.exclusionLists().stream()
                    .filter(list -> !names.contains(list))
                    .map(list -> new MissingList(board.id().value(), list)))
        .toList();
  }

  /** Finds the lists that the rules of periods refer to that are not settled. */
  public List<MissingList> missingLists() {
    return jdbc.sql(
            """
            select distinct period.board, list
            from period
            join definition on definition.hash = period.definition_hash
            cross join unnest(definition.lists) as list
            where period.settled_at is null
              and list not in (select name from exclusion_list)
            order by period.board, list
            """)
        .query(MissingList.class)
        .list();
  }

  /**
   * Checks that a list exists.
   *
   * @throws Refusal if it does not
   */
  public void require(String name) {
    List<String> names = all().stream().map(NamedList::list).toList();
    if (!names.contains(name)) {
      throw names.isEmpty()
          ? new Refusal(Problem.UNKNOWN_OBJECT, new ExclusionSentences.NoList(name))
              .then(Next.of("create-list").with("list", name))
          : new Refusal(Problem.UNKNOWN_OBJECT, new ExclusionSentences.NoSuchList(name, names));
    }
  }
}
