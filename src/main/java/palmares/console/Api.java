package palmares.console;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import palmares.api.identity.EndpointRules;
import palmares.api.ops.AccountResource;
import palmares.api.ops.AmendmentResource;
import palmares.api.ops.ArchiveResource;
import palmares.api.ops.BatchResource;
import palmares.api.ops.CatalogueResource;
import palmares.api.ops.ClosingResource;
import palmares.api.ops.DecisionResource;
import palmares.api.ops.DeliveryResource;
import palmares.api.ops.ExclusionResource;
import palmares.api.ops.ForgettingResource;
import palmares.api.ops.HistoryResource;
import palmares.api.ops.InstallationResource;
import palmares.api.ops.LateEventResource;
import palmares.api.ops.LedgerResource;
import palmares.api.ops.MaintenanceResource;
import palmares.api.ops.MemoryResource;
import palmares.api.ops.PayoutResource;
import palmares.api.ops.PeriodResource;
import palmares.api.ops.TaskResource;
import palmares.api.ops.VerificationResource;
import palmares.api.ops.WalletResource;
import palmares.api.ops.WithheldResource;

/** The operations API as pages call it: each call is allowed or refused as over HTTP. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
record Api(
    PeriodResource periods,
    InstallationResource installation,
    CatalogueResource catalogue,
    HistoryResource history,
    LedgerResource ledger,
    PayoutResource payouts,
    LateEventResource lateEvents,
    WithheldResource withheld,
    ClosingResource closings,
    DecisionResource decisions,
    AmendmentResource amendments,
    ExclusionResource exclusions,
    ForgettingResource forgetting,
    BatchResource batches,
    MaintenanceResource maintenance,
    MemoryResource memory,
    DeliveryResource deliveries,
    VerificationResource verifications,
    ArchiveResource archives,
    AccountResource accounts,
    WalletResource wallet,
    TaskResource tasks) {

  @Autowired
  Api(EndpointRules rules, BeanFactory beans) {
    this(
        guarded(PeriodResource.class, rules, beans),
        guarded(InstallationResource.class, rules, beans),
        guarded(CatalogueResource.class, rules, beans),
        guarded(HistoryResource.class, rules, beans),
        guarded(LedgerResource.class, rules, beans),
        guarded(PayoutResource.class, rules, beans),
        guarded(LateEventResource.class, rules, beans),
        guarded(WithheldResource.class, rules, beans),
        guarded(ClosingResource.class, rules, beans),
        guarded(DecisionResource.class, rules, beans),
        guarded(AmendmentResource.class, rules, beans),
        guarded(ExclusionResource.class, rules, beans),
        guarded(ForgettingResource.class, rules, beans),
        guarded(BatchResource.class, rules, beans),
        guarded(MaintenanceResource.class, rules, beans),
        guarded(MemoryResource.class, rules, beans),
        guarded(DeliveryResource.class, rules, beans),
        guarded(VerificationResource.class, rules, beans),
        guarded(ArchiveResource.class, rules, beans),
        guarded(AccountResource.class, rules, beans),
        guarded(WalletResource.class, rules, beans),
        guarded(TaskResource.class, rules, beans));
  }

  private static <T> T guarded(Class<T> resource, EndpointRules rules, BeanFactory beans) {
    return rules.guarded(resource, beans.getBean(resource));
  }
}
