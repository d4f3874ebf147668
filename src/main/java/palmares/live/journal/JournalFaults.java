package palmares.live.journal;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.board.Halt;
import palmares.live.board.LiveJournal;
import palmares.live.board.LiveJournal.BoardProgress;
import palmares.live.board.LiveSentences;
import palmares.live.journal.Journal.Position;
import palmares.live.journal.MissingEvents.Numbers;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.Repair;
import palmares.platform.text.Choice;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.BoardId;

/**
 * Finds open periods whose live board in Redis and journal in PostgreSQL disagree, stores them in
 * the table {@code journal_fault} until a round finds them repaired, and counts them and the
 * quarantined entries as metrics per board. Each is logged once by each process.
 */
@Component
public class JournalFaults {
  private static final Logger LOG = LoggerFactory.getLogger(JournalFaults.class);

  private final LiveJournal live;
  private final Quarantine quarantine;
  private final JdbcClient jdbc;
  private final Clock clock;
  private final MultiGauge faulty;
  private final MultiGauge quarantined;

  /** What the comparison of this round found; null values are periods that it cannot judge. */
  private Map<PeriodId, @Nullable Kind> compared = new HashMap<>();

  /** The periods whose live boards are halted, because a drain found a gap. */
  private final Set<PeriodId> withGap = new HashSet<>();

  /** The periods that drains of this process could not drain, until one can. */
  private final Map<PeriodId, Kind> undrained = new HashMap<>();

  /** The numbers of the first events that are missing, of those of them that have a gap. */
  private final Map<PeriodId, Numbers> gaps = new HashMap<>();

  /** The states that PostgreSQL has forgotten, as this round found their marks. */
  private final Map<PeriodId, String> forgotten = new HashMap<>();

  /** The periods whose live boards Redis did not reach in this round. */
  private final Set<PeriodId> unreached = new HashSet<>();

  /** The periods of which this round has seen that nothing is left to drain. */
  private final Set<PeriodId> drained = new HashSet<>();

  private final Map<PeriodId, String> logged = new HashMap<>();
  private Map<PeriodId, Stored> stored = Map.of();
  private Map<BoardId, Long> undecided = Map.of();
  private List<Period> known = List.of();

  JournalFaults(
      LiveJournal live,
      Quarantine quarantine,
      JdbcClient jdbc,
      Clock clock,
      MeterRegistry metrics) {
    this.live = live;
    this.quarantine = quarantine;
    this.jdbc = jdbc;
    this.clock = clock;
    this.faulty =
        MultiGauge.builder("palmares.journal.faulty")
            .description("open periods whose live board and journal in PostgreSQL disagree")
            .baseUnit("periods")
            .register(metrics);
    this.quarantined =
        MultiGauge.builder("palmares.journal.quarantined")
            .description("journal entries that PostgreSQL refused and nobody has decided on")
            .baseUnit("entries")
            .register(metrics);
  }

  /** What is wrong with a live board or its journal. */
  public enum Kind implements Choice {
    /** Redis has lost the live board; a rebuild makes it again. */
    LOST,
    /** A rebuild was interrupted, and has left the board halted; another one continues it. */
    INTERRUPTED,
    /** Redis has lost a part of the live board; a rebuild replaces it. */
    TORN,
    /** Redis has less than PostgreSQL has, or other events; a rebuild replaces the board. */
    WENT_BACK,
    /** Events are neither in Redis nor in PostgreSQL, and the live board takes no more. */
    GAP,
    /** PostgreSQL has forgotten that the period was sealed or settled. */
    FORGOTTEN,
    /** The journal cannot be drained for another reason, which is in the log. */
    UNDRAINED
  }

  /**
   * An open period whose live board or journal is faulty.
   *
   * @param since when a process first found it
   * @param missing the numbers of the first events that are in neither store; null if there are
   *     none, or they are not known
   * @param forgotten the state that PostgreSQL has forgotten; null for other kinds
   */
  public record Fault(
      String board,
      String period,
      Kind kind,
      Instant since,
      @Nullable Numbers missing,
      @Nullable String forgotten) {
    public String label() {
      return board + " " + period;
    }

    /** Says what happened, and what follows from it. */
    public Sentence said() {
      return switch (kind) {
        case LOST -> new LiveSentences.Gone(label());
        case INTERRUPTED -> new LiveSentences.Rebuilding(label());
        case WENT_BACK -> new LiveSentences.WentBack(label());
        case TORN -> Halt.TORN.said(label());
        case GAP ->
            missing == null
                ? Halt.GAP.said(label())
                : new LiveSentences.Lacks(label(), MissingEvents.said(List.of(missing)));
        case FORGOTTEN -> new LiveSentences.Forgotten(label(), String.valueOf(forgotten));
        case UNDRAINED -> new JournalSentences.Undrained(label());
      };
    }

    /** The rebuild that repairs it; null if none does. */
    public @Nullable Repair repair() {
      return switch (kind) {
        case LOST, INTERRUPTED -> Repair.REBUILD;
        case TORN, WENT_BACK -> Repair.REPLACE;
        case GAP, FORGOTTEN -> Repair.ACCEPT_LOSS;
        case UNDRAINED -> null;
      };
    }
  }

