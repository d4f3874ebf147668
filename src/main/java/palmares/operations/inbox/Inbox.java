package palmares.operations.inbox;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.journal.JournalFaults;
import palmares.live.journal.JournalFaults.Fault;
import palmares.live.journal.Quarantine;
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.operations.batches.Batch;
import palmares.operations.batches.BatchSentences;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.FailedAmendments;
import palmares.operations.batches.Batches.UndecidedPeriod;
import palmares.operations.inbox.InboxItem.Kind;
import palmares.operations.inbox.Lockouts.Lockout;
import palmares.operations.inbox.UnseenKeys.Unseen;
import palmares.operations.lateevents.LateEventReview;
import palmares.operations.lateevents.LateEventReview.AcceptedEvents;
import palmares.operations.lateevents.LateEventReview.UndecidedEvents;
import palmares.operations.monitoring.InstallationHealth;
import palmares.operations.monitoring.InstallationHealth.Trouble;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Entry;
import palmares.operations.report.PeriodList.Filter;
import palmares.operations.report.PeriodList.Position;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.Exclusions.MissingList;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;
import palmares.settlement.schedule.NightlyVerification;
import palmares.settlement.schedule.NightlyVerification.NightlyResult;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletFindings.OpenFindings;

/** Collects what needs a person. */
@Component
public class Inbox {
  private static final int ROWS_PER_PAGE = 1_000;

  private final PeriodList periods;
  private final LateEventReview lateEvents;
  private final NightlyVerification verification;
  private final Deliveries deliveries;
  private final Quarantine quarantine;
  private final Batches batches;
  private final JournalFaults faults;
  private final Exclusions exclusions;
  private final UnseenKeys unseenKeys;
  private final InstallationHealth installation;
  private final Lockouts lockouts;
  private final WalletFindings walletFindings;
  private final TransactionTemplate transaction;

  Inbox(
      PeriodList periods,
      LateEventReview lateEvents,
      NightlyVerification verification,
      Deliveries deliveries,
      Quarantine quarantine,
      Batches batches,
      JournalFaults faults,
      Exclusions exclusions,
      UnseenKeys unseenKeys,
      InstallationHealth installation,
      Lockouts lockouts,
      WalletFindings walletFindings,
      PlatformTransactionManager transactions) {
    this.faults = faults;
    this.exclusions = exclusions;
    this.unseenKeys = unseenKeys;
    this.installation = installation;
    this.lockouts = lockouts;
    this.walletFindings = walletFindings;
    this.transaction = new TransactionTemplate(transactions);
    // All pages and lists are of one moment, so that nothing is in two of them.
    this.transaction.setReadOnly(true);
    this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    this.periods = periods;
    this.lateEvents = lateEvents;
    this.verification = verification;
    this.deliveries = deliveries;
    this.quarantine = quarantine;
    this.batches = batches;
  }

  /**
   * What needs a person, the oldest first.
   *
   * @param board only what concerns this board alone; null for all
   */
  public List<InboxItem> items(@Nullable BoardId board) {
    // Before the transaction, which would keep a connection while Redis does not answer.
    List<Trouble> troubles = board == null ? installation.troubles() : List.of();
    List<InboxItem> items = requireNonNull(transaction.execute(status -> stored(board)));
    troubles.forEach(trouble -> items.add(item(trouble)));
    items.sort(Comparator.comparingLong(InboxItem::order).thenComparing(InboxItem::id));
    return items;
  }

  private List<InboxItem> stored(@Nullable BoardId board) {
    var items = new ArrayList<InboxItem>();
    addPeriods(board, items);
    addLateEvents(items);
    addAcceptedEvents(items);
    addQuarantine(board, items);
    addFaults(items);
    addMissingLists(items);
    foldConsequences(items);
    addUnseenKeys(items);
    if (board != null) {
      items.removeIf(item -> !board.value().equals(item.board()));
    }
    addBatches(board, items);
    if (board == null) {
      addVerification(items);
      addDeliveries(items);
      addWallet(items);
      addFailedAmendments(items);
      addLockouts(items);
    }
    return items;
  }

