package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import palmares.platform.Problem;

class RequestFieldsTest {
  private record Body(@Nullable List<String> members) {}

  @Test
  void aListWithNullIsRefusedByName() {
    assertThatThrownBy(() -> RequestFields.require(new Body(Arrays.asList("ann", null))))
        .hasFieldOrPropertyWithValue("problem", Problem.INVALID_FIELD)
        .hasMessage("the field 'members' contains null: leave it out");
  }
}
