package palmares.operations.inbox;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.live.journal.Quarantine;
import palmares.live.journal.Quarantine.QuarantinedEntry;
import palmares.operations.inbox.InboxItem.Kind;
import palmares.operations.lateevents.LateEventReview;
import palmares.operations.lateevents.LateEventReview.AcceptedEvents;
import palmares.operations.lateevents.LateEventReview.UndecidedEvents;
import palmares.platform.text.Next;
import palmares.rules.board.BoardId;

/** Collects the events that a person must decide on: late, accepted and quarantined ones. */
@Component
class EventItems {
  private static final int ROWS_PER_PAGE = 1_000;

  private final LateEventReview lateEvents;
  private final Quarantine quarantine;

  EventItems(LateEventReview lateEvents, Quarantine quarantine) {
    this.lateEvents = lateEvents;
    this.quarantine = quarantine;
  }

  /**
   * @param board null for all boards; late events of others may be among them
   */
  void addTo(List<InboxItem> items, @Nullable BoardId board) {
    addLateEvents(items);
    addAcceptedEvents(items);
    addQuarantine(board, items);
  }

  private void addLateEvents(List<InboxItem> items) {
    for (UndecidedEvents late : lateEvents.undecided()) {
      items.add(
          InboxItem.ofPeriod(
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
          InboxItem.ofPeriod(
              Kind.ACCEPTED,
              late.board(),
              late.period(),
              late.since(),
              new InboxSentences.Accepted(late.events()),
              late.prepared() ? List.of(dismiss) : List.of(amend, dismiss)));
    }
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
            InboxItem.ofPeriod(
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
}
