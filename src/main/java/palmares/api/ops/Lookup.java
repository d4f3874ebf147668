package palmares.api.ops;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.api.http.InputSentences;
import palmares.api.http.UnknownSentences;
import palmares.operations.report.MonthReport.Month;
import palmares.operations.report.PeriodHistory;
import palmares.operations.report.PeriodHistory.PeriodSummary;
import palmares.period.Period;
import palmares.period.PeriodSentences;
import palmares.period.Periods;
import palmares.period.auditlog.AuditEntry;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Choice;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.time.DayOrTime;
import palmares.platform.time.Days;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.Catalogue;
import palmares.rules.calendar.PeriodName;

/** Checks what callers send, and finds the boards, periods and members that they name. */
@Component
class Lookup {
  private final Catalogue boards;
  private final Periods periods;
  private final PeriodHistory history;

  Lookup(Catalogue boards, Periods periods, PeriodHistory history) {
    this.boards = boards;
    this.periods = periods;
    this.history = history;
  }

  /**
   * Finds a board that has a file, or had one while it had periods.
   *
   * @throws Refusal if there is none of that name
   */
  BoardId board(String word) {
    return Optional.of(id(word))
        .filter(id -> boards.find(id).isPresent() || history.knows(id))
        .orElseThrow(() -> unknownBoard(word));
  }

  /** The board as its file is now; empty if it has none. */
  Optional<Board> inForce(BoardId board) {
    return boards.find(board);
  }

  private BoardId id(String word) {
    return BoardId.parse(word)
        .orElseThrow(
            () ->
                invalid("board", new InputSentences.NotABoard(word, DidYouMean.of(word, words()))));
  }

  private List<String> words() {
    return boards.all().stream().map(board -> board.id().value()).toList();
  }

  /** As {@link #board}; null if the word is null. */
  @Nullable BoardId boardOrAll(@Nullable String word) {
    return word == null ? null : board(word);
  }

  /** As {@link #boardOrAll(String)}, for a verb that is about all boards only if it says so. */
  @Nullable BoardId boardOrAll(@Nullable String word, boolean all) {
    requireNamedOrAll("board", word, all);
    return boardOrAll(word);
  }

  /** Refuses a verb that names neither what it is about nor all, or both. */
  static void requireNamedOrAll(String field, @Nullable Object named, boolean all) {
    if (all == (named != null)) {
      throw invalid(field, new InputSentences.NameOrAll(field));
    }
  }

  /**
   * Returns the board of a period.
   *
   * @throws Refusal if none is given: periods of several boards may have the name
   */
  static BoardId boardOf(@Nullable BoardId board, String period) {
    if (board == null) {
      throw new Refusal(Problem.MISSING_FIELD, new InputSentences.BoardMissing(period)).at("board");
    }
    return board;
  }

  /** Finds a board that has a file. */
  Board inForce(String word) {
    return boards.find(id(word)).orElseThrow(() -> unknownBoard(word));
  }

  /** The zone of a board; UTC if it has no file, or the word is null. */
  ZoneId zone(@Nullable String word) {
    return days(word).zone();
  }

  /** The days of a board; those of UTC if it has no file, or the word is null. */
  Days days(@Nullable String word) {
    return Optional.ofNullable(word)
        .flatMap(BoardId::parse)
        .flatMap(boards::find)
        .map(board -> board.calendar().days())
        .orElse(Days.of(ZoneOffset.UTC));
  }

  /**
   * Finds a period, in any state.
   *
   * @throws Refusal if there is no such board, or it has no such period
   */
  Period period(String board, String word) {
    BoardId id = board(board);
    return PeriodName.parse(word)
        .flatMap(name -> periods.find(id, name))
        .orElseThrow(() -> unknownPeriod(id, word));
  }

  /** As {@link #period}, as reports show it. */
  PeriodSummary summary(String board, String word) {
    BoardId id = board(board);
    return PeriodName.parse(word)
        .flatMap(name -> history.find(id, name))
        .orElseThrow(() -> unknownPeriod(id, word));
  }

  /** The name of a period; null if the word is null. It need not exist. */
  static @Nullable PeriodName nameOrAll(@Nullable String word) {
    return word == null
        ? null
        : PeriodName.parse(word)
            .orElseThrow(() -> invalid("period", new InputSentences.NotAPeriod(word)));
  }

  /**
   * Finds a settled period.
   *
   * @throws Refusal if there is none of that name, or it is not settled
   */
  PeriodSummary settled(String board, String word) {
    PeriodSummary period = summary(board, word);
    if (period.settledAt() != null) {
      return period;
    }
    Instant due = period.closesAt();
    if (due == null) {
      throw new Refusal(Problem.WRONG_STATE, new PeriodSentences.NeverSettled(period.label()));
    }
    throw new Refusal(
            Problem.WRONG_STATE,
            new PeriodSentences.NotSettled(period.label(), period.state(), due.atZone(zone(board))))
        .then(Next.of("preview", board, word));
  }

