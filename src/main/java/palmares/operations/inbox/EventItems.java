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
import palmares.operations.withheld.WithheldLines;
import palmares.operations.withheld.WithheldLines.OpenLines;
import palmares.operations.withheld.WithheldLines.State;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;

/**
 * Collects what a person must decide on in single periods: late, accepted and quarantined events,
 * and flagged lines.
 */
@Component
class EventItems {
  private static final int MAX_NAMED_MEMBERS = 3;
  private static final String[] LINE_VERBS = {"release-withheld", "refuse-withheld"};
  private static final int ROWS_PER_PAGE = 1_000;

  private final LateEventReview lateEvents;
  private final Quarantine quarantine;
  private final WithheldLines lines;

  EventItems(LateEventReview lateEvents, Quarantine quarantine, WithheldLines lines) {
    this.lateEvents = lateEvents;
    this.quarantine = quarantine;
    this.lines = lines;
  }

  /**
   * @param board null for all boards; late events of others may be among them
   */
  void addTo(List<InboxItem> items, @Nullable BoardId board) {
    addLateEvents(items);
    addAcceptedEvents(items);
    addQuarantine(board, items);
    addLines(board, items);
  }

  /** What is released, and an amendment that is prepared pays, needs nothing but its approval. */
  private void addLines(@Nullable BoardId board, List<InboxItem> items) {
    for (OpenLines open : lines.open(board)) {
      Sentence members = ListSentences.first(open.members(), MAX_NAMED_MEMBERS);
      boolean isReleased = open.state() == State.RELEASED;
      if (isReleased && open.prepared()) {
        continue;
      }
      items.add(
          InboxItem.ofPeriod(
              isReleased ? Kind.RELEASED : Kind.WITHHELD,
              open.board(),
              open.period(),
              open.since(),
              isReleased
                  ? new InboxSentences.Released(members, open.withheld())
                  : new InboxSentences.Withheld(members, open.withheld()),
              Stream.of(isReleased ? new String[] {"amend"} : LINE_VERBS)
                  .map(verb -> Next.of(verb, open.board(), open.period()))
                  .toList()));
    }
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