  private static InboxItem item(Trouble trouble) {
    Kind kind =
        switch (trouble.part()) {
          case REDIS -> Kind.REDIS;
          case SESSIONS -> Kind.SESSIONS;
          case SWEEP -> Kind.SCHEDULER;
          case VERIFICATION -> Kind.UNVERIFIED;
        };
    return of(kind, kind.word(), trouble.since(), trouble.said());
  }

  private void addFaults(List<InboxItem> items) {
    for (Fault fault : faults.all()) {
      Repair repair = fault.repair();
      items.add(
          of(
              Kind.LIVE_BOARD,
              fault.board(),
              fault.period(),
              fault.since(),
              new InboxSentences.Journal(fault.said()),
              repair == null ? List.of() : List.of(repair.next(fault.board(), fault.period()))));
    }
  }

  private void addMissingLists(List<InboxItem> items) {
    for (MissingList missing : exclusions.missingLists()) {
      items.add(
          new InboxItem(
              Kind.MISSING_LIST,
              missing.board(),
              null,
              missing.board() + " " + missing.list(),
              null,
              new InboxSentences.MissingList(missing.board(), missing.list()),
              List.of(Next.of("create-list").with("list", missing.list())),
              Set.of()));
    }
  }

  /** A closing that a fault has stopped is no further item: a restart alone cannot help. */
  private static void foldConsequences(List<InboxItem> items) {
    for (InboxItem cause : items.stream().filter(InboxItem::isCause).toList()) {
      List<InboxItem> stopped = items.stream().filter(item -> item.isStoppedBy(cause)).toList();
      if (!stopped.isEmpty()) {
        items.removeAll(Set.copyOf(stopped));
        items.set(items.indexOf(cause), cause.stopping(stopped));
      }
    }
  }

  private void addUnseenKeys(List<InboxItem> items) {
    for (Unseen unseen : unseenKeys.find()) {
      Period period = unseen.period();
      items.add(
          of(
              Kind.MISSING_KEY,
              period.board().value(),
              period.name().value(),
              period.slot().startsAt(),
              new InboxSentences.MissingKey(unseen.keys()),
              List.of()));
    }
  }

  private void addPeriods(@Nullable BoardId board, List<InboxItem> items) {
    Map<Cause, List<Entry>> failed = new LinkedHashMap<>();
    List<Entry> page;
    Position after = null;
    do {
      page = periods.list(new Filter(board, null, null, null, true), after, ROWS_PER_PAGE);
      for (Entry entry : page) {
        InboxItem item = item(entry);
        if (item.kind() == Kind.FAILED && entry.repair() == null) {
          failed
              .computeIfAbsent(
                  new Cause(entry.board(), requireNonNull(entry.cause())), c -> new ArrayList<>())
              .add(entry);
        } else {
          items.add(item);
        }
        after = entry.position();
      }
    } while (page.size() == ROWS_PER_PAGE);
    failed.forEach(
        (cause, periods) ->
            items.add(
                periods.size() == 1 ? item(periods.get(0)) : failures(cause.failure(), periods)));
  }

  /** Why closings of a board have failed. */
  private record Cause(String board, Sentence failure) {}

  /**
   * Lists the failures of a board that have one cause as one item. Its verb restarts these alone:
   * periods between them may have failed for other causes, which a person has not seen to.
   */
  private static InboxItem failures(Sentence cause, List<Entry> periods) {
    Entry last = periods.get(0);
    Entry first = periods.get(periods.size() - 1);
    String code = requireNonNull(last.causeCode());
    return new InboxItem(
        Kind.FAILED,
        last.board(),
        null,
        "%s %s – %s (%s)".formatted(last.board(), first.period(), last.period(), periods.size()),
        first.closesAt(),
        new InboxSentences.Failed(cause),
        List.of(
            Next.of("batch")
                .with("verb", "restart")
                .with("board", last.board())
                .with("cause", code)),
        Set.of());
  }

