package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.ResourceBundleMessageSource;

/** What is stored as data is read in the language of a page. */
class TranslationsTest {
  private static Translations in(Locale locale) {
    var messages = new ResourceBundleMessageSource();
    messages.setBasename("palmares.console.messages");
    messages.setDefaultEncoding("UTF-8");
    messages.setFallbackToSystemLocale(false);
    return new Translations(messages, new Show(locale, Instant.EPOCH));
  }

  @Test
  void theDetailsOfAnAuditEntryAreInTheLanguageOfThePage() {
    var sums = List.of(Map.of("currency", "credits"), Map.of("gets", 15_440));
    assertThat(in(Locale.ENGLISH).detailName("digest")).isEqualTo("digest of what was shown");
    assertThat(in(Locale.ENGLISH).detailValue(sums))
        .isEqualTo("currency credits; members get 15,440");
    assertThat(in(Locale.ENGLISH).detailValue(List.of("admin", "viewer")))
        .isEqualTo("admin, viewer");
    assertThat(in(Locale.CHINESE).detailName("digest")).isEqualTo("所示内容的摘要");
    assertThat(in(Locale.CHINESE).detailValue(sums)).isEqualTo("币种 credits；成员应得 15,440");
  }

  @Test
  void aSentenceInTheDetailsIsInTheLanguageOfThePage() {
    var said = Map.of("code", "verdict.counted", "values", Map.of(), "text", "counted");
    var settled = Map.of("code", "closing.settled", "values", Map.of("period", "race 1"));
    assertThat(in(Locale.ENGLISH).detailValue(List.of(settled))).isEqualTo("race 1 is settled");
    assertThat(in(Locale.CHINESE).detailValue(settled)).contains("race 1").doesNotContain("is");
    assertThat(in(Locale.ENGLISH).detailValue(said)).isEqualTo("counted");
  }
}
