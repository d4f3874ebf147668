package palmares.settlement.watch;

import static java.util.stream.Collectors.toMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.board.LiveLine;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.period.BoardDefinitions;
import palmares.period.BoardDefinitions.UnreadableDefinition;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.Watch;
import palmares.settlement.outbox.Outbox;
import palmares.settlement.outbox.Outbox.RankFact;
import palmares.settlement.watch.Move.Kind;
import palmares.settlement.watch.Move.Line;
import palmares.settlement.watch.RankComparison.Found;
import palmares.settlement.watch.RankComparison.Top;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the live board of a watched period with what was seen before, and stores what it finds
 * together with what it has seen. If it fails, the next comparison finds the same.
 */
@Component
class RankWatch {
  /** The least time between two comparisons of a board, of all servers together. */
  static final Duration MIN_PAUSE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(RankWatch.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final LiveQueries live;
  private final BoardDefinitions definitions;
  private final Outbox outbox;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Timer duration;
  private final Map<Kind, Counter> found;

  RankWatch(
      LiveQueries live,
      BoardDefinitions definitions,
      Outbox outbox,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Clock clock,
      MeterRegistry metrics) {
    this.live = live;
    this.definitions = definitions;
    this.outbox = outbox;
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.clock = clock;
    this.duration =
        Timer.builder("palmares.watch.comparison")
            .description("how long the comparison of a watched board takes")
            .register(metrics);
    this.found =
        List.of(Kind.values()).stream()
            .collect(
                toMap(
                    kind -> kind,
                    kind ->
                        Counter.builder("palmares.watch.moves")
                            .description("moves of members that comparisons have found")
                            .tag("fact", kind.type())
                            .register(metrics)));
  }

  /** Whether the period is watched. One whose rules cannot be read keeps no other board. */
  boolean isWatched(Period period) {
    try {
      return definitions.of(period).watch() != null;
    } catch (UnreadableDefinition e) {
      LOG.debug("{} is not watched", period.label(), e);
      return false;
    }
  }

  /**
   * Whether the targets that want facts about ranks are all parked. Nothing is compared then: once
   * one is retried, the next comparison finds what has moved altogether in periods whose live board
   * is still there.
   */
  boolean isParked() {
    return outbox.isParked(Stream.of(Kind.values()).map(Kind::type).toList());
  }

  /** Finds the periods whose board was compared, but not for the last time yet. */
  List<PeriodId> goingOn() {
    return jdbc.sql("select period_id from watched_period where not is_over")
        .query(PeriodId.class)
        .list();
  }

  /**
   * Finds the open periods whose events are from the past: an import goes on in them, or has opened
   * them after their end. Who was passed last year is no news.
   */
  Set<PeriodId> past() {
    return Set.copyOf(
        jdbc.sql(
                """
                select period.id
                from period
                join import_run on import_run.id = period.opened_by_import
                where period.state = 'open'
                  and (import_run.ended_at is null or period.ends_at <= period.opened_at)
                """)
            .query(PeriodId.class)
            .list());
  }

  /** The version of the board; empty if Redis does not have it. */
  Optional<LivePage.Version> version(Period period) {
    return live.version(period);
  }

  /**
   * What a comparison leads to.
   *
   * @param moves how many it has found
   * @param version of the board that it read; null if others compare it, or Redis does not have it
   * @param nextAt when it must be compared again although it does not change; null if it need not
   */
  record Compared(int moves, LivePage.@Nullable Version version, @Nullable Instant nextAt) {
    static final Compared NOT = new Compared(0, null, null);
  }

  /**
   * Compares a board, unless another server does so or has just done so.
   *
   * @param maxMoves the most moves that are found; the next comparison finds the others
   */
  Compared compare(Period period, int maxMoves) {
    // Not in the transaction of the comparison, since it locks the period's row as a closing does.
    jdbc.sql("insert into watched_period (period_id) values (:id) on conflict do nothing")
        .param("id", period.id())
        .update();
    return Objects.requireNonNull(
        duration.record(() -> transaction.execute(status -> compareLocked(period, maxMoves))));
  }

  private record Row(long comparison, @Nullable String seen) {}

  /** The board is read under the lock, so that nobody stores what is older over what is newer. */
  private Compared compareLocked(Period period, int maxMoves) {
    Instant now = clock.instant();
    Row row =
        jdbc.sql(
                """
                select comparison, seen
                from watched_period
                where period_id = :id
                  and (compared_at is null or compared_at <= :before or compared_at > :after)
                for no key update skip locked
                """)
            .param("id", period.id())
            .param("before", now.minus(MIN_PAUSE))
            // Later than now, if the clock was set back since: the board is compared all the same.
            .param("after", now.plus(MIN_PAUSE))
            .query(Row.class)
            .optional()
            .orElse(null);
    if (row == null) {
      return Compared.NOT;
    }
    Board board = definitions.of(period);
    Watch watch = Objects.requireNonNull(board.watch());
    LivePage page = live.top(period, board, watch.places()).orElse(null);
    if (page == null) {
      endIfClosed(period);
      return Compared.NOT;
    }
    SeenBoard before = row.seen() == null ? SeenBoard.EMPTY : read(row.seen());
    var top = new Top(page.version().exclusions(), lines(page));
    Found result =
        RankComparison.compare(
            watch,
            board.scale().scoring().fewestWin(),
            before,
            top,
            elsewhere(period, board, RankComparison.gone(before, top)),
            now,
            maxMoves);
    store(period, row, before, result, now);
    boolean isLast = period.state() != PeriodState.OPEN && !result.more();
    if (isLast) {
      endIfClosed(period);
    }
    return new Compared(
        result.moves().size(),
        result.more() ? null : page.version(),
        result.seen().nextPassed().orElse(null));
  }

  private static SeenBoard read(String seen) {
    return JSON.readValue(seen, SeenBoard.class);
  }

  private static List<Line> lines(LivePage page) {
    return page.lines().stream().map(RankWatch::line).toList();
  }

  private static Line line(LiveLine line) {
    return new Line(line.member(), line.rank(), line.points());
  }

  /** The ranked lines of members who have left the watched places. */
  private Map<String, Line> elsewhere(Period period, Board board, Set<String> members) {
    if (members.isEmpty()) {
      return Map.of();
    }
    return live
        .find(period, board, members.stream().map(MemberId::new).toList())
        .map(LivePage::lines)
        .orElse(List.of())
        .stream()
        .filter(LiveLine::ranked)
        .collect(toMap(LiveLine::member, RankWatch::line));
  }

  /** What was seen is written only if it differs, since it has up to a thousand places. */
  private void store(Period period, Row row, SeenBoard before, Found result, Instant now) {
    long comparison = result.moves().isEmpty() ? row.comparison() : nextNumber(row, now);
    if (!result.moves().isEmpty()) {
      outbox.ranked(
          period,
          comparison,
          result.moves().stream()
              .map(
                  move ->
                      new RankFact(move.kind().type(), move.member(), move.about(), move.data()))
              .toList());
      result.moves().forEach(move -> Objects.requireNonNull(found.get(move.kind())).increment());
    }
    jdbc.sql(
            """
            update watched_period
            set comparison = :comparison, seen = coalesce(:seen::jsonb, seen), compared_at = :now,
              is_over = false
            where period_id = :id
            """)
        .param("comparison", comparison)
        .param("seen", result.seen().equals(before) ? null : JSON.writeValueAsString(result.seen()))
        .param("now", now)
        .param("id", period.id())
        .update();
  }

  /**
   * Counts in seconds of the clock, of which a comparison takes one at least: so that the ids of
   * facts do not come again for other moves if PostgreSQL is restored to an earlier time.
   */
  private static long nextNumber(Row row, Instant now) {
    return Math.max(row.comparison() + 1, now.getEpochSecond());
  }

  /** A closed board changes no more, and its keys may be gone. Nobody needs what was seen of it. */
  private void endIfClosed(Period period) {
    jdbc.sql(
            """
            update watched_period set is_over = true, seen = null
            where period_id = :id
              and exists (select from period where id = :id and state <> 'open')
            """)
        .param("id", period.id())
        .update();
  }
}