  private static InboxItem item(Entry period) {
    return switch (period.state()) {
      case HELD ->
          item(
              Kind.HELD,
              period,
              new InboxSentences.Held(requireNonNull(period.waitsFor())),
              "approve",
              "reject");
      case REJECTED -> item(Kind.REJECTED, period, new InboxSentences.Rejected(), "restart");
      case SETTLED, EXPIRED -> amendment(period);
      case OPEN, SEALED, FILLED, APPROVED ->
          period.failure() == null
              ? item(Kind.OVERDUE, period, overdue(period.leaseOwner()), "close")
              : failed(period);
    };
  }

  private static Sentence overdue(@Nullable String process) {
    return process == null ? new InboxSentences.Overdue() : new InboxSentences.OverdueIn(process);
  }

  /** If only a rebuild of the live board helps, a restart alone would fail again. */
  private static InboxItem failed(Entry period) {
    InboxItem item =
        item(
            Kind.FAILED,
            period,
            new InboxSentences.Failed(requireNonNull(period.failure())),
            "restart");
    if (period.repair() == null) {
      return item;
    }
    return item.first(period.repair().next(period.board(), period.period()));
  }

  private static InboxItem item(Kind kind, Entry period, Sentence said, String... verbs) {
    return new InboxItem(
        kind,
        period.board(),
        period.period(),
        period.label(),
        period.waitsSince() == null ? period.closesAt() : period.waitsSince(),
        said,
        Arrays.stream(verbs).map(verb -> Next.of(verb, period.board(), period.period())).toList(),
        kind == Kind.HELD || period.undecided() != null ? Set.of(period.id()) : Set.of());
  }

  private static InboxItem amendment(Entry period) {
    return new InboxItem(
        Kind.AMENDMENT,
        period.board(),
        period.period(),
        period.label(),
        period.waitsSince(),
        new InboxSentences.Amendment(requireNonNull(period.waitsFor())),
        Stream.of("approve", "reject")
            .map(verb -> Next.of(verb, period.board(), period.period()))
            .map(next -> next.with("revision", requireNonNull(period.undecided())))
            .toList(),
        Set.of(period.id()));
  }

  private void addLateEvents(List<InboxItem> items) {
    for (UndecidedEvents late : lateEvents.undecided()) {
      items.add(
          of(
              Kind.LATE,
              late.board(),
              late.period(),
              late.since(),
              new InboxSentences.Late(late.events()),
              decisions(late)));
    }
  }

  /**
   * A person has said that they will count, which takes an amendment. If it would change nothing,
   * they can only be dismissed.
   */
  private void addAcceptedEvents(List<InboxItem> items) {
    for (AcceptedEvents late : lateEvents.accepted()) {
      Next amend = Next.of("amend", late.board(), late.period());
      Next dismiss = Next.of("dismiss-late", late.board(), late.period()).with("change", true);
      items.add(
          of(
              Kind.ACCEPTED,
              late.board(),
              late.period(),
              late.since(),
              new InboxSentences.Accepted(late.events()),
              late.prepared() ? List.of(dismiss) : List.of(amend, dismiss)));
    }
  }

  /** An item of one period, on whose outcome nobody decides with it. */
  private static InboxItem of(
      Kind kind, String board, String period, Instant since, Sentence said, List<Next> next) {
    return new InboxItem(kind, board, period, board + " " + period, since, said, next, Set.of());
  }

  /** What happened in a period that was never opened counts nowhere. */
  private static List<Next> decisions(UndecidedEvents late) {
    Next dismiss = Next.of("dismiss-late", late.board(), late.period());
    return late.opened()
        ? List.of(Next.of("accept-late", late.board(), late.period()), dismiss)
        : List.of(dismiss);
  }

  private void addQuarantine(@Nullable BoardId board, List<InboxItem> items) {
    List<QuarantinedEntry> page;
    Quarantine.Position after = null;
    do {
      page = quarantine.list(board, null, false, after, ROWS_PER_PAGE);
      for (QuarantinedEntry entry : page) {
        after = new Quarantine.Position(entry.board(), entry.startsAt(), entry.number());
        items.add(
            of(
                Kind.QUARANTINE,
                entry.board(),
                entry.period(),
                entry.quarantinedAt(),
                new InboxSentences.Quarantined(entry.error()),
                Stream.of("release", "discard")
                    .map(verb -> Next.of(verb, entry.board(), entry.period()))
                    .map(next -> next.with("numbers", entry.number()))
                    .toList()));
      }
    } while (page.size() == ROWS_PER_PAGE);
  }

