package palmares.operations.inbox;

import static java.util.Objects.requireNonNull;

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
import palmares.operations.batches.Batch;
import palmares.operations.batches.BatchSentences;
import palmares.operations.batches.Batches;
import palmares.operations.batches.Batches.FailedAmendments;
import palmares.operations.batches.Batches.UndecidedPeriod;
import palmares.operations.inbox.InboxItem.Kind;
import palmares.operations.inbox.UnseenKeys.Unseen;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Entry;
import palmares.operations.report.PeriodList.Filter;
import palmares.operations.report.PeriodList.Position;
import palmares.period.Period;
import palmares.period.Repair;
import palmares.period.exclusion.NamedLists;
import palmares.period.exclusion.NamedLists.MissingList;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;

/** Collects what needs a person. */
@Component
public class Inbox {
  private static final int ROWS_PER_PAGE = 1_000;

  private final PeriodList periods;
  private final Batches batches;
  private final JournalFaults faults;
  private final NamedLists lists;
  private final UnseenKeys unseenKeys;
  private final EventItems events;
  private final InstallationItems installation;
  private final TransactionTemplate transaction;

  Inbox(
      PeriodList periods,
      Batches batches,
      JournalFaults faults,
      NamedLists lists,
      UnseenKeys unseenKeys,
      EventItems events,
      InstallationItems installation,
      PlatformTransactionManager transactions) {
    this.faults = faults;
    this.lists = lists;
    this.unseenKeys = unseenKeys;
    this.events = events;
    this.installation = installation;
    this.transaction = new TransactionTemplate(transactions);
    // All pages and lists are of one moment, so that nothing is in two of them.
    this.transaction.setReadOnly(true);
    this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    this.periods = periods;
    this.batches = batches;
  }

  /**
   * What needs a person, the oldest first.
   *
   * @param board only what concerns this board alone; null for all
   */
  public List<InboxItem> items(@Nullable BoardId board) {
    // Before the transaction, which would keep a connection while Redis does not answer.
    List<InboxItem> troubles = board == null ? installation.troubles() : List.of();
    List<InboxItem> items = requireNonNull(transaction.execute(status -> stored(board)));
    items.addAll(troubles);
    items.sort(Comparator.comparingLong(InboxItem::order).thenComparing(InboxItem::id));
    return items;
  }

  private List<InboxItem> stored(@Nullable BoardId board) {
    var items = new ArrayList<InboxItem>();
    addPeriods(board, items);
    events.addTo(items, board);
    addFaults(items);
    addMissingLists(items);
    foldConsequences(items);
    addUnseenKeys(items);
    if (board != null) {
      items.removeIf(item -> !board.value().equals(item.board()));
    }
    addBatches(board, items);
    if (board == null) {
      installation.addTo(items);
      addFailedAmendments(items);
    }
    return items;
  }

  private void addFaults(List<InboxItem> items) {
    for (Fault fault : faults.all()) {
      Repair repair = fault.repair();
      items.add(
          InboxItem.ofPeriod(
              Kind.LIVE_BOARD,
              fault.board(),
              fault.period(),
              fault.since(),
              new InboxSentences.Journal(fault.said()),
              repair == null ? List.of() : List.of(repair.next(fault.board(), fault.period()))));
    }
  }

  private void addMissingLists(List<InboxItem> items) {
    for (MissingList missing : lists.missingLists()) {
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
          InboxItem.ofPeriod(
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
              ? item(Kind.OVERDUE, period, overdue(period.workedOnBy()), "close")
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
          InboxItem.of(
              Kind.UNFINISHED,
              object(batch),
              batch.madeAt(),
              new InboxSentences.Unfinished(named(batch), failed.periods()),
              decision("resume-batch", batch)));
    }
  }

  private static String object(Batch batch) {
    return "batch " + batch.id();
  }

  private static Sentence named(Batch batch) {
    return new BatchSentences.Named(batch.verb(), batch.target());
  }
}
