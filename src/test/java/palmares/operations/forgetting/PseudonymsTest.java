package palmares.operations.forgetting;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PseudonymsTest {
  @ParameterizedTest
  @CsvSource({",", "a,", ",b", "n1,n9", "n1,n2", "ann,anna", "zz,", ",0", "forgotten,forgotten0"})
  void aPseudonymLiesBetweenItsNeighbours(@Nullable String above, @Nullable String below) {
    String found = Pseudonyms.between(above, below).orElseThrow().value();
    assertThat(above == null || above.compareTo(found) < 0).as(found).isTrue();
    assertThat(below == null || found.compareTo(below) < 0).as(found).isTrue();
  }
}
