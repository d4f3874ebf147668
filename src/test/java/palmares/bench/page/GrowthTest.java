package palmares.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GrowthTest {
  private static final double CLOSE = 1e-9;

  @Test
  void aPowerIsRecognizedByItsExponent() {
    for (double power : new double[] {0, 0.5, 1, 1.7}) {
      var values = new TreeMap<Long, Double>();
      for (long members = 10; members <= 1_000_000; members *= 10) {
        values.put(members, 3 * Math.pow(members, power));
      }
      assertThat(new Growth(values).exponent().orElseThrow()).isCloseTo(power, within(CLOSE));
    }
  }

  @Test
  void oneSizeHasNoExponent() {
    assertThat(new Growth(new TreeMap<>(Map.of(10L, 1.0))).exponent()).isEmpty();
  }

  @Test
  void extrapolationIsAtLeastProportional() {
    var slow = new Growth(new TreeMap<>(Map.of(10L, 1.0, 100L, 2.0)));
    assertThat(slow.at(1_000)).isCloseTo(20, within(CLOSE));
    var fast = new Growth(new TreeMap<>(Map.of(10L, 1.0, 100L, 100.0)));
    assertThat(fast.at(1_000)).isCloseTo(10_000, within(CLOSE));
  }
}
