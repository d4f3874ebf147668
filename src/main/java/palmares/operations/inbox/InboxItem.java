package palmares.operations.inbox;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.period.PeriodId;
import palmares.period.exclusion.NamedLists;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Choice;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;

/**
 * Something that needs a person.
 *
 * @param board null if it concerns no single one
 * @param period null if it concerns no single one
 * @param object the board and period, or the name of what else it is about
 * @param since when it began; null if that is not known
 * @param detail why
 * @param next what may help, the usual verb first; none if no verb does
 * @param undecided the periods on whose prepared outcomes a person decides with it
 */
public record InboxItem(
    Kind kind,
    @Nullable String board,
    @Nullable String period,
    @Wrapped String object,
    @Nullable Instant since,
    Sentence detail,
    @Wrapped List<Next> next,
    @JsonIgnore Set<PeriodId> undecided) {

  /** What stops all boards. */
  private static final Set<Kind> STOPS_ALL =
      EnumSet.of(Kind.REDIS, Kind.WORK, Kind.SESSIONS, Kind.SCHEDULER);

  public InboxItem {
    next = List.copyOf(next);
    undecided = Set.copyOf(undecided);
  }

  /** An item that concerns no single board. */
  static InboxItem of(
      Kind kind, String object, @Nullable Instant since, Sentence said, Next... next) {
    return new InboxItem(kind, null, null, object, since, said, List.of(next), Set.of());
  }

  /** An item of one period, on whose outcome nobody decides with it. */
  static InboxItem ofPeriod(
      Kind kind, String board, String period, Instant since, Sentence said, List<Next> next) {
    return new InboxItem(kind, board, period, board + " " + period, since, said, next, Set.of());
  }

  /** Why something needs a person. */
  public enum Kind implements Choice {
    /** A closing is held for approval. */
    HELD,
    /** A closing was rejected. */
    REJECTED,
    /** The last closing failed. */
    FAILED,
    /** The period is due, and nobody closes it. */
    OVERDUE,
    /** A revision is prepared. */
    AMENDMENT,
    /** Late events are undecided. */
    LATE,
    /** Late events were accepted, and no amendment that counts them is prepared or posted. */
    ACCEPTED,
    /** Lines were flagged, and nobody has decided whether what is withheld is paid. */
    WITHHELD,
    /** Lines were released, and no amendment that pays them is prepared or posted. */
    RELEASED,
    /** The latest nightly verification found differences. */
    VERIFICATION,
    /** Deliveries to a target fail, or have stopped. */
    DELIVERY,
    /** A wallet differs from the awards that it got, or refused some. */
    WALLET,
    /** The list that a wallet offers could not be compared. */
    WALLET_LIST,
    /** PostgreSQL refused a journal entry. */
    QUARANTINE,
    /** Redis has lost a live board, or it disagrees with its journal. */
    LIVE_BOARD,
    /** The rules of a board refer to a list of excluded members that does not exist. */
    MISSING_LIST,
    /** No key of an adopted board was seen since the period has begun. */
    MISSING_KEY,
    /** Redis cannot be used. */
    REDIS,
    /** This server must not work, because another one does. */
    WORK,
    /** A connection pooler shares sessions of PostgreSQL. */
    SESSIONS,
    /** No scheduler looks for periods that are due. */
    SCHEDULER,
    /** The nightly verification has not run. */
    UNVERIFIED,
    /** A batch has prepared or left held the outcomes of several periods. */
    BATCH,
    /** Amendments of a batch have failed. */
    UNFINISHED,
    /** Too many attempts to sign in as a person have failed within the last day. */
    LOCKED_OUT;

    /** Whether something went wrong, rather than that a decision is due. */
    public boolean isBad() {
      return switch (this) {
        case REJECTED,
            FAILED,
            OVERDUE,
            VERIFICATION,
            DELIVERY,
            WALLET,
            WALLET_LIST,
            QUARANTINE,
            LIVE_BOARD,
            MISSING_LIST,
            MISSING_KEY,
            REDIS,
            WORK,
            SESSIONS,
            SCHEDULER,
            UNVERIFIED,
            UNFINISHED,
            LOCKED_OUT ->
            true;
        case HELD, AMENDMENT, LATE, ACCEPTED, WITHHELD, RELEASED, BATCH -> false;
      };
    }
  }

  /** Whether a verb may help. */
  public boolean offers(String verb) {
    return next.stream().anyMatch(offered -> offered.verb().equals(verb));
  }

  /**
   * The first key of the list's order: what stops all boards first, then the oldest, and those
   * without a time last.
   */
  public long order() {
    if (STOPS_ALL.contains(kind)) {
      return 0;
    }
    return since == null ? Long.MAX_VALUE : ChronoUnit.MICROS.between(Instant.EPOCH, since);
  }

  /** The second key, which differs from all other items: one period may have several. */
  public String id() {
    return "%s %s %s".formatted(kind.word(), object, next.stream().map(Next::fields).toList());
  }

  /** Whether it follows the item with these keys in the list. */
  public boolean isAfter(long order, String id) {
    return order() > order || order() == order && id().compareTo(id) > 0;
  }

  /** Whether it is one outcome that awaits a decision. */
  boolean isUndecided() {
    return kind == Kind.AMENDMENT || kind == Kind.HELD;
  }

  /** Whether it is a fault that stops closings. */
  boolean isCause() {
    return kind == Kind.LIVE_BOARD || kind == Kind.MISSING_LIST;
  }

  /** Whether it is a closing that the fault of another item has stopped. */
  boolean isStoppedBy(InboxItem cause) {
    if (kind != Kind.FAILED && kind != Kind.OVERDUE || !Objects.equals(board, cause.board)) {
      return false;
    }
    return switch (cause.kind) {
      case LIVE_BOARD -> Objects.equals(period, cause.period);
      case MISSING_LIST ->
          detail instanceof InboxSentences.Failed failed
              && cause.detail instanceof InboxSentences.MissingList missing
              && missing.list().equals(NamedLists.missingList(failed.why()));
      default -> false;
    };
  }

  /** The same with the closings that it has stopped, which can be restarted once it is mended. */
  InboxItem stopping(List<InboxItem> closings) {
    Stream<Next> restarts = closings.stream().flatMap(closing -> closing.next.stream());
    return with(
        new InboxSentences.Stopping(detail, closings.stream().map(InboxItem::object).toList()),
        Stream.concat(next.stream(), restarts).distinct());
  }

  /** The same with a verb that helps before the others do. */
  InboxItem first(Next verb) {
    return with(detail, Stream.concat(Stream.of(verb), next.stream()));
  }

  private InboxItem with(Sentence said, Stream<Next> steps) {
    return new InboxItem(kind, board, period, object, since, said, steps.toList(), undecided);
  }
}
