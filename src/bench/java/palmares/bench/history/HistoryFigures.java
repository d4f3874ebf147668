package palmares.bench.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Timing;
import palmares.bench.gauge.LockGauge.LockCounts;

/** The figures of {@code --history}: at each length, the medians of time and rows. */
final class HistoryFigures {
  /** Growth is measured from this length on; smaller tables have other plans. */
  private static final int BASE_LENGTH = 10;

  /** The largest growth that counts as none; medians of a few runs vary as much. */
  private static final double MAX_GROWTH = 1.5;

  private static final double MEGABYTE = 1 << 20;
  private static final double MILLIS = 1e3;

  private final SortedMap<Integer, Length> lengths = new TreeMap<>();

  /**
   * The work of one operation.
   *
   * @param rowsByName rows and index entries read, by table or index
   */
  record Work(double seconds, Map<String, Long> rowsByName) {
    long rows() {
      return rowsByName.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The three tables or indexes with most rows read. */
    String most() {
      return rowsByName.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(3)
          .map(read -> "%s %s".formatted(read.getKey(), read.getValue()))
          .collect(Collectors.joining(", "));
    }
  }

  /**
   * Memory and disk in bytes.
   *
   * @param fresh the largest of new sessions, which have used a few periods only
   * @param old the largest of the sessions before them
   * @param catalog PostgreSQL's catalog on disk
   */
  record Memory(long fresh, long old, long catalog) {}

  /** The readings at one length. */
  private static final class Length {
    private final Map<Operation, List<Work>> work = new EnumMap<>(Operation.class);
    private final Map<Operation, LockCounts> locks = new EnumMap<>(Operation.class);
    private Memory memory = new Memory(0, 0, 0);

    double median(Operation operation, ToDoubleFunction<Work> of) {
      return Timing.median(
          work.getOrDefault(operation, List.of()).stream().map(of::applyAsDouble).toList());
    }

    double millis(Operation operation) {
      return median(operation, one -> one.seconds() * MILLIS);
    }

    double rows(Operation operation) {
      return median(operation, Work::rows);
    }

    LockCounts locks(Operation operation) {
      return Objects.requireNonNull(locks.get(operation), operation::label);
    }
  }

  /** A value that may grow with the history. */
  private interface Value {
    double of(Length length, Operation operation);
  }

  void add(int length, Operation operation, Work work) {
    at(length).work.computeIfAbsent(operation, none -> new ArrayList<>()).add(work);
  }

  void add(int length, Operation operation, LockCounts locks) {
    at(length).locks.merge(operation, locks, LockCounts::most);
  }

  void add(int length, Memory memory) {
    at(length).memory = memory;
  }

  private Length at(int length) {
    return lengths.computeIfAbsent(length, none -> new Length());
  }

  /** The readings at a length, as lines for people. */
  List<String> words(int length) {
    Length read = at(length);
    var words = new ArrayList<String>();
    for (Operation operation : Operation.values()) {
      LockCounts locks = read.locks(operation);
      words.add(
          String.format(
              Locale.ROOT,
              "at %,d periods, %s: %.1f ms, %d locks, %d waiting, %,.0f rows (%s); %s",
              length,
              operation.label(),
              read.millis(operation),
              locks.held(),
              locks.waiting(),
              read.rows(operation),
              read.work.getOrDefault(operation, List.of()).get(0).most(),
              locks.statement().replaceAll("\\s+", " ").strip()));
    }
    return words;
  }

  Figures all() {
    var figures = new Figures();
    hold(figures, "history_time_growth", "time", Length::millis);
    hold(
        figures,
        "history_locks_growth",
        "locks",
        (length, operation) -> length.locks(operation).held());
    hold(figures, "history_rows_growth", "rows read", Length::rows);
    hold(figures, "history_memory_growth", "memory", (length, operation) -> length.memory.fresh());
    figures.addWithAim(
        "history_waits",
        "locks that were waited for",
        lengths.values().stream()
            .flatMap(length -> length.locks.values().stream())
            .mapToLong(LockCounts::waiting)
            .max()
            .orElse(0),
        Aim.atMost(0));
    lengths.forEach((length, read) -> add(figures, length, read));
    return figures;
  }

  /** Adds the largest growth of all operations. */
  private void hold(Figures figures, String name, String what, Value value) {
    Length first = lengths.getOrDefault(BASE_LENGTH, at(lengths.firstKey()));
    Length last = at(lengths.lastKey());
    double worst = 0;
    for (Operation operation : Operation.values()) {
      worst = Math.max(worst, value.of(last, operation) / Math.max(1, value.of(first, operation)));
    }
    figures.addWithAim(
        name,
        "%s, %,d periods / %,d".formatted(what, lengths.lastKey(), BASE_LENGTH),
        worst,
        Aim.atMost(MAX_GROWTH));
  }

  private static void add(Figures figures, int length, Length read) {
    for (Operation operation : Operation.values()) {
      String name = "history_" + operation.word();
      String label = "%s, %,d periods".formatted(operation.label(), length);
      figures.add(name + "_ms_" + length, label, read.millis(operation), "ms");
      figures.add(
          name + "_locks_" + length, "  locks at one time", read.locks(operation).held(), "");
      figures.add(
          name + "_session_locks_" + length,
          "  of one session",
          read.locks(operation).inOneSession(),
          "");
      figures.add(name + "_rows_" + length, "  rows read", read.rows(operation), "");
    }
    Memory memory = read.memory;
    megabytes(figures, "history_memory_mb_" + length, "memory of a new session", memory.fresh());
    megabytes(figures, "history_old_memory_mb_" + length, "  of an old one", memory.old());
    megabytes(figures, "history_catalog_mb_" + length, "PostgreSQL's catalog", memory.catalog());
  }

  private static void megabytes(Figures figures, String name, String label, long bytes) {
    figures.add(name, label, bytes / MEGABYTE, "MB");
  }

  /** An operation that is measured at each length of the history. */
  enum Operation {
    CLOSING("closing"),
    VERIFICATION("verify of one period"),
    PAGE("a page of one period"),
    LINE("a member's line of one period");

    private final String label;

    Operation(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    /** Whether the operation is a single read-only transaction. */
    boolean isRead() {
      return this == PAGE || this == LINE;
    }

    /** The operation's word in the names of figures. */
    String word() {
      return switch (this) {
        case CLOSING -> "close";
        case VERIFICATION -> "verify";
        case PAGE -> "page";
        case LINE -> "line";
      };
    }
  }
}
