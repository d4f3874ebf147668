package palmares.operations.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.report.Outcomes.SettledPeriod;
import palmares.period.BoardDefinitions;
import palmares.platform.sql.FromReplica;
import palmares.platform.sql.RecordMapper;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.calendar.PeriodName;
import palmares.rules.payout.Sums;

/**
 * Reads a member's lines and awards in all settled periods of a board. Each statement reads a few
 * periods and ends its transaction, so that the tables of a long history are never locked together.
 */
@Component
public class MemberHistory {
  static final int PERIODS_PER_STATEMENT = 100;

  private final JdbcClient jdbc;
  private final Outcomes outcomes;
  private final BoardDefinitions definitions;

  MemberHistory(JdbcClient jdbc, Outcomes outcomes, BoardDefinitions definitions) {
    this.jdbc = jdbc;
    this.outcomes = outcomes;
    this.definitions = definitions;
  }

  /**
   * A member's line in a settled period, in the revision in force.
   *
   * @param members the members at the period's seal
   * @param place position in the exact order, from 1
   * @param rank null if the member is excluded from the ranks
   * @param thenBy the second key; 0 on boards without one
   * @param reachedAt null on an adopted board whose scores have no time
   * @param awarded the sum of awards by currency
   */
  public record MemberLine(
      PeriodName period,
      Instant startsAt,
      Instant endsAt,
      int revision,
      long members,
      long place,
      @Nullable Long rank,
      long points,
      long thenBy,
      @Nullable Instant reachedAt,
      Sums awarded) {

    boolean isWithin(int worstRank) {
      return rank != null && rank <= worstRank;
    }
  }

  /**
   * Some of a member's lines, the latest period first.
   *
   * @param next the period before which the next page begins; null on the last page
   */
  public record Page(List<MemberLine> lines, @Nullable PeriodName next) {}

  /**
   * Reads one page.
   *
   * @param before the start of a period, which is not in the page; null for the first page
   * @param count the largest number of lines; at least 1
   */
  @FromReplica
  public Page page(BoardId board, MemberId member, @Nullable Instant before, int count) {
    var lines = new ArrayList<MemberLine>();
    scan(
        board,
        member,
        before,
        (period, line) -> {
          if (line != null) {
            lines.add(line);
          }
          return lines.size() <= count;
        });
    return lines.size() <= count
        ? new Page(lines, null)
        : new Page(List.copyOf(lines.subList(0, count)), lines.get(count - 1).period());
  }

  /**
   * Reads lines, the latest period first, without holding them in memory.
   *
   * @param most the largest number of lines; at least 1
   */
  @FromReplica
  public void each(BoardId board, MemberId member, int most, Consumer<MemberLine> line) {
    int[] read = {0};
    scan(
        board,
        member,
        null,
        (period, found) -> {
          if (found != null) {
            line.accept(found);
            read[0]++;
          }
          return read[0] < most;
        });
  }

  /** The names of all boards that ever had a period. */
  public List<BoardId> boards() {
    return jdbc.sql("select board from period group by board order by board collate \"C\"")
        .query(BoardId.class)
        .list();
  }

  /**
   * Reads what the member has reached on the board.
   *
   * @param top the worst rank that counts for the streaks in the top; at least 1
   */
  @FromReplica
  public MemberRecord record(BoardId board, MemberId member, int top) {
    var sums = new MemberRecord.Totals(top);
    scan(
        board,
        member,
        null,
        (period, line) -> {
          add(sums, period, line);
          return true;
        });
    return sums.record();
  }

  /**
   * Says what a member has reached on a board.
   *
   * @param lines its latest lines, the latest period first
   */
  public record OnBoard(BoardId board, MemberRecord record, List<MemberLine> lines) {}

