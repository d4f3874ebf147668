package palmares.operations.memory;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.operations.memory.MemoryUse.PeriodMemory;
import palmares.operations.memory.MemoryUse.PeriodMemory.KeyStatus;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.platform.sql.RecordMapper;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/** Joins the keys in Redis with the periods in PostgreSQL. */
@Component
public class MemoryReport {
  private final RedisMemory redis;
  private final JdbcClient jdbc;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final Clock clock;

  MemoryReport(
      RedisMemory redis,
      JdbcClient jdbc,
      Periods periods,
      BoardDefinitions definitions,
      Clock clock) {
    this.redis = redis;
    this.jdbc = jdbc;
    this.periods = periods;
    this.definitions = definitions;
    this.clock = clock;
  }

  /** Names a board's period, as keys in Redis do. */
  private record Name(BoardId board, PeriodName period) {}

  private record Known(PeriodState state, Instant expiresAt, boolean amended) {}

  private static final class Sum {
    private long keys;
    private long members;
    private long bytes;
    private boolean pendingDeletion;

    void add(RedisMemory.Key key) {
      keys++;
      members += key.members();
      bytes += key.bytes();
      pendingDeletion |= key.pendingDeletion();
    }
  }

  /**
   * Measures every key of Palmares. Rows are read after keys, so that a board that is created
   * meanwhile is not taken for an unknown one.
   *
   * @param only only this board's keys; null for all
   * @param samples the number of entries by which a key's size is estimated; 0 for all entries
   */
  public MemoryUse measure(@Nullable BoardId only, int samples) {
    var sums = new HashMap<Name, Sum>();
    var others = new TreeMap<String, Sum>();
    redis.scan(
        samples,
        key -> {
          if (key.board() != null && key.period() != null) {
            if (only == null || only.equals(key.board())) {
              sums.computeIfAbsent(new Name(key.board(), key.period()), name -> new Sum()).add(key);
            }
          } else if (only == null) {
            others.computeIfAbsent(key.part(), name -> new Sum()).add(key);
          }
        });
    addAdopted(only, samples, sums);
    Map<Name, Known> known = known();
    var held = new ArrayList<PeriodMemory>();
    sums.forEach((name, sum) -> held.add(held(name, sum, known.get(name))));
    held.sort(
        Comparator.comparing((PeriodMemory line) -> line.board().value())
            .thenComparing(line -> line.period().value()));
    return new MemoryUse(
        List.copyOf(held),
        others.entrySet().stream().map(other -> other(other.getKey(), other.getValue())).toList(),
        redis.used());
  }

  private static MemoryUse.Other other(String name, Sum sum) {
    return new MemoryUse.Other(name, sum.keys, sum.bytes);
  }

  /** Adds the keys of adopted boards, whose names are found period by period. */
  private void addAdopted(@Nullable BoardId only, int samples, Map<Name, Sum> sums) {
    List<PeriodId> ids =
        jdbc.sql("select id from period where state <> 'expired' order by id")
            .query(PeriodId.class)
            .list();
    for (PeriodId id : ids) {
      Period period = periods.get(id);
      Board board = definitions.of(period);
      if (only == null || only.equals(board.id())) {
        List<RedisMemory.Key> keys =
            board.kind().map(List::of, adoption -> redis.adopted(period, board, samples));
        for (RedisMemory.Key key : keys) {
          sums.computeIfAbsent(new Name(period.board(), period.name()), name -> new Sum()).add(key);
        }
      }
    }
  }

  private Map<Name, Known> known() {
    return jdbc.sql(
            """
            select board, name as period, state, expires_at,
              state = 'settled' and id not in (select id from expirable) as amended
            from period
            """)
        .query(RecordMapper.map(Name.class, Known.class));
  }

  private PeriodMemory held(Name name, Sum sum, @Nullable Known known) {
    KeyStatus status = known == null ? KeyStatus.UNKNOWN : status(sum, known);
    boolean hasExpiry =
        status == KeyStatus.KEPT || status == KeyStatus.DUE || status == KeyStatus.AMENDED;
    return new PeriodMemory(
        name.board(),
        name.period(),
        known == null ? null : known.state().word(),
        sum.keys,
        sum.members,
        sum.bytes,
        hasExpiry ? Objects.requireNonNull(known).expiresAt() : null,
        new MemorySentences.Fate(status));
  }

  private KeyStatus status(Sum sum, Known known) {
    return switch (known.state()) {
      case EXPIRED -> KeyStatus.ORPHAN;
      case SETTLED -> settled(sum, known);
      case OPEN, SEALED, FILLED, HELD, REJECTED, APPROVED -> KeyStatus.IN_USE;
    };
  }

  private KeyStatus settled(Sum sum, Known known) {
    if (sum.pendingDeletion) {
      return KeyStatus.PENDING_DELETION;
    }
    if (clock.instant().isBefore(known.expiresAt())) {
      return KeyStatus.KEPT;
    }
    return known.amended() ? KeyStatus.AMENDED : KeyStatus.DUE;
  }
}
