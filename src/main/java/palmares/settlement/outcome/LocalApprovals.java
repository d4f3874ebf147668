package palmares.settlement.outcome;

import java.time.Clock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.nodes.ThisProcess;

/**
 * Records the servers' setting on approvals from a shell, and says whether a name may approve. A
 * shell has other settings, with which it may forbid more than the servers, and not less.
 */
@Component
class LocalApprovals {
  private final JdbcClient jdbc;
  private final Clock clock;
  private final AuditLog auditLog;
  private final TransactionTemplate transaction;
  private final ApprovalSettings settings;
  private final boolean server;

  LocalApprovals(
      JdbcClient jdbc,
      Clock clock,
      AuditLog auditLog,
      TransactionTemplate transaction,
      ApprovalSettings settings,
      @Value("${palmares.writer.enabled:true}") boolean writer,
      @Value("${spring.quartz.auto-startup:false}") boolean scheduler) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.auditLog = auditLog;
    this.transaction = transaction;
    this.settings = settings;
    this.server = writer || scheduler;
  }

  /** Whether an approval by this name counts. The database asks the same when it stores one. */
  boolean mayApprove(String by) {
    return jdbc.sql("select not is_local(:by) or :allowed and may_approve_locally()")
        .param("by", by)
        .param("allowed", settings.localApprovals())
        .query(Boolean.class)
        .single();
  }

  /** Records the setting of this server, and in the audit log, if it is another one. */
  void record() {
    transaction.executeWithoutResult(
        status -> {
          int changed =
              jdbc.sql(
                      """
                      insert into approval_setting (local_approvals, process, at)
                      select :allowed::boolean, :process, :now::timestamptz
                      where :allowed::boolean <> may_approve_locally()
                      on conflict (single) do update
                      set local_approvals = excluded.local_approvals, process = excluded.process,
                        at = excluded.at
                      """)
                  .param("allowed", settings.localApprovals())
                  .param("process", ThisProcess.NAME)
                  .param("now", clock.instant())
                  .update();
          if (changed > 0) {
            auditLog.append(
                AuditEntry.of("palmares", "set-local-approvals", null)
                    .with("setting", "palmares.security.local-approvals")
                    .with("value", Boolean.toString(settings.localApprovals()))
                    .with("process", ThisProcess.NAME));
          }
        });
  }

  @EventListener(ApplicationStartedEvent.class)
  void recordOfServer() {
    if (server) {
      record();
    }
  }
}
