package palmares.operations.inbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
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
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.FailedAmendments;
import palmares.operations.batches.Batches.UndecidedPeriod;
import palmares.operations.inbox.InboxItem.Kind;
import palmares.operations.inbox.InboxItem.Verb;
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
import palmares.rules.board.BoardId;
import palmares.settlement.nightly.NightlyVerification;
import palmares.settlement.outbox.Deliveries;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;

/** Collects what needs a person. */
@Component
public class Inbox {
  private static final int ROWS_PER_PAGE = 1_000;

  /** The person replaces TEXT. */
  private static final String REASON = " --reason TEXT";

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
      PlatformTransactionManager transactions) {
    this.faults = faults;
    this.exclusions = exclusions;
    this.unseenKeys = unseenKeys;
    this.installation = installation;
    this.lockouts = lockouts;
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
    List<InboxItem> items = Objects.requireNonNull(transaction.execute(status -> stored(board)));
    troubles.forEach(trouble -> items.add(item(trouble)));
    items.sort(Comparator.comparingLong(InboxItem::order).thenComparing(InboxItem::id));
    return items;
  }

  private List<InboxItem> stored(@Nullable BoardId board) {
    var items = new ArrayList<InboxItem>();
    addPeriods(board, items);
    addLateEvents(board, items);
    addAcceptedEvents(board, items);
    addQuarantine(board, items);
    addFaults(board, items);
    addMissingLists(board, items);
    addUnseenKeys(board, items);
    addBatches(board, items);
    if (board == null) {
      addVerification(items);
      addDeliveries(items);
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
    return of(kind, kind.word(), trouble.since(), trouble.sentence());
  }

  private void addFaults(@Nullable BoardId board, List<InboxItem> items) {
    for (Fault fault : faults.all()) {
      if (board == null || board.value().equals(fault.board())) {
        items.add(
            new InboxItem(
                Kind.LIVE_BOARD,
                fault.board(),
                fault.period(),
                fault.label(),
                fault.since(),
                fault.sentence(),
                repairs(fault),
                Set.of()));
      }
    }
  }

  private void addMissingLists(@Nullable BoardId board, List<InboxItem> items) {
    for (MissingList missing : exclusions.missingLists()) {
      if (board == null || board.value().equals(missing.board())) {
        items.add(
            new InboxItem(
                Kind.MISSING_LIST,
                missing.board(),
                null,
                missing.board() + " " + missing.list(),
                null,
                "%s refers to the list '%s', which does not exist: its closings will fail"
                    .formatted(missing.board(), missing.list()),
                List.of(
                    new Verb(
                        "create-list",
                        Map.of("list", missing.list()),
                        "palmares lists create " + missing.list() + REASON)),
                Set.of()));
      }
    }
  }

  private void addUnseenKeys(@Nullable BoardId board, List<InboxItem> items) {
    for (Unseen unseen : unseenKeys.find()) {
      Period period = unseen.period();
      if (board == null || board.equals(period.board())) {
        items.add(
            new InboxItem(
                Kind.MISSING_KEY,
                period.board().value(),
                period.name().value(),
                period.label(),
                period.slot().startsAt(),
                String.join(", ", unseen.keys()),
                List.of(),
                Set.of()));
      }
    }
  }

  private static List<Verb> repairs(Fault fault) {
    return switch (fault.kind()) {
      case LOST, INTERRUPTED -> repair(fault, Repair.REBUILD);
      case TORN, WENT_BACK -> repair(fault, Repair.REPLACE);
      case GAP, FORGOTTEN -> repair(fault, Repair.ACCEPT_LOSS);
      case UNDRAINED -> List.of();
    };
  }

  private static List<Verb> repair(Fault fault, Repair repair) {
    return List.of(rebuild(fault.board(), fault.period(), repair));
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
                  new Cause(entry.board(), Objects.requireNonNull(entry.cause())),
                  c -> new ArrayList<>())
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
  private record Cause(String board, String failure) {}

  /**
   * Lists the failures of a board that have one cause as one item. Its verb restarts these alone:
   * periods between them may have failed for other causes, which a person has not seen to.
   */
  private static InboxItem failures(String cause, List<Entry> periods) {
    Entry last = periods.get(0);
    Entry first = periods.get(periods.size() - 1);
    String code = Objects.requireNonNull(last.causeCode());
    var parameters = new LinkedHashMap<String, String>();
    parameters.put("verb", "restart");
    parameters.put("board", last.board());
    parameters.put("cause", code);
    return new InboxItem(
        Kind.FAILED,
        last.board(),
        null,
        "%s %s – %s (%s)".formatted(last.board(), first.period(), last.period(), periods.size()),
        first.closesAt(),
        cause,
        List.of(
            new Verb(
                "batch",
                parameters,
                "palmares restart %s --cause %s%s".formatted(last.board(), code, REASON))),
        Set.of());
  }

  private static InboxItem item(Entry period) {
    return switch (period.state()) {
      case HELD -> item(Kind.HELD, period, period.waitsFor(), "approve", "reject");
      case REJECTED -> item(Kind.REJECTED, period, null, "restart");
      case SETTLED, EXPIRED -> amendment(period);
      case OPEN, SEALED, FILLED, APPROVED ->
          period.failure() == null
              ? item(Kind.OVERDUE, period, period.leaseOwner(), "close")
              : failed(period);
    };
  }

  /** If only a rebuild of the live board helps, a restart alone would fail again. */
  private static InboxItem failed(Entry period) {
    InboxItem item = item(Kind.FAILED, period, period.failure(), "restart");
    if (period.repair() == null) {
      return item;
    }
    var verbs = new ArrayList<>(item.verbs());
    verbs.add(0, rebuild(period.board(), period.period(), period.repair()));
    return new InboxItem(
        item.kind(),
        item.board(),
        item.period(),
        item.object(),
        item.since(),
        item.detail(),
        verbs,
        item.undecided());
  }

  private static Verb rebuild(String board, String period, Repair repair) {
    Verb rebuild = verb("rebuild", "rebuild", board, period);
    Verb replace = with(rebuild, "replace", "true", " --replace");
    return switch (repair) {
      case REBUILD -> rebuild;
      case REPLACE -> replace;
      case ACCEPT_LOSS -> reasoned(with(replace, "acceptLoss", "true", " --accept-loss"));
    };
  }

  private static InboxItem item(Kind kind, Entry period, @Nullable String detail, String... verbs) {
    return new InboxItem(
        kind,
        period.board(),
        period.period(),
        period.label(),
        period.waitsSince() == null ? period.closesAt() : period.waitsSince(),
        detail,
        Arrays.stream(verbs)
            .map(
                verb ->
                    verb.equals("close")
                        ? verb(verb, verb, period.board(), period.period())
                        : reasoned(verb(verb, verb, period.board(), period.period())))
            .toList(),
        kind == Kind.HELD || period.undecided() != null ? Set.of(period.id()) : Set.of());
  }

  private static InboxItem amendment(Entry period) {
    String revision = String.valueOf(period.undecided());
    return new InboxItem(
        Kind.AMENDMENT,
        period.board(),
        period.period(),
        period.label(),
        period.waitsSince(),
        period.waitsFor(),
        List.of(amendment("approve", period, revision), amendment("reject", period, revision)),
        Set.of(period.id()));
  }

  private static Verb amendment(String name, Entry period, String revision) {
    Verb verb = verb(name, name, period.board(), period.period());
    return reasoned(with(verb, "revision", revision, " --revision " + revision));
  }

  /** A command that works once the person has replaced TEXT. */
  private static Verb reasoned(Verb verb) {
    return new Verb(verb.name(), verb.parameters(), verb.command() + REASON);
  }

  /** A verb about a period. */
  private static Verb verb(String name, String command, String board, String period) {
    var parameters = new LinkedHashMap<String, String>();
    parameters.put("board", board);
    parameters.put("period", period);
    return new Verb(name, parameters, "palmares %s %s %s".formatted(command, board, period));
  }

  private static Verb with(Verb verb, String name, String value, String more) {
    var parameters = new LinkedHashMap<>(verb.parameters());
    parameters.put(name, value);
    return new Verb(verb.name(), parameters, verb.command() + more);
  }

  private void addLateEvents(@Nullable BoardId board, List<InboxItem> items) {
    for (UndecidedEvents late : lateEvents.undecided()) {
      if (board == null || board.value().equals(late.board())) {
        items.add(
            late(
                Kind.LATE,
                late.board(),
                late.period(),
                late.since(),
                late.events(),
                decisions(late)));
      }
    }
  }

  /**
   * A person has said that they will count, which takes an amendment. If it would change nothing,
   * they can only be dismissed.
   */
  private void addAcceptedEvents(@Nullable BoardId board, List<InboxItem> items) {
    for (AcceptedEvents late : lateEvents.accepted()) {
      if (board == null || board.value().equals(late.board())) {
        Verb amend = reasoned(verb("amend", "amend", late.board(), late.period()));
        Verb dismiss =
            verb("dismiss-late", "late dismiss --all --change", late.board(), late.period());
        dismiss = reasoned(with(dismiss, "change", "true", ""));
        items.add(
            late(
                Kind.ACCEPTED,
                late.board(),
                late.period(),
                late.since(),
                late.events(),
                late.prepared() ? List.of(dismiss) : List.of(amend, dismiss)));
      }
    }
  }

  private static InboxItem late(
      Kind kind, String board, String period, Instant since, long events, List<Verb> verbs) {
    return new InboxItem(
        kind, board, period, board + " " + period, since, Long.toString(events), verbs, Set.of());
  }

  /** What happened in a period that was never opened counts nowhere. */
  private static List<Verb> decisions(UndecidedEvents late) {
    Verb dismiss =
        reasoned(verb("dismiss-late", "late dismiss --all", late.board(), late.period()));
    return late.opened()
        ? List.of(
            reasoned(verb("accept-late", "late accept --all", late.board(), late.period())),
            dismiss)
        : List.of(dismiss);
  }

  private void addQuarantine(@Nullable BoardId board, List<InboxItem> items) {
    List<QuarantinedEntry> page;
    Quarantine.Position after = null;
    do {
      page = quarantine.list(board, null, false, after, ROWS_PER_PAGE);
      for (QuarantinedEntry entry : page) {
        after = new Quarantine.Position(entry.board(), entry.startsAt(), entry.seq());
        items.add(
            new InboxItem(
                Kind.QUARANTINE,
                entry.board(),
                entry.period(),
                entry.board() + " " + entry.period(),
                entry.at(),
                entry.error(),
                List.of(entry("release", entry), entry("discard", entry)),
                Set.of()));
      }
    } while (page.size() == ROWS_PER_PAGE);
  }

  private static Verb entry(String name, QuarantinedEntry entry) {
    String number = Long.toString(entry.seq());
    Verb verb = verb(name, "journal quarantine " + name, entry.board(), entry.period());
    return reasoned(with(verb, "numbers", number, " " + number));
  }

  private void addVerification(List<InboxItem> items) {
    verification
        .last()
        .filter(night -> night.differences() > 0)
        .ifPresent(
            night ->
                items.add(
                    of(
                        Kind.VERIFICATION,
                        night.night().toString(),
                        night.startedAt(),
                        night.first(),
                        new Verb("verify", Map.of(), "palmares verify"))));
  }

  private void addDeliveries(List<InboxItem> items) {
    for (DeliveryStatus status : deliveries.needingAPerson()) {
      items.add(
          of(
              Kind.DELIVERY,
              status.name(),
              status.failingSince(),
              status.sentence(),
              new Verb(
                  "retry",
                  Map.of("target", status.name()),
                  "palmares outbox --retry --target " + status.name())));
    }
  }

  /** An item that concerns no single board. */
  private static InboxItem of(
      Kind kind, String object, @Nullable Instant since, @Nullable String detail, Verb... verbs) {
    return new InboxItem(kind, null, null, object, since, detail, List.of(verbs), Set.of());
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
        "%s (%s: %s)".formatted(periods.size(), batch.by(), batch.reason()),
        List.of(
            reasoned(verb("approve-batch", batch, "approve --batch ")),
            reasoned(verb("reject-batch", batch, "reject --batch "))),
        periods.stream().flatMap(item -> item.undecided().stream()).collect(Collectors.toSet()));
  }

  private static Verb verb(String name, Batch batch, String command) {
    String id = Long.toString(batch.id());
    return new Verb(name, Map.of("id", id), "palmares " + command + id);
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
              Long.toString(failed.periods()),
              verb("resume-batch", batch, "batches resume ")));
    }
  }

  /** Nobody can do anything here: the person signs in from elsewhere, or later. */
  private void addLockouts(List<InboxItem> items) {
    for (Lockout lockout : lockouts.ofLastDay()) {
      items.add(of(Kind.LOCKED_OUT, lockout.person(), lockout.since(), lockout.addresses()));
    }
  }

  private static String object(Batch batch) {
    return "%s, %s".formatted(batch.verb().word(), batch.target());
  }
}
