package palmares.period.exclusion;

import static palmares.platform.time.SqlTime.utc;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Refusal;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.boardfiles.BoardFiles;

/**
 * Keeps the named lists of excluded members that board files refer to. An entry of a list is an
 * exclusion, which {@link Exclusions} makes, lifts and freezes like any other.
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
  public record NamedList(String name, long members, String reason, String by, Instant at) {}

  /**
   * Creates an empty list, and records it in the audit log.
   *
   * @throws Refusal if it exists, or its name is malformed
   */
  @Transactional
  public void create(String name, String by, String reason) {
    if (!NAME.matcher(name).matches()) {
      throw new Refusal(
          Refusal.Reason.INVALID_FIELD,
          ("a list's name is 1 to 40 lower-case letters, digits and hyphens, beginning with a"
                  + " letter, not '%s'")
              .formatted(name));
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
            .param("now", utc(now))
            .update();
    if (created != 1) {
      throw new WrongState("the list '%s' exists already".formatted(name));
    }
  }

  public List<NamedList> all() {
    return jdbc.sql(
            """
            select name, exclusion_list.reason, exclusion_list.made_by as by,
              exclusion_list.made_at as at, count(distinct exclusion.member) as members
            from exclusion_list
            left join exclusion on exclusion.list = name and exclusion.lifted_at is null
            group by name
            order by name
            """)
        .query(NamedList.class)
        .list();
  }

  /**
   * Names the lists that boards refer to and that do not exist: closings of these boards stop.
   *
   * @return a sentence for each board and list, which names the file
   */
  public List<String> missing(Collection<Board> boards) {
    Set<String> names = all().stream().map(NamedList::name).collect(Collectors.toSet());
    return boards.stream()
        .flatMap(
            board ->
                board.exclusionLists().stream()
                    .filter(list -> !names.contains(list))
                    .map(list -> missing(board.id(), list)))
        .toList();
  }

  private static String missing(BoardId board, String list) {
    return ("%s: the board '%s' refers to the list '%s', which does not exist, so its closings will"
            + " stop: 'palmares lists create %3$s --reason TEXT' creates it")
        .formatted(board + BoardFiles.EXTENSION, board, list);
  }

  /**
   * Checks that a list exists.
   *
   * @throws Refusal if it does not
   */
  public void require(String name) {
    List<String> names = all().stream().map(NamedList::name).toList();
    if (!names.contains(name)) {
      throw new Refusal(
          Refusal.Reason.UNKNOWN_OBJECT,
          names.isEmpty()
              ? "there is no list '%s': 'palmares lists create' creates one".formatted(name)
              : "there is no list '%s'; the lists are: %s"
                  .formatted(name, String.join(", ", names)));
    }
  }
}
