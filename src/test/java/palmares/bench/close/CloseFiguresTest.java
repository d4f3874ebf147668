package palmares.bench.close;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palmares.bench.WrongResult;

class CloseFiguresTest {

  @Test
  void figuresAreMediansAndTheFirstClosingIsListedSeparately() {
    var figures = new CloseFigures(List.of(1_000L));
    figures.add(1_000, List.of(read(9, 2), read(3, 2), read(4, 2)));
    assertThat(figures.all().values())
        .containsAllEntriesOf(
            Map.of(
                "close_seconds", 4.0,
                "close_over_floor", 2.0,
                "first_close_seconds", 9.0,
                "first_close_over_floor", 4.5,
                "fixed_percent", 25.0))
        .doesNotContainKeys("usual_over_close", "ten_over_one");
  }

  @Test
  void figuresOfSeveralSizesAreNamedBySizeAndShowGrowth() {
    var figures = new CloseFigures(List.of(10L, 100L, 1_000L));
    figures.add(10, List.of(read(1, 1)));
    figures.add(100, List.of(read(9, 1)));
    figures.add(1_000, List.of(read(99, 1)));
    assertThat(figures.all().values())
        .containsEntry("close_over_floor_100", 9.0)
        .containsEntry("ten_over_one_10", 9.0)
        .containsEntry("ten_over_one", 11.0)
        .doesNotContainKey("close_over_floor");
  }

  @Test
  void differentTotalsAreAnError() {
    var closing = new ClosingTotals(10, 12, 500);
    closing.requireSame("the floor", closing);
    assertThatThrownBy(() -> new ClosingTotals(10, 12, 501).requireSame("the floor", closing))
        .isInstanceOf(WrongResult.class)
        .hasMessageContaining("the floor has")
        .hasMessageContaining("501");
  }

  private static Readings read(double close, double floor) {
    var readings = new Readings();
    readings.note("close_seconds", close);
    readings.note("floor_seconds", floor);
    readings.note("fixed_seconds", 1);
    return readings;
  }
}