  /** Returns the faulty periods, those that were found first before the others. */
  public List<Fault> all() {
    return jdbc.sql(
            """
            select board, name as period, kind, since, missing_from as "from", missing_to as "to",
              forgotten
            from journal_fault
            join period on period.id = period_id
            where state = 'open'
            order by since, board, starts_at
            """)
        .query(Fault.class)
        .list();
  }

  private record Stored(
      Kind kind, boolean foundByDrain, @Nullable Numbers missing, @Nullable String forgotten) {}

  /** Finds the open periods whose live boards Redis has lost, or has in an earlier state. */
  void compare(
      List<Period> open, Map<PeriodId, Position> positions, List<Optional<BoardProgress>> boards) {
    known = open;
    drained.clear();
    unreached.clear();
    withGap.clear();
    forgotten.clear();
    stored = stored();
    var halted = new ArrayList<PeriodId>();
    var closed = new HashMap<PeriodId, String>();
    var found = new HashMap<PeriodId, @Nullable Kind>();
    for (int i = 0; i < open.size(); i++) {
      Period period = open.get(i);
      BoardProgress board = boards.get(i).orElse(null);
      if (board == null) {
        found.put(period.id(), null);
        unreached.add(period.id());
        continue;
      }
      if (board.halt() == Halt.GAP) {
        withGap.add(period.id());
      }
      if (!board.exists()) {
        find(found, period, Kind.LOST, new LiveSentences.Gone(period.label()));
      } else if (board.isRebuilding()) {
        halted.add(period.id());
      } else if (board.closed() != null) {
        closed.put(period.id(), board.closed());
      } else if (board.halt() == Halt.TORN) {
        find(found, period, Kind.TORN, Halt.TORN.said(period.label()));
      } else {
        try {
          Journal.requireNotBehind(
              period, positions.getOrDefault(period.id(), Position.NONE).last(), board.decided());
        } catch (JournalGap gap) {
          find(found, period, Kind.WENT_BACK, gap.said());
        }
      }
    }
    compared = found;
    findForgotten(closed);
    findInterrupted(halted);
  }

  /** A period that was read as open may have been closed since, or is being closed. */
  private void findForgotten(Map<PeriodId, String> closed) {
    if (closed.isEmpty()) {
      return;
    }
    Set<PeriodId> open =
        Set.copyOf(
            jdbc.sql(
                    """
                    select id from period
                    where id = any(:ids)
                      and state = 'open'
                      and (lease_until is null or lease_until <= :now)
                    """)
                .param("ids", closed.keySet())
                .param("now", clock.instant())
                .query(PeriodId.class)
                .list());
    for (Period period : known) {
      String state = closed.get(period.id());
      if (state != null && open.contains(period.id())) {
        forgotten.put(period.id(), state);
        find(compared, period, Kind.FORGOTTEN, new LiveSentences.Forgotten(period.label(), state));
      } else if (state != null) {
        compared.put(period.id(), null);
      }
    }
  }

  private void find(Map<PeriodId, @Nullable Kind> found, Period period, Kind kind, Sentence said) {
    found.put(period.id(), kind);
    log(period, "live board faulty: " + Texts.english(said));
  }

  /** A rebuild that goes on holds a lease. Until it ends, what was stored before stays. */
  private void findInterrupted(List<PeriodId> halted) {
    if (halted.isEmpty()) {
      return;
    }
    Set<PeriodId> leased = leased(halted);
    for (Period period : known) {
      if (halted.contains(period.id())) {
        if (leased.contains(period.id())) {
          compared.put(period.id(), null);
        } else {
          find(compared, period, Kind.INTERRUPTED, new LiveSentences.Rebuilding(period.label()));
        }
      }
    }
  }

  private Set<PeriodId> leased(Collection<PeriodId> periods) {
    return Set.copyOf(
        jdbc.sql("select id from period where id = any(:ids) and lease_until > :now")
            .param("ids", periods)
            .param("now", clock.instant())
            .query(PeriodId.class)
            .list());
  }

  /** Notes which of the compared periods have something to drain; the others are drained. */
  void noteBacklogs(Collection<Period> withBacklog) {
    Set<PeriodId> left = withBacklog.stream().map(Period::id).collect(Collectors.toSet());
    known.stream()
        .filter(period -> !left.contains(period.id()) && !unreached.contains(period.id()))
        .filter(period -> compared.get(period.id()) == null)
        .forEach(this::drained);
  }

  void drained(Period period) {
    drained.add(period.id());
    undrained.remove(period.id());
    if (withGap.remove(period.id())) {
      live.resume(period, Halt.GAP);
    }
  }

