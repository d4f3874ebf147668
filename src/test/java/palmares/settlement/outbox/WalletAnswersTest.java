package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palmares.platform.text.Texts;

class WalletAnswersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                     | it has no list of outcomes | 其中没有 outcomes 列表",
        "{\"outcomes\":[{\"a\":1}]} | one of its outcomes has other fields: {\"a\":1}"
            + " | 其中一个 outcome 的字段不对：{\"a\":1}"
      })
  void whatCannotBeReadIsSaidInTheLanguageOfTheReader(
      String answer, String english, String chinese) {
    var fault =
        Objects.requireNonNull(WalletAnswers.read(200, answer.getBytes(UTF_8), 100).fault());
    assertThat(Texts.english(fault)).endsWith(": " + english);
    assertThat(Texts.in(Locale.CHINESE).of(fault)).endsWith("：" + chinese);
  }
}
