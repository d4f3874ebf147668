package palmares.platform.chart;

import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Maps values to shares of an axis.
 *
 * @param from the value at share 0
 * @param to the value at share 1; below {@code from} if the axis is reversed
 * @param text the text of any value
 */
record AxisScale(
    double from, double to, boolean logarithmic, List<Tick> ticks, DoubleFunction<String> text) {
  record Tick(double value, String label) {}

  /** The place of a value, from 0 to 1; values outside are at the nearer end. */
  double share(double value) {
    double share =
        logarithmic
            ? Math.log10(value / from) / Math.log10(to / from)
            : (value - from) / (to - from);
    return Math.min(1, Math.max(0, share));
  }

  /** Where bars begin: at 0 if the axis has it. */
  double base() {
    return logarithmic ? from : Math.min(Math.max(0, Math.min(from, to)), Math.max(from, to));
  }

  AxisScale upsideDown() {
    return new AxisScale(to, from, logarithmic, ticks, text);
  }

  AxisScale formatted(DoubleFunction<String> format) {
    return new AxisScale(
        from,
        to,
        logarithmic,
        ticks.stream().map(tick -> new Tick(tick.value(), format.apply(tick.value()))).toList(),
        format);
  }
}
