package palmares.console;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import palmares.api.reader.lines.LineView;
import palmares.api.reader.lines.PeriodBoard;
import palmares.api.reader.lines.PeriodBoards;
import palmares.live.member.PublicProfiles;
import palmares.operations.report.PeriodList;
import palmares.operations.report.PeriodList.Attention;
import palmares.operations.report.PeriodList.Entry;
import palmares.period.LiveBoardMarks;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.platform.Refusal;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

/**
 * Reads what lists show of boards: last periods, and the top of the open one. The number of
 * statements does not grow with the number of boards.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class BoardCards {
  private static final int STRIP = 30;
  private static final int TOP = 3;

  /** Of one board; the inbox has all. */
  private static final int MAX_NEEDS = 10;

  private final PeriodList list;
  private final Periods periods;
  private final LiveBoardMarks marks;
  private final PeriodBoards lines;
  private final PublicProfiles profiles;
  private final Clock clock;

  BoardCards(
      PeriodList list,
      Periods periods,
      LiveBoardMarks marks,
      PeriodBoards lines,
      PublicProfiles profiles,
      Clock clock) {
    this.list = list;
    this.periods = periods;
    this.marks = marks;
    this.lines = lines;
    this.profiles = profiles;
    this.clock = clock;
  }

  /**
   * A board in a list.
   *
   * @param current its period at present; null if it has none
   * @param strip its last periods, the earliest first
   * @param lastSettled the last settled period; null if there is none
   * @param needs the latest periods that need a person, the latest first
   * @param needed how many periods need a person
   */
  record Card(
      Board board,
      @Nullable Entry current,
      Top top,
      List<Entry> strip,
      @Nullable Entry lastSettled,
      List<Need> needs,
      long needed) {

    String id() {
      return board.id().value();
    }

    /** Whether a text is part of the board's id or title, in any case. */
    boolean matches(String text) {
      String wanted = text.toLowerCase(Locale.ROOT);
      return id().toLowerCase(Locale.ROOT).contains(wanted)
          || board.title().toLowerCase(Locale.ROOT).contains(wanted);
    }

    /** When its present period closes; long after all others if it does not. */
    Instant closesAt() {
      return current == null || current.closesAt() == null ? Instant.MAX : current.closesAt();
    }

    /** How many periods of the strip are in each state, such as 29 settled and 1 open. */
    public Map<String, Long> states() {
      return strip.stream()
          .map(period -> Show.cellState(period.shownState(), period.failure()))
          .collect(
              Collectors.groupingBy(
                  Function.identity(), LinkedHashMap::new, Collectors.counting()));
    }
  }

  /**
   * A period that needs a person.
   *
   * @param kind the word of the reason, as the inbox has it
   */
  record Need(String kind, String period) {
    static Need of(Entry period) {
      return new Need(kind(period), period.period());
    }

    private static String kind(Entry period) {
      return switch (period.state()) {
        case HELD -> "held";
        case REJECTED -> "rejected";
        case SETTLED, EXPIRED -> "amendment";
        case OPEN, SEALED, FILLED, APPROVED -> period.failure() == null ? "overdue" : "failed";
      };
    }

    public boolean isBad() {
      return !kind.equals("held") && !kind.equals("amendment");
    }
  }

  /**
   * The first lines of a live board.
   *
   * @param members how many members have a rank; null if the board could not be read
   * @param problem why there are none; null if they could be read
   * @param isOutage whether no board can be read
   */
  record Top(
      List<LineView> lines, @Nullable Long members, @Nullable Sentence problem, boolean isOutage) {
    private static final Top NONE = new Top(List.of(), null, null, false);

    Top with(Map<String, String> nicknames) {
      return new Top(
          lines.stream()
              .map(line -> line.with(nicknames.get(line.member()), line.invites()))
              .toList(),
          members,
          problem,
          isOutage);
    }
  }

  /** The last periods of a board that have begun, the earliest first. */
  List<Entry> begun(Board board, int count) {
    return list.latest(List.of(board.id()), justNow(), count);
  }

  /**
   * The periods of boards that have begun, from the one at a time on, the earliest first, by board.
   */
  Map<String, List<Entry>> begunSince(Collection<Board> boards, Instant time) {
    return list.between(boards.stream().map(Board::id).toList(), time, justNow()).stream()
        .collect(Collectors.groupingBy(Entry::board));
  }

  private Instant justNow() {
    return clock.instant().plusMillis(1);
  }

  /** Returns a card for each board, in the same order. */
  List<Card> of(Collection<Board> boards) {
    Map<String, List<Entry>> begun =
        list.latest(boards.stream().map(Board::id).toList(), justNow(), STRIP).stream()
            .collect(Collectors.groupingBy(Entry::board));
    var current = new LinkedHashMap<BoardId, Entry>();
    for (Board board : boards) {
      List<Entry> strip = begun.getOrDefault(board.id().value(), List.of());
      if (!strip.isEmpty() && strip.get(strip.size() - 1).state() == PeriodState.OPEN) {
        current.put(board.id(), strip.get(strip.size() - 1));
      }
    }
    Map<PeriodId, Top> tops = tops(current.values());
    Map<String, List<Attention>> needs =
        list
            .attention(boards.size() == 1 ? boards.iterator().next().id() : null, MAX_NEEDS)
            .stream()
            .collect(Collectors.groupingBy(need -> need.period().board()));
    var cards = new ArrayList<Card>();
    for (Board board : boards) {
      List<Entry> strip = begun.getOrDefault(board.id().value(), List.of());
      List<Attention> own = needs.getOrDefault(board.id().value(), List.of());
      Entry open = current.get(board.id());
      cards.add(
          new Card(
              board,
              open,
              open == null ? Top.NONE : tops.getOrDefault(open.id(), Top.NONE),
              strip,
              lastSettled(strip),
              own.stream().map(need -> Need.of(need.period())).toList(),
              own.isEmpty() ? 0 : own.get(0).ofBoard()));
    }
    return cards;
  }

  private static @Nullable Entry lastSettled(List<Entry> strip) {
    return strip.stream()
        .filter(period -> period.settledAt() != null)
        .reduce((earlier, later) -> later)
        .orElse(null);
  }

  private Map<PeriodId, Top> tops(Collection<Entry> open) {
    List<PeriodId> ids = open.stream().map(Entry::id).toList();
    Set<PeriodId> created = marks.created(ids);
    var tops = new LinkedHashMap<PeriodId, Top>();
    Top outage = null;
    for (Period period : periods.find(ids)) {
      Top top = outage == null ? top(period, created.contains(period.id())) : outage;
      outage = top.isOutage() ? top : null; // the next boards do not wait for it, too
      tops.put(period.id(), top);
    }
    Map<String, String> nicknames =
        profiles.nicknames(
            tops.values().stream()
                .flatMap(top -> top.lines().stream())
                .map(LineView::member)
                .collect(Collectors.toSet()));
    return tops.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, top -> top.getValue().with(nicknames)));
  }

  private Top top(Period period, boolean wasCreated) {
    try {
      PeriodBoard.Section top = lines.live(period, wasCreated).top(TOP);
      return new Top(top.lines(), top.members(), null, false);
    } catch (Refusal e) {
      return new Top(List.of(), null, e.said(), false);
    } catch (RedisUnavailable e) {
      return new Top(List.of(), null, e.reason().said(), true);
    }
  }
}
