package palmares.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.http.MockHttpInputMessage;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Fault;
import palmares.platform.text.Texts;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import tools.jackson.databind.json.JsonMapper;

class RequestFieldsTest {
  private record Body(@Nullable List<String> members) {}

  private record Named(
      @Nullable @Takes(BoardId.class) String board,
      @Nullable @Takes(MemberId.class) String member) {}

  private record Typed(@Nullable String name, @Nullable Long count, @Nullable List<Long> ids) {}

  @Test
  void aListWithNullIsRefusedByName() {
    assertThatThrownBy(() -> RequestFields.require(new Body(Arrays.asList("ann", null))))
        .hasFieldOrPropertyWithValue("problem", Problem.INVALID_FIELD)
        .hasMessage("the field 'members' contains null: leave it out");
  }

  @Test
  void anIdIsRefusedByTheRuleOfItsKind() {
    RequestFields.require(new Named("invites", "team/ann"));
    assertThatThrownBy(() -> RequestFields.require(new Named("Team/Ann", null)))
        .hasMessageStartingWith("a board's id is 1 to 40 lower-case letters")
        .hasMessageEndingWith("not 'Team/Ann'");
    assertThatThrownBy(() -> RequestFields.require(new Named(null, "a".repeat(65))))
        .hasMessageContaining("member");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name  | []                | a text in quotes, not []",
        "count | \"seven\" | a whole number of at most 64 bits, without quotes, not \"seven\"",
        "ids | {\"a\":1} | a list of whole numbers, such as [7, 12], not {\"a\":1}"
      })
  void aValueOfAnotherTypeIsShownWithWhatTheFieldTakes(String field, String value, String said) {
    assertThat(fault("{\"%s\": %s}".formatted(field, value)))
        .isEqualTo("the field '%s' takes %s".formatted(field, said));
  }

  @Test
  void aLongValueIsShownByItsBeginning() {
    String face = "\uD83D\uDE42";
    assertThat(fault("{\"count\": \"%s\"}".formatted(("a" + face).repeat(9_000))))
        .endsWith(face + "a?…")
        .hasSizeLessThan(150);
  }

  private static String fault(String body) {
    var fields = new RequestFields(JsonMapper.shared());
    var message = new MockHttpInputMessage(body.getBytes(UTF_8));
    Refusal refused =
        catchThrowableOfType(Refusal.class, () -> fields.readInternal(Typed.class, message));
    return refused.faults().stream().map(Fault::said).map(Texts::english).findFirst().orElseThrow();
  }
}
