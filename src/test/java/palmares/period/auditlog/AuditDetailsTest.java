package palmares.period.auditlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class AuditDetailsTest {
  /** A name that is not known has no text on the page of the audit log. */
  @Test
  void aNameThatIsNotKnownFailsATest() {
    assertThatThrownBy(() -> AuditDetails.NONE.with("nowhere", null))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("'nowhere'");
  }

  @Test
  void detailsOfOthersAreAddedBehindItsOwn() {
    AuditDetails own = AuditDetails.NONE.with("digest", "5e6f7a8b");
    AuditDetails others = AuditDetails.NONE.with("ties", "each").with("roles", List.of());
    assertThat(own.with(others)).hasToString("{\"digest\":\"5e6f7a8b\",\"ties\":\"each\"}");
  }
}
