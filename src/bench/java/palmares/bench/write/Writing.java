package palmares.bench.write;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.Measured;

/** What came out of all ways, run by run. */
public final class Writing {
  private final Map<String, List<Measurement>> measured;
  private final EventBytes bytes;

  Writing(Map<String, List<Measurement>> measured, EventBytes bytes) {
    this.measured = measured;
    this.bytes = bytes;
  }

  /**
   * The ratios, each the median of what it was in the runs, and what they are made of; asks the
   * servers that were written to.
   */
  public Figures figures() {
    var figures =
        new Figures()
            .hold(
                "single_over_empty",
                "single events / an empty endpoint",
                ratio("single", "empty"),
                Aim.atLeast(0.5))
            .hold(
                "batch_over_bare",
                "batches / bare ZINCRBY, pipelined alike",
                ratio("batch", "bare"),
                Aim.atLeast(0.5))
            .hold(
                "batch_over_raw",
                "batches / the script, pipelined",
                ratio("batch", "pipelined"),
                Aim.atLeast(0.6))
            .hold(
                "batch_over_lock",
                "batches / a lock for each member",
                ratio("batch", "lock"),
                Aim.atLeast(10))
            .tell(
                "events_over_lock",
                "single events / a lock for each member",
                ratio("single", "lock"),
                "")
            .tell(
                "events_over_board_lock",
                "single events / a lock for the board",
                ratio("single", "board_lock"),
                "");
    tell(figures, "single", "single events");
    tell(figures, "empty", "an empty endpoint");
    tell(figures, "batch", "batches");
    tell(figures, "raw", "the script, one by one");
    tell(figures, "pipelined", "the script, pipelined");
    tell(figures, "bare", "bare ZINCRBY");
    tell(figures, "lock", "a lock for each member");
    tell(figures, "board_lock", "a lock for the board");
    bytes.tell(figures);
    return figures;
  }

  private void tell(Figures figures, String way, String label) {
    Measurement.tell(figures, way, label, runs(way));
  }

  private double ratio(String way, String other) {
    return Measured.median(
        IntStream.range(0, runs(way).size())
            .mapToObj(run -> runs(way).get(run).perSecond() / runs(other).get(run).perSecond())
            .toList());
  }

  private List<Measurement> runs(String way) {
    return Objects.requireNonNull(measured.get(way));
  }
}