  /** The refusal of a word that names no period of a board. */
  Refusal unknownPeriod(BoardId board, String word) {
    if (PeriodName.parse(word).isEmpty()) {
      return invalid("period", new InputSentences.NotAPeriod(word));
    }
    Optional<Board> known = boards.find(board);
    boolean isOfCalendar =
        PeriodName.parse(word)
            .flatMap(name -> known.flatMap(each -> each.calendar().named(name)))
            .isPresent();
    return isOfCalendar
        ? new Refusal(
                Problem.UNKNOWN_PERIOD, new UnknownSentences.UnopenedPeriod(board.value(), word))
            .at("period")
            .then(Next.of("periods").with("board", board))
        : new Refusal(
                Problem.UNKNOWN_PERIOD,
                new UnknownSentences.Period(
                    board.value(),
                    word,
                    known
                        .map(each -> new UnknownSentences.NamedLike(each.calendar().example()))
                        .orElse(null),
                    DidYouMean.of(word, history.latestNames(board))))
            .at("period");
  }

  private Refusal unknownBoard(String word) {
    return new Refusal(Problem.UNKNOWN_BOARD, UnknownSentences.Board.of(word, words())).at("board");
  }

  static Refusal unknownMember(String member) {
    return new Refusal(Problem.UNKNOWN_MEMBER, new UnknownSentences.Member(member));
  }

  /** The constant that a field names by its word. */
  static <E extends Choice> E choice(String field, E[] constants, String word) {
    return Choice.find(constants, word)
        .orElseThrow(() -> notOneOf(field, Stream.of(constants).map(Choice::word).toList(), word));
  }

  /** A word of a field, which must be one of these. */
  static String oneOf(String field, Collection<String> words, String word) {
    if (!words.contains(word)) {
      throw notOneOf(field, words, word);
    }
    return word;
  }

  private static Refusal notOneOf(String field, Collection<String> words, String word) {
    return invalid(field, InputSentences.NotOneOf.of(field, words, word));
  }

  /**
   * The member's id.
   *
   * @throws Refusal if no member can have it
   */
  static MemberId member(@Nullable String word) {
    try {
      return new MemberId(required("member", word));
    } catch (InvalidValue e) {
      throw invalid("member", e.said());
    }
  }

  /**
   * A person's reason, for the audit log.
   *
   * @throws Refusal if it cannot be stored
   */
  static String reason(@Nullable String text) {
    return AuditEntry.storableReason(required("reason", text))
        .orElseThrow(
            () -> invalid("reason", new InputSentences.NotAReason(AuditEntry.MAX_REASON_LENGTH)));
  }

  /** The value of a field that must be there. */
  static <T> T required(String field, @Nullable T value) {
    if (value == null) {
      throw new Refusal(Problem.MISSING_FIELD, new InputSentences.Missing(field)).at(field);
    }
    return value;
  }

  /** Checks the number of rows that a caller wants; null is the default of the format. */
  static void requireCount(String field, @Nullable Integer count) {
    if (count != null) {
      within(1, Listing.MAX_COUNT, field, count);
    }
  }

  /**
   * A day, which means its beginning, or a time with its offset; null if the text is null.
   *
   * @param days says when a day begins
   */
  static @Nullable Instant time(String field, @Nullable String text, Days days) {
    return text == null
        ? null
        : DayOrTime.parse(text, days)
            .orElseThrow(() -> invalid(field, new InputSentences.NotATime(field, text)));
  }

  /** As {@link #time(String, String, Days)}; a day begins at midnight in the zone. */
  static @Nullable Instant time(String field, @Nullable String text, ZoneId zone) {
    return time(field, text, Days.of(zone));
  }

  /**
   * A range of times, of which each may be open.
   *
   * @param from its beginning; null for no limit
   * @param to its end, exclusive; null for no limit
   */
  record Range(@Nullable Instant from, @Nullable Instant to) {}

  /**
   * The range of {@code from} and {@code to}, as in {@link #time}.
   *
   * @throws Refusal unless it ends after it begins
   */
  static Range range(@Nullable String from, @Nullable String to, ZoneId zone) {
    Instant start = time("from", from, zone);
    Instant end = time("to", to, zone);
    if (start != null && end != null && !start.isBefore(end)) {
      throw invalid("to", new InputSentences.EmptyRange(start.atZone(zone), end.atZone(zone)));
    }
    return new Range(start, end);
  }

  /**
   * A month in a time zone.
   *
   * @throws Refusal if there is none
   */
  static Month month(String month, String zone) {
    YearMonth parsed;
    try {
      parsed = new Month(YearMonth.parse(month), ZoneOffset.UTC).month();
    } catch (DateTimeException e) {
      throw invalid("month", new InputSentences.NotAMonth(month));
    }
    try {
      return new Month(parsed, ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw invalid("zone", new InputSentences.NotAZone(zone));
    }
  }

  /** A number that is not less than a minimum. */
  static int atLeast(int min, String field, int number) {
    if (number < min) {
      throw invalid(field, new InputSentences.TooSmall(field, min, number));
    }
    return number;
  }

  /** A number within both bounds. */
  static int within(int min, int max, String field, int number) {
    if (number < min || number > max) {
      throw invalid(field, new InputSentences.OutOfRange(field, min, max, number));
    }
    return number;
  }

  /**
   * The refusal of a field's value.
   *
   * @param field its name in the request
   */
  static Refusal invalid(String field, Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, said).at(field);
  }

  static Refusal unknown(Sentence said) {
    return new Refusal(Problem.UNKNOWN_OBJECT, said);
  }
}
