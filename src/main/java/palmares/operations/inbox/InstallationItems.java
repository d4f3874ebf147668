package palmares.operations.inbox;

import java.util.List;
import org.springframework.stereotype.Component;
import palmares.operations.inbox.InboxItem.Kind;
import palmares.operations.inbox.Lockouts.Lockout;
import palmares.operations.monitoring.InstallationHealth;
import palmares.operations.monitoring.InstallationHealth.Trouble;
import palmares.platform.text.Next;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;
import palmares.settlement.schedule.NightlyVerification;
import palmares.settlement.schedule.NightlyVerification.NightlyResult;
import palmares.settlement.wallet.WalletComparisons;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletFindings.OpenFindings;

/** Collects what keeps the installation itself from working, or shows that it has not. */
@Component
class InstallationItems {
  private final InstallationHealth health;
  private final NightlyVerification verification;
  private final Deliveries deliveries;
  private final WalletFindings walletFindings;
  private final WalletComparisons walletComparisons;
  private final Lockouts lockouts;

  InstallationItems(
      InstallationHealth health,
      NightlyVerification verification,
      Deliveries deliveries,
      WalletFindings walletFindings,
      WalletComparisons walletComparisons,
      Lockouts lockouts) {
    this.health = health;
    this.verification = verification;
    this.deliveries = deliveries;
    this.walletFindings = walletFindings;
    this.walletComparisons = walletComparisons;
    this.lockouts = lockouts;
  }

  /** The parts that do not work; waits for Redis for a second at most. */
  List<InboxItem> troubles() {
    return health.troubles().stream().map(InstallationItems::item).toList();
  }

  void addTo(List<InboxItem> items) {
    addVerification(items);
    addDeliveries(items);
    addWallet(items);
    addLockouts(items);
  }

  private static InboxItem item(Trouble trouble) {
    Kind kind =
        switch (trouble.part()) {
          case REDIS -> Kind.REDIS;
          case WORK -> Kind.WORK;
          case SESSIONS -> Kind.SESSIONS;
          case SWEEP -> Kind.SCHEDULER;
          case VERIFICATION -> Kind.UNVERIFIED;
        };
    return InboxItem.of(
        kind,
        trouble.node().isEmpty() ? kind.word() : kind.word() + " " + trouble.node(),
        trouble.since(),
        trouble.said());
  }

  private void addVerification(List<InboxItem> items) {
    NightlyResult last = verification.last().orElse(null);
    if (last != null && last.first() != null) {
      items.add(
          InboxItem.of(
              Kind.VERIFICATION,
              last.night().toString(),
              last.startedAt(),
              new InboxSentences.Differences(last.first()),
              Next.of("verify")));
    }
  }

  private void addDeliveries(List<InboxItem> items) {
    for (DeliveryStatus status : deliveries.needingAPerson()) {
      items.add(
          InboxItem.of(
              Kind.DELIVERY,
              status.name(),
              status.failingSince(),
              new InboxSentences.Delivery(status.said()),
              Next.of("retry").with("target", status.name())));
    }
  }

  /** What may not have arrived can be sent again; all else is for people and their reasons. */
  private void addWallet(List<InboxItem> items) {
    walletComparisons
        .failing()
        .ifPresent(
            failing ->
                items.add(
                    InboxItem.of(
                        Kind.WALLET_LIST,
                        Kind.WALLET.word(),
                        failing.at(),
                        new InboxSentences.NotCompared(failing.failure()),
                        Next.of("reconcile")
                            .with("fetch", true)
                            .with("from", failing.since())
                            .with("to", failing.until()))));
    for (OpenFindings open : walletFindings.counts()) {
      Next accept = Next.of("accept-findings").with("kind", open.kind());
      Next resend = Next.of("resend").with("kind", open.kind());
      items.add(
          InboxItem.of(
              Kind.WALLET,
              open.kind().word(),
              open.since(),
              new InboxSentences.Wallet(open.kind().word(), open.findings()),
              switch (open.kind()) {
                case REFUSED ->
                    new Next[] {resend, Next.of("return-refused").with("all", true), accept};
                case MISSING, UNCONFIRMED -> new Next[] {resend, accept};
                case TWICE, AMOUNT, CURRENCY, UNAWARDED, CREDITED, ANSWER -> new Next[] {accept};
              }));
    }
  }

  /** Nobody can do anything here: the person signs in from elsewhere, or later. */
  private void addLockouts(List<InboxItem> items) {
    for (Lockout lockout : lockouts.ofLastDay()) {
      items.add(
          InboxItem.of(
              Kind.LOCKED_OUT,
              lockout.person(),
              lockout.since(),
              lockout.addresses() == null
                  ? new InboxSentences.LockedOut()
                  : new InboxSentences.LockedOutFrom(lockout.addresses())));
    }
  }
}