  /**
   * Reads what the member has reached on each board on which it has a line, by board. The number of
   * statements grows with the periods of all boards together, not with the boards.
   *
   * @param top the worst rank that counts for the streaks in the top; at least 1
   * @param most the largest number of lines of each board; at least 1
   */
  @FromReplica
  public List<OnBoard> everywhere(MemberId member, int top, int most) {
    var sums = new LinkedHashMap<BoardId, MemberRecord.Totals>();
    var latest = new HashMap<BoardId, List<MemberLine>>();
    @Nullable SettledPeriod last = null;
    List<SettledPeriod> slice;
    do {
      slice = outcomes.settledAfter(last, PERIODS_PER_STATEMENT);
      Map<Integer, MemberLine> lines = slice.isEmpty() ? Map.of() : lines(slice, member);
      for (SettledPeriod period : slice) {
        MemberLine line = lines.get(period.outcome().id());
        add(
            sums.computeIfAbsent(period.board(), board -> new MemberRecord.Totals(top)),
            period,
            line);
        List<MemberLine> ofBoard = latest.computeIfAbsent(period.board(), b -> new ArrayList<>());
        if (line != null && ofBoard.size() < most) {
          ofBoard.add(line);
        }
        last = period;
      }
    } while (slice.size() == PERIODS_PER_STATEMENT);
    return sums.entrySet().stream()
        .map(
            board ->
                new OnBoard(
                    board.getKey(),
                    board.getValue().record(),
                    latest.getOrDefault(board.getKey(), List.of())))
        .filter(onBoard -> onBoard.record().played() > 0)
        .toList();
  }

  private void add(MemberRecord.Totals sums, SettledPeriod period, @Nullable MemberLine line) {
    sums.add(
        period.name(),
        line,
        () ->
            definitions.of(period.board(), period.definitionHash()).scale().scoring().fewestWin());
  }

  /**
   * Passes on each settled period that started before a time, the latest first, with the member's
   * line or null, until it is answered with false.
   */
  private void scan(
      BoardId board,
      MemberId member,
      @Nullable Instant before,
      BiPredicate<SettledPeriod, @Nullable MemberLine> more) {
    @Nullable Instant time = before;
    while (true) {
      List<SettledPeriod> slice = outcomes.settledBefore(board, time, PERIODS_PER_STATEMENT);
      Map<Integer, MemberLine> lines = slice.isEmpty() ? Map.of() : lines(slice, member);
      for (SettledPeriod period : slice) {
        if (!more.test(period, lines.get(period.outcome().id()))) {
          return;
        }
      }
      if (slice.size() < PERIODS_PER_STATEMENT) {
        return;
      }
      time = slice.get(slice.size() - 1).startsAt();
    }
  }

  /** The member's lines in some periods, by outcome. */
  private Map<Integer, MemberLine> lines(List<SettledPeriod> periods, MemberId member) {
    Map<Integer, Sums> awarded = awarded(periods, member);
    var byOutcome = new HashMap<Integer, SettledPeriod>();
    periods.forEach(period -> byOutcome.put(period.outcome().id(), period));
    return jdbc
        .sql(
            """
            select outcome, place, rank, points, coalesce(then_by, 0) as then_by, reached_at
            from line
            where outcome = any(:outcomes::int[]) and member = :member and place is not null
            """)
        .param("outcomes", byOutcome.keySet())
        .param("member", member)
        .query(Row.class)
        .list()
        .stream()
        .collect(
            Collectors.toMap(
                Row::outcome,
                row ->
                    row.line(
                        Objects.requireNonNull(byOutcome.get(row.outcome())),
                        awarded.getOrDefault(row.outcome(), Sums.NONE))));
  }

  private record Row(
      int outcome,
      long place,
      @Nullable Long rank,
      long points,
      long thenBy,
      @Nullable Instant reachedAt) {
    MemberLine line(SettledPeriod period, Sums awarded) {
      return new MemberLine(
          period.name(),
          period.startsAt(),
          period.endsAt(),
          period.revision(),
          period.members(),
          place,
          rank,
          points,
          thenBy,
          reachedAt,
          awarded);
    }
  }

  private record Award(String currency, long credits) {}

  /** What the member got in some periods, by outcome and currency. */
  private Map<Integer, Sums> awarded(List<SettledPeriod> periods, MemberId member) {
    var wholes = new HashMap<Integer, Integer>();
    periods.forEach(
        period ->
            period.outcome().parts().forEach(part -> wholes.put(part, period.outcome().id())));
    var awarded = new HashMap<Integer, Sums>();
    jdbc.sql(
            """
            select outcome, currency, credits from award_changes(:parts::int[])
            where member = :member
            """)
        .param("parts", wholes.keySet())
        .param("member", member)
        .query(RecordMapper.lists(Integer.class, Award.class))
        .forEach(
            (part, awards) ->
                awards.forEach(
                    award ->
                        awarded.merge(
                            Objects.requireNonNull(wholes.get(part)),
                            Sums.of(award.currency(), award.credits()),
                            Sums::plus)));
    return awarded;
  }
}
