package palmares.live.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The mask and hash of external ids, and generated invite codes. */
class ExternalIdTest {
  private static final byte[] KEY = {1, 2, 3};

  @ParameterizedTest
  @CsvSource({"+8613800138000, ***000", "1234567890123456, ***3456", "abcd, ***d", "abc, ***"})
  void theMaskShowsAtMostAQuarter(String id, String mask) {
    assertThat(new ExternalId(id)).hasToString(mask);
  }

  @Test
  void theHashDependsOnIdAndKey() {
    var id = new ExternalId("+8613800138000");
    assertThat(id.hash(KEY)).hasSize(64).isEqualTo(new ExternalId("+8613800138000").hash(KEY));
    assertThat(id.hash(KEY)).isNotEqualTo(new ExternalId("+8613800138001").hash(KEY));
    assertThat(id.hash(KEY)).isNotEqualTo(id.hash(new byte[] {1, 2, 4}));
  }

  @Test
  void inviteCodesContainNoAmbiguousCharacters() {
    var random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(InviteCode.random(random).value()).hasSize(8).doesNotContainPattern("[01ILOU]");
    }
  }
}
