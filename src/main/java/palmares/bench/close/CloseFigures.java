package palmares.bench.close;

import java.util.List;
import palmares.bench.Figures;

/** What the runs have read, in words and in order. */
final class CloseFigures {
  private static final List<Told> TOLD =
      List.of(
          new Told("close_seconds", "closing", "s"),
          new Told("close_members_per_second", "members closed", "a second"),
          new Told("begin_seconds", "  before its first step", "s"),
          new Told("seal_seconds", "  seal", "s"),
          new Told("drain_seconds", "  drain", "s"),
          new Told("snapshot_seconds", "  snapshot", "s"),
          new Told("reconcile_seconds", "  reconcile", "s"),
          new Told("rank_seconds", "  rank", "s"),
          new Told("award_seconds", "  award", "s"),
          new Told("pay_seconds", "  pay", "s"),
          new Told("publish_seconds", "  publish", "s"),
          new Told("expire_seconds", "  expire", "s"),
          new Told("fixed_seconds", "closing of an empty board", "s"));

  private final Figures figures = new Figures();
  private final boolean several;

  /**
   * @param several whether there are several sizes, so that names say which
   */
  CloseFigures(boolean several) {
    this.several = several;
  }

  private record Told(String name, String label, String unit) {}

  /** Adds what the runs of one size have read: of each figure the median. */
  void add(long members, List<Readings> runs) {
    Readings medians = Readings.medians(runs);
    String suffix = several ? "_" + members : "";
    String size = several ? ", %,d members".formatted(members) : "";
    for (Told told : TOLD) {
      if (medians.has(told.name())) {
        figures.tell(
            told.name() + suffix, told.label() + size, medians.get(told.name()), told.unit());
      }
    }
  }

  Figures all() {
    return figures;
  }
}
