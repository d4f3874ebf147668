package palmares.console;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import palmares.api.identity.EndpointRules;
import palmares.api.ops.AccountResource;
import palmares.api.ops.AmendmentResource;
import palmares.api.ops.ArchiveResource;
import palmares.api.ops.BatchResource;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.ExclusionResource;
import palmares.api.ops.ForgettingResource;
import palmares.api.ops.HistoryResource;
import palmares.api.ops.InstallationResource;
import palmares.api.ops.LateEventResource;
import palmares.api.ops.LedgerResource;
import palmares.api.ops.MaintenanceResource;
import palmares.api.ops.PeriodResource;
import palmares.api.ops.TaskResource;

/** The operations API as pages call it: each call is allowed or refused as over HTTP. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
record Api(
    PeriodResource periods,
    InstallationResource installation,
    HistoryResource history,
    LedgerResource ledger,
    LateEventResource lateEvents,
    ClosingResource closings,
    AmendmentResource amendments,
    ExclusionResource exclusions,
    ForgettingResource forgetting,
    BatchResource batches,
    MaintenanceResource maintenance,
    ArchiveResource archives,
    AccountResource accounts,
    TaskResource tasks) {

  @Autowired
  Api(
      EndpointRules rules,
      PeriodResource periods,
      InstallationResource installation,
      HistoryResource history,
      LedgerResource ledger,
      LateEventResource lateEvents,
      ClosingResource closings,
      AmendmentResource amendments,
      ExclusionResource exclusions,
      ForgettingResource forgetting,
      BatchResource batches,
      MaintenanceResource maintenance,
      ArchiveResource archives,
      AccountResource accounts,
      TaskResource tasks) {
    this(
        rules.guarded(PeriodResource.class, periods),
        rules.guarded(InstallationResource.class, installation),
        rules.guarded(HistoryResource.class, history),
        rules.guarded(LedgerResource.class, ledger),
        rules.guarded(LateEventResource.class, lateEvents),
        rules.guarded(ClosingResource.class, closings),
        rules.guarded(AmendmentResource.class, amendments),
        rules.guarded(ExclusionResource.class, exclusions),
        rules.guarded(ForgettingResource.class, forgetting),
        rules.guarded(BatchResource.class, batches),
        rules.guarded(MaintenanceResource.class, maintenance),
        rules.guarded(ArchiveResource.class, archives),
        rules.guarded(AccountResource.class, accounts),
        rules.guarded(TaskResource.class, tasks));
  }
}
