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
import palmares.bench.Measured;
import palmares.bench.gauge.LockGauge.Most;

/** What was read at each length of the history: of time and rows the medians. */
final class HistoryFigures {
  /** Growth is held from this length on: below it, tables are smaller than plans assume. */
  private static final int SETTLED_LENGTH = 10;

  /** By how much a figure may grow: medians of a few runs vary by as much. */
  private static final double FLAT = 1.5;

  private static final double MEGABYTE = 1 << 20;
  private static final double MILLIS = 1e3;

  private final SortedMap<Integer, Length> lengths = new TreeMap<>();

  /**
   * What an act took once.
   *
   * @param rowsByName the rows and the entries of indexes that it read, by table or index
   */
  record Work(double seconds, Map<String, Long> rowsByName) {
    long rows() {
      return rowsByName.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Where it read the most. */
    String most() {
      return rowsByName.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(3)
          .map(read -> "%s %d".formatted(read.getKey(), read.getValue()))
          .collect(Collectors.joining(", "));
    }
  }

  /**
   * Bytes.
   *
   * @param fresh the largest session, of those that know the last few periods only
   * @param old the largest session before, which had seen more of the history
   * @param catalog on PostgreSQL's disk
   */
  record Memory(long fresh, long old, long catalog) {}

  /** What was read at one length. */
  private static final class Length {
    private final Map<Act, List<Work>> work = new EnumMap<>(Act.class);
    private final Map<Act, Most> locks = new EnumMap<>(Act.class);
    private Memory memory = new Memory(0, 0, 0);

    double median(Act act, ToDoubleFunction<Work> of) {
      return Measured.median(
          work.getOrDefault(act, List.of()).stream().map(of::applyAsDouble).toList());
    }

    double millis(Act act) {
      return median(act, one -> one.seconds() * MILLIS);
    }

    double rows(Act act) {
      return median(act, Work::rows);
    }

    Most locks(Act act) {
      return Objects.requireNonNull(locks.get(act), act::label);
    }
  }

  /** What grows or does not: of a length and an act. */
  private interface Value {
    double of(Length length, Act act);
  }

  void add(int length, Act act, Work work) {
    at(length).work.computeIfAbsent(act, none -> new ArrayList<>()).add(work);
  }

  void add(int length, Act act, Most locks) {
    at(length).locks.put(act, locks);
  }

  void add(int length, Memory memory) {
    at(length).memory = memory;
  }

  private Length at(int length) {
    return lengths.computeIfAbsent(length, none -> new Length());
  }

  /** What was read at that length, in lines. */
  List<String> words(int length) {
    Length read = at(length);
    var words = new ArrayList<String>();
    for (Act act : Act.values()) {
      Most locks = read.locks(act);
      words.add(
          String.format(
              Locale.ROOT,
              "at %,d periods, %s: %.1f ms, %d locks, %d waiting, %,.0f rows (%s); %s",
              length,
              act.label(),
              read.millis(act),
              locks.held(),
              locks.waiting(),
              read.rows(act),
              read.work.getOrDefault(act, List.of()).get(0).most(),
              locks.statement().replaceAll("\\s+", " ").strip()));
    }
    return words;
  }

  Figures all() {
    var figures = new Figures();
    hold(figures, "history_time_growth", "time", Length::millis);
    hold(figures, "history_locks_growth", "locks", (length, act) -> length.locks(act).held());
    hold(figures, "history_rows_growth", "rows read", Length::rows);
    hold(figures, "history_memory_growth", "memory", (length, act) -> length.memory.fresh());
    figures.hold(
        "history_waits",
        "locks that were waited for",
        lengths.values().stream()
            .flatMap(length -> length.locks.values().stream())
            .mapToLong(Most::waiting)
            .max()
            .orElse(0),
        Aim.atMost(0));
    lengths.forEach((length, read) -> tell(figures, length, read));
    return figures;
  }

  /** The worst of all acts. */
  private void hold(Figures figures, String name, String what, Value value) {
    Length first = lengths.getOrDefault(SETTLED_LENGTH, at(lengths.firstKey()));
    Length last = at(lengths.lastKey());
    double worst = 0;
    for (Act act : Act.values()) {
      worst = Math.max(worst, value.of(last, act) / Math.max(1, value.of(first, act)));
    }
    figures.hold(
        name,
        "%s, %,d periods / %,d".formatted(what, lengths.lastKey(), SETTLED_LENGTH),
        worst,
        Aim.atMost(FLAT));
  }

  private static void tell(Figures figures, int length, Length read) {
    for (Act act : Act.values()) {
      String name = "history_" + act.word();
      String label = "%s, %,d periods".formatted(act.label(), length);
      figures.tell(name + "_ms_" + length, label, read.millis(act), "ms");
      figures.tell(name + "_locks_" + length, "  locks at one time", read.locks(act).held(), "");
      figures.tell(name + "_rows_" + length, "  rows read", read.rows(act), "");
    }
    Memory memory = read.memory;
    megabytes(figures, "history_memory_mb_" + length, "memory of a new session", memory.fresh());
    megabytes(figures, "history_old_memory_mb_" + length, "  of an old one", memory.old());
    megabytes(figures, "history_catalog_mb_" + length, "PostgreSQL's catalog", memory.catalog());
  }

  private static void megabytes(Figures figures, String name, String label, long bytes) {
    figures.tell(name, label, bytes / MEGABYTE, "MB");
  }
}
