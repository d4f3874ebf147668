package palmares.settlement.outcome;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Stores who approved a revision, and says which of them count if two people must. */
@Component
@Transactional(propagation = Propagation.MANDATORY)
public class Approvers {
  private static final int REQUIRED_PEOPLE = 2;

  private final JdbcClient jdbc;
  private final Clock clock;

  Approvers(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Records that a person approves a revision as it is.
   *
   * @return whether enough people have approved it
   * @throws SamePersonRefused if two people must approve, and this person has prepared, shaped or
   *     approved it
   */
  public boolean approve(Revision revision, String by, String reason) {
    if (revision.twoPerson()) {
      requireOther(revision, by);
    }
    jdbc.sql(
            """
            insert into approval (period_id, revision, by, at, reason)
            values (:period, :revision, :by, :now, :reason)
            """)
        .param("period", revision.period().value())
        .param("revision", revision.number())
        .param("by", by)
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .param("reason", reason)
        .update();
    return !revision.twoPerson() || names(revision).size() >= REQUIRED_PEOPLE;
  }

  private void requireOther(Revision revision, String by) {
    String name = by.strip();
    if (revision.preparedBy().strip().equalsIgnoreCase(name)) {
      throw new SamePersonRefused("it was prepared by " + by);
    }
    jdbc
        .sql(
            """
            select how from (
              select name, how from shaper where period_id = :period and revision = :revision
              union all
              select lower(btrim(by)), 'by an approval before' from approval
              where period_id = :period and revision = :revision
            ) person
            where name = lower(:name)
            """)
        .param("period", revision.period().value())
        .param("revision", revision.number())
        .param("name", name)
        .query(String.class)
        .list()
        .stream()
        .findFirst()
        .ifPresent(
            how -> {
              throw new SamePersonRefused(
                  how.contains("approval")
                      ? by + " has approved it already"
                      : "%s shaped the outcome %s".formatted(by, how));
            });
  }

  /** Returns who approved a revision and did not shape it; names are in lower case. */
  public List<String> names(Revision revision) {
    return jdbc.sql(
            """
            select name from approver
            where period_id = :period and revision = :revision
            order by name
            """)
        .param("period", revision.period().value())
        .param("revision", revision.number())
        .query(String.class)
        .list();
  }

  /** Removes the approvals of a revision that has changed since. */
  public void forget(Revision revision) {
    jdbc.sql("delete from approval where period_id = :period and revision = :revision")
        .param("period", revision.period().value())
        .param("revision", revision.number())
        .update();
  }
}
