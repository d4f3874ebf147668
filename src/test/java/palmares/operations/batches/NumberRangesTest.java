package palmares.operations.batches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberRangesTest {
  @Test
  void numbersAndRangesAreReadInTheirOrder() {
    assertThat(NumberRanges.parse(List.of("7", "10-12", "9-9"), 5))
        .containsExactly(7L, 10L, 11L, 12L, 9L);
  }

  /** No range is left out, and none fills the memory. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          9-7                    | the range '9-7' ends before it begins
          seven                  | 'seven' is neither a number such as 7 nor a range such as 7-12
          ""                     | '' is neither
          7-                     | '7-' is neither
          -2-9223372036854775807 | '-2-9223372036854775807' is neither
          1-999999999999999999   | more than 3 numbers
          """)
  void whatIsNoRangeIsRefused(String part, String why) {
    assertThatThrownBy(() -> NumberRanges.parse(List.of("5", part), 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          7                | 7
          7,8              | 7-8
          1,2,3,5,7,8,9    | 1-3,5,7-9
          """)
  void neighboursAreWrittenAsRanges(String numbers, String ranges) {
    List<Long> ids = NumberRanges.parse(List.of(numbers.split(",")), 10);
    assertThat(NumberRanges.format(ids)).isEqualTo(ranges);
    assertThat(NumberRanges.parse(List.of(ranges.split(",")), 10)).isEqualTo(ids);
  }
}