  private void addVerification(List<InboxItem> items) {
    NightlyResult last = verification.last().orElse(null);
    if (last != null && last.first() != null) {
      items.add(
          of(
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
          of(
              Kind.DELIVERY,
              status.name(),
              status.failingSince(),
              new InboxSentences.Delivery(status.said()),
              Next.of("retry").with("target", status.name())));
    }
  }

  /** What may not have arrived can be sent again; all else is for people and their reasons. */
  private void addWallet(List<InboxItem> items) {
    for (OpenFindings open : walletFindings.counts()) {
      Next accept = Next.of("accept-findings").with("kind", open.kind());
      Next resend = Next.of("resend").with("kind", open.kind());
      items.add(
          of(
              Kind.WALLET,
              open.kind().word(),
              open.since(),
              new InboxSentences.Wallet(open.kind().word(), open.findings()),
              open.kind().canBeSentAgain() ? new Next[] {resend, accept} : new Next[] {accept}));
    }
  }

  /** An item that concerns no single board. */
  private static InboxItem of(
      Kind kind, String object, @Nullable Instant since, Sentence said, Next... next) {
    return new InboxItem(kind, null, null, object, since, said, List.of(next), Set.of());
  }

  /**
   * Lists the outcomes that a batch has prepared as one item.
   *
   * @param board only batches of which all undecided outcomes are of this board; null for all
   */
  private void addBatches(@Nullable BoardId board, List<InboxItem> items) {
    if (items.stream().noneMatch(InboxItem::isUndecided)) {
      return;
    }
    Map<Long, Set<String>> labels = new LinkedHashMap<>();
    for (UndecidedPeriod period : batches.undecided()) {
      labels
          .computeIfAbsent(period.batch(), batch -> new HashSet<>())
          .add(period.board() + " " + period.period());
    }
    labels.forEach(
        (batch, periods) -> {
          List<InboxItem> undecided =
              items.stream()
                  .filter(item -> item.isUndecided() && periods.contains(item.object()))
                  .toList();
          boolean isWhole = board == null || undecided.size() == periods.size();
          if (undecided.size() > 1 && isWhole) {
            items.removeAll(Set.copyOf(undecided));
            items.add(batch(batches.get(batch), undecided));
          }
        });
  }

  private static InboxItem batch(Batch batch, List<InboxItem> periods) {
    return new InboxItem(
        Kind.BATCH,
        null,
        null,
        object(batch),
        batch.madeAt(),
        new InboxSentences.Batch(named(batch), periods.size(), batch.by(), batch.reason()),
        List.of(decision("approve-batch", batch), decision("reject-batch", batch)),
        periods.stream().flatMap(item -> item.undecided().stream()).collect(Collectors.toSet()));
  }

  private static Next decision(String verb, Batch batch) {
    return Next.of(verb).with("id", batch.id());
  }

  /** A period whose closing failed in a batch is listed without it; one not amended is not. */
  private void addFailedAmendments(List<InboxItem> items) {
    for (FailedAmendments failed : batches.failedAmendments()) {
      Batch batch = batches.get(failed.batch());
      items.add(
          of(
              Kind.UNFINISHED,
              object(batch),
              batch.madeAt(),
              new InboxSentences.Unfinished(named(batch), failed.periods()),
              decision("resume-batch", batch)));
    }
  }

  /** Nobody can do anything here: the person signs in from elsewhere, or later. */
  private void addLockouts(List<InboxItem> items) {
    for (Lockout lockout : lockouts.ofLastDay()) {
      items.add(
          of(
              Kind.LOCKED_OUT,
              lockout.person(),
              lockout.since(),
              lockout.addresses() == null
                  ? new InboxSentences.LockedOut()
                  : new InboxSentences.LockedOutFrom(lockout.addresses())));
    }
  }

  private static String object(Batch batch) {
    return "batch " + batch.id();
  }

  private static Sentence named(Batch batch) {
    return new BatchSentences.Named(batch.verb(), batch.target());
  }
}
