package palmares.settlement.closing;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the steps of one run, and their slices, have done. Threads of the run count, and
 * {@link Runs} stores the counts.
 */
final class RunProgress {
  /** The slice of what is counted of a whole step. */
  private static final String WHOLE_STEP = "";

  private final long run;
  private final Clock clock;
  private final List<Part> parts = new CopyOnWriteArrayList<>();
  private volatile @Nullable Part step;

  private RunProgress(long run, Clock clock) {
    this.run = run;
    this.clock = clock;
  }

  static RunProgress of(long run, Clock clock) {
    return new RunProgress(run, clock);
  }

  /** The progress of work that is no run, which nobody stores. */
  static RunProgress ofNoRun() {
    return new RunProgress(0, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
  }

  /** The number of the run; 0 if it is none. */
  long run() {
    return run;
  }

  List<Part> parts() {
    return parts;
  }

  /** Begins a step, which ends the one before. */
  void begin(String name) {
    endStep();
    step = add(name, WHOLE_STEP, "", null);
  }

  /** The step that began last. */
  Part step() {
    Part present = step;
    if (present == null) {
      throw new IllegalStateException("no step of run " + run + " has begun");
    }
    return present;
  }

  /** Ends the step, in the transaction of its effect. */
  void endStep() {
    Part present = step;
    if (present != null) {
      present.end();
    }
  }

  /**
   * Begins a slice of the step, which runs in parallel with others.
   *
   * @param unit what is counted, in the plural
   * @param total null if it is not known
   */
  Part slice(String name, String unit, @Nullable Long total) {
    return add(step().name, name, unit, total);
  }

  private Part add(String name, String slice, String unit, @Nullable Long total) {
    var part = new Part(name, slice, unit, total);
    parts.add(part);
    return part;
  }

  /** A step, or a slice of it. One thread counts, others read. */
  final class Part {
    final String name;
    final String slice;
    final Instant startedAt = clock.instant();
    volatile String unit;
    volatile @Nullable Long total;
    volatile @Nullable Instant endedAt;
    volatile long done;

    private Part(String name, String slice, String unit, @Nullable Long total) {
      this.name = name;
      this.slice = slice;
      this.unit = unit;
      this.total = total;
    }

    /** Says what is counted, and how much there is; null if that is not known. */
    void expect(String what, @Nullable Long number) {
      unit = what;
      total = number;
    }

    void reach(long number) {
      done = number;
    }

    /** Ends it, unless it has ended. */
    void end() {
      if (endedAt == null) {
        endedAt = clock.instant();
      }
    }
  }
}
