package palmares.settlement.outcome;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

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
   * @throws Refusal if the person is the user of a shell, and the settings forbid that, or if two
   *     people must approve, and this person has prepared, shaped or approved it
   */
  public boolean approve(Revision revision, String by, String reason) {
    if (!localApprovals.mayApprove(by)) {
      throw new Refusal(Problem.SAME_PERSON, new ApproverSentences.NotLocal(by));
    }
    requireOther(revision, by);
    jdbc.sql(
            """
            insert into approval (period_id, revision, by, at, reason)
            values (:period, :revision, :by, :now, :reason)
            """)
        .param("period", revision.period())
        .param("revision", revision.number())
        .param("by", by)
        .param("now", clock.instant())
        .param("reason", reason)
        .update();
    return !revision.twoPerson() || names(revision).size() >= REQUIRED_PEOPLE;
  }

  private void requireOther(Revision revision, String by) {
    refusal(revision, by)
        .ifPresent(
            why -> {
              throw new Refusal(Problem.SAME_PERSON, new ApproverSentences.AnotherPerson(why));
            });
  }

  /**
   * Finds why two other people must approve a revision; empty if this person may be one of them.
   * The database compares people, and refuses the same again when it stores and posts.
   */
  public Optional<Sentence> refusal(Revision revision, String by) {
    if (!revision.twoPerson()) {
      return Optional.empty();
    }
    return jdbc
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
        .param("period", revision.period())
        .param("revision", revision.number())
        .param("by", by)
        .query(String.class)
        .list()
        .stream()
        .findFirst()
        .map(
            how ->
                switch (how) {
                  case "prepared" -> new ApproverSentences.Prepared(by);
                  case "approved" -> new ApproverSentences.ApprovedBefore(by);
                  default -> new ApproverSentences.Shaped(by, how);
                });
  }

  /** Returns when a person approved a revision as it is; empty if that person has not. */
  @Transactional(propagation = Propagation.SUPPORTS)
  public Optional<Instant> approvedAt(Revision revision, String by) {
    return jdbc.sql(
            """
            select min(at) as at from approval
            where period_id = :period and revision = :revision and by = :by
            having count(*) > 0
            """)
        .param("period", revision.period())
        .param("revision", revision.number())
        .param("by", by)
        .query(Instant.class)
        .optional();
  }

  /** Returns the people who approved a revision and did not shape it. */
  public List<String> names(Revision revision) {
    return jdbc.sql(
            """
            select name from approver
            where period_id = :period and revision = :revision
            order by name
            """)
        .param("period", revision.period())
        .param("revision", revision.number())
        .query(String.class)
        .list();
  }

  /** Removes the approvals of a revision that has changed since. */
  public void forget(Revision revision) {
    jdbc.sql("delete from approval where period_id = :period and revision = :revision")
        .param("period", revision.period())
        .param("revision", revision.number())
        .update();
  }
}