  void notDrained(Period period, RuntimeException e) {
    drained.remove(period.id());
    Kind kind =
        !(e instanceof JournalGap gap)
            ? Kind.UNDRAINED
            : gap.wentBack() ? Kind.WENT_BACK : Kind.GAP;
    undrained.put(period.id(), kind);
    gaps.remove(period.id());
    if (e instanceof JournalGap gap && gap.missing() != null) {
      gaps.put(period.id(), gap.missing());
    }
    log(period, "journal not drained: " + e.getMessage());
  }

  private void log(Period period, String fault) {
    if (!fault.equals(logged.put(period.id(), fault))) {
      LOG.error("{}", fault);
    }
  }

  /** Stores the faults, sets the metrics, and logs new quarantined entries. */
  void report() {
    undrained.keySet().retainAll(known.stream().map(Period::id).toList());
    Map<BoardId, Long> now = quarantine.undecided();
    now.forEach(
        (board, entries) -> {
          if (entries > undecided.getOrDefault(board, 0L)) {
            LOG.error(
                "journal entries quarantined board={} undecided={}: nobody is paid for their"
                    + " periods until each is released or discarded; '{}' lists them",
                board,
                entries,
                Commands.of(Next.of("quarantine").with("board", board)));
          }
        });
    undecided = now;
    quarantined.register(boards(board -> undecided.getOrDefault(board, 0L)), true);
    Set<PeriodId> faultyPeriods = store();
    logged.keySet().retainAll(faultyPeriods);
    Map<BoardId, Long> faults =
        known.stream()
            .filter(period -> faultyPeriods.contains(period.id()))
            .collect(Collectors.groupingBy(Period::board, Collectors.counting()));
    faulty.register(boards(board -> faults.getOrDefault(board, 0L)), true);
  }

  /** Brings the stored faults in step with what this round found, and returns their periods. */
  private Set<PeriodId> store() {
    var faultyPeriods = new HashSet<PeriodId>();
    for (Period period : known) {
      if (store(period.id())) {
        faultyPeriods.add(period.id());
      }
    }
    Set<PeriodId> open = known.stream().map(Period::id).collect(Collectors.toSet());
    stored.keySet().stream().filter(id -> !open.contains(id)).forEach(this::delete);
    return faultyPeriods;
  }

  private boolean store(PeriodId period) {
    Stored before = stored.get(period);
    Kind kind = compared.get(period);
    boolean byDrain = kind == null && undrained.containsKey(period);
    if (byDrain) {
      kind = undrained.get(period);
    }
    if (kind != null) {
      var found =
          new Stored(
              kind,
              byDrain,
              kind == Kind.GAP ? gaps.get(period) : null,
              kind == Kind.FORGOTTEN ? forgotten.get(period) : null);
      if (!found.equals(before)) {
        insert(period, found);
      }
      return true;
    }
    if (before == null) {
      return false;
    }
    // What another process could not drain is repaired once any process has drained it.
    boolean cannotJudge =
        compared.containsKey(period) || before.foundByDrain() && !drained.contains(period);
    if (!cannotJudge) {
      delete(period);
    }
    return cannotJudge;
  }

  private Map<PeriodId, Stored> stored() {
    record Row(PeriodId periodId, Stored stored) {}
    return jdbc
        .sql("select *, missing_from as \"from\", missing_to as \"to\" from journal_fault")
        .query(Row.class)
        .list()
        .stream()
        .collect(Collectors.toMap(Row::periodId, Row::stored));
  }

  private void insert(PeriodId period, Stored fault) {
    jdbc.sql(
            """
            insert into journal_fault (
              period_id, kind, found_by_drain, since, missing_from, missing_to, forgotten)
            values (:period, :kind, :byDrain, :now, :from, :to, :forgotten)
            on conflict (period_id) do update
            set kind = excluded.kind, found_by_drain = excluded.found_by_drain,
              missing_from = excluded.missing_from, missing_to = excluded.missing_to,
              forgotten = excluded.forgotten
            """)
        .param("period", period)
        .param("kind", fault.kind())
        .param("byDrain", fault.foundByDrain())
        .param("now", clock.instant())
        .param("from", fault.missing() == null ? null : fault.missing().from())
        .param("to", fault.missing() == null ? null : fault.missing().to())
        .param("forgotten", fault.forgotten())
        .update();
  }

  private void delete(PeriodId period) {
    jdbc.sql("delete from journal_fault where period_id = :period")
        .param("period", period)
        .update();
  }

  private List<Row<?>> boards(Function<BoardId, Long> value) {
    var boards = new HashSet<>(undecided.keySet());
    known.forEach(period -> boards.add(period.board()));
    return boards.stream()
        .<Row<?>>map(board -> Row.of(Tags.of("board", board.value()), value.apply(board)))
        .toList();
  }
}
