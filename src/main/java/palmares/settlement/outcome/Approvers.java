package palmares.settlement.outcome;

import java.time.Clock;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.time.SqlTime;

/** Stores who approved a revision, and says which of them count if two people must. */
@Component
@EnableConfigurationProperties(ApprovalSettings.class)
@Transactional(propagation = Propagation.MANDATORY)
public class Approvers {
  private static final int REQUIRED_PEOPLE = 2;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final LocalApprovals localApprovals;

  Approvers(JdbcClient jdbc, Clock clock, LocalApprovals localApprovals) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.localApprovals = localApprovals;
  }

  /**
   * Records that a person approves a revision as it is.
   *
   * @return whether enough people have approved it
   * @throws LocalApprovalRefused if the person is the user of a shell, and the settings forbid that
   * @throws SamePersonRefused if two people must approve, and this person has prepared, shaped or
   *     approved it
   */
  public boolean approve(Revision revision, String by, String reason) {
    if (!localApprovals.mayApprove(by)) {
      throw new LocalApprovalRefused(by);
    }
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
        .param("now", SqlTime.utc(clock.instant()))
        .param("reason", reason)
        .update();
    return !revision.twoPerson() || names(revision).size() >= REQUIRED_PEOPLE;
  }

  /** The database compares people, and refuses the same again when it stores and posts. */
  private void requireOther(Revision revision, String by) {
    jdbc
        .sql(
            """
            select how from (
              select name, how from shaper where period_id = :period and revision = :revision
              union all
              select person(prepared_by), 'prepared' from revision
              where period_id = :period and revision = :revision
              union all
              select person(by), 'approved' from approval
              where period_id = :period and revision = :revision
            ) known
            where name = person(:by)
            """)
        .param("period", revision.period().value())
        .param("revision", revision.number())
        .param("by", by)
        .query(String.class)
        .list()
        .stream()
        .findFirst()
        .ifPresent(
            how -> {
              throw new SamePersonRefused(
                  switch (how) {
                    case "prepared" -> "it was prepared by " + by;
                    case "approved" -> by + " has approved it already";
                    default -> "%s shaped the outcome %s".formatted(by, how);
                  });
            });
  }

  /** Returns the people who approved a revision and did not shape it. */
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
