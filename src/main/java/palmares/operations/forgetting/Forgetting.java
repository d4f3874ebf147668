package palmares.operations.forgetting;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.operations.archive.ArchiveRenaming.Renamed;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.rules.board.MemberId;

/**
 * Forgets people. It works period by period, each in a transaction, and remembers the pseudonym
 * until the end. So an attempt that dies is completed by the next one.
 */
@Component
public class Forgetting {
  private static final Logger LOG = LoggerFactory.getLogger(Forgetting.class);

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final ForgettingCheck check;
  private final StoredPseudonyms pseudonyms;
  private final PeriodRenaming renaming;
  private final StoredAnswers answers;
  private final RemainingNames remaining;
  private final ForgottenArchives archives;
  private final AuditLog auditLog;

  Forgetting(
      DataSource dataSource,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      ForgettingCheck check,
      StoredPseudonyms pseudonyms,
      PeriodRenaming renaming,
      StoredAnswers answers,
      RemainingNames remaining,
      ForgottenArchives archives,
      AuditLog auditLog) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.check = check;
    this.pseudonyms = pseudonyms;
    this.renaming = renaming;
    this.answers = answers;
    this.remaining = remaining;
    this.archives = archives;
    this.auditLog = auditLog;
  }

  /** Hears how far a forgetting is. */
  @FunctionalInterface
  public interface Progress {
    void periods(long done);

    /** That many archives were read to find an id that no row has. */
    default void archivesRead(long done) {}
  }

  /**
   * Says what forgetting a person would change.
   *
   * @param obstacles why it is refused now, each with what to do; empty if it is not
   * @param remains where the id stays until a person removes it, each with what to do
   * @param notes what may mean something else: texts that are not replaced, or all that has the id
   * @param touched the number of rows or periods, by what they are
   */
  public record Plan(
      List<String> obstacles,
      List<String> remains,
      List<String> notes,
      Map<String, Long> touched) {}

  /**
   * A person that is forgotten.
   *
   * @param remains where the id stays until a person removes it, each with what to do
   * @param notes what may mean something else: texts that are not replaced, or all that has the id
   * @param rows how many rows of PostgreSQL were renamed
   * @param rebuilt the open periods whose live boards were rebuilt
   * @param expired the settled periods whose live keys were removed before their retention was over
   * @param archives the periods whose archives were written again
   */
  public record Forgotten(
      MemberId pseudonym,
      List<String> remains,
      List<String> notes,
      long rows,
      List<String> rebuilt,
      List<String> expired,
      List<String> archives) {}

  /**
   * Finds what forgetting a person would change; changes nothing.
   *
   * @param reason must not contain the id
   * @throws WrongState if it does, or if nobody has this id
   */
  public Plan plan(MemberId member, String reason) {
    return check.plan(member, reason, read -> {});
  }

  /**
   * Checks that a person can be forgotten now; changes nothing. Reads no archive: an id that no row
   * has may still be found unknown when archives are read.
   *
   * @param reason must not contain the id
   * @throws WrongState if not, because a person must do something first
   * @throws ForgettingIncomplete if not, and an earlier attempt has begun
   */
  public void requirePossible(MemberId member, String reason) {
    check.requireInRows(member, reason);
  }

  /**
   * Forgets a person, or completes an attempt that died. Of all processes, one at a time forgets.
   *
   * @param reason must not contain the id
   * @param progress hears how far it is
   * @throws WrongState if a person must do something first; nothing was changed
   * @throws ForgettingIncomplete if something is in the way, and a part is done
   */
  public Forgotten forget(MemberId member, String reason, String by, Progress progress) {
    // A separate connection: the transactions in between end, and the lock must not.
    Connection connection = lock(member);
    try {
      Plan plan = check.require(member, reason, progress::archivesRead);
      return forgetLocked(member, reason, by, plan, progress);
    } finally {
      unlock(connection);
    }
  }

  private Connection lock(MemberId member) {
    try {
      Connection connection = dataSource.getConnection();
      boolean locked = false;
      try (Statement statement = connection.createStatement()) {
        locked = call(statement, "pg_try_advisory_lock");
      } finally {
        if (!locked) {
          connection.close();
        }
      }
      if (!locked) {
        String busy = "a person is being forgotten already: try again once that has ended";
        throw pseudonyms.find(member) == null
            ? new WrongState(busy)
            : new ForgettingIncomplete(busy);
      }
      return connection;
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("the lock of forgetting failed", e);
    }
  }

  /** A connection that was lost has no lock any more, and what was done stays done. */
  private static void unlock(Connection connection) {
    try (connection;
        Statement statement = connection.createStatement()) {
      call(statement, "pg_advisory_unlock");
    } catch (SQLException e) {
      LOG.warn("the connection with the lock of forgetting was lost", e);
    }
  }

  private static boolean call(Statement statement, String function) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "select %s(hashtextextended('forgetting', 0))".formatted(function))) {
      return row.next() && row.getBoolean(1);
    }
  }

  private Forgotten forgetLocked(
      MemberId member, String reason, String by, Plan plan, Progress progress) {
    MemberId pseudonym = pseudonyms.begin(member);
    var rebuilt = new ArrayList<String>();
    long rows = renaming.everywhere(member, pseudonym);
    rows += renaming.inPeriods(member, pseudonym, rebuilt, progress::periods);
    var remains = new ArrayList<String>();
    List<String> expired = renaming.expire(remains);
    Renamed files = archives.rename(member, pseudonym, reason, by);
    remains.addAll(files.remains());
    answers.remove(member.value());
    remaining.requireNoLines(member);
    rows += end(member, pseudonym, reason, by);
    return new Forgotten(pseudonym, remains, plan.notes(), rows, rebuilt, expired, files.renamed());
  }

  /** Renames what has been written meanwhile, too: texts of other people, and of other attempts. */
  private long end(MemberId member, MemberId pseudonym, String reason, String by) {
    return transaction.execute(
        status -> {
          long rows = renaming.everywhere(member, pseudonym);
          remaining.requireUnnamed(member, pseudonym);
          String digest =
              jdbc.sql("select forgotten_digest(:pseudonym)")
                  .param("pseudonym", pseudonym.value())
                  .query(String.class)
                  .single();
          auditLog.append(
              new AuditEntry(
                  by,
                  "forget",
                  null,
                  null,
                  null,
                  pseudonym.value(),
                  "%s [%s]".formatted(reason, digest)));
          jdbc.sql("delete from forgetting where member = :member")
              .param("member", member.value())
              .update();
          return rows;
        });
  }
}
