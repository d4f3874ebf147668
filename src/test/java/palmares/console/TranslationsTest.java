package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    assertThat(in(Locale.ENGLISH).detail("digest", "5e6f")).isEqualTo("digest: 5e6f");
    assertThat(in(Locale.ENGLISH).detail("sums", sums))
        .isEqualTo("sums: currency credits; members get 15,440");
    assertThat(in(Locale.ENGLISH).detail("roles", List.of("admin", "viewer")))
        .isEqualTo("roles: admin, viewer");
    assertThat(in(Locale.CHINESE).detail("digest", "5e6f")).isEqualTo("摘要: 5e6f");
    assertThat(in(Locale.CHINESE).detail("sums", sums)).isEqualTo("合计: 币种 credits；成员应得 15,440");
  }

  @Test
  void thePartsOfABudgetAreNotTakenForColumnsOfTheirNames() {
    var budget = new LinkedHashMap<String, Object>();
    budget.put("period", 1500);
    budget.put("others", 300);
    budget.put("month", 4000);
    assertThat(in(Locale.ENGLISH).detail("budgets", List.of(budget)))
        .isEqualTo(
            "budgets: budget of the period 1,500, other periods of the month 300,"
                + " budget of the month 4,000");
    assertThat(in(Locale.CHINESE).detail("budgets", List.of(budget)))
        .isEqualTo("预算: 周期预算 1,500、当月其他周期 300、月度预算 4,000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          before   | failed   | before: failed         | 此前: 失败
          kind     | twice    | kind: credited twice   | 类型: 重复入账
          validFor | PT720H   | valid for: 30 d 0 h    | 有效期: 30 天 0 小时
          since    | 2        | since revision: 2      | 自修订版: 2
          lateEvent| PTA-7    | late event: PTA-7      | 迟到事件: PTA-7
          """)
  void aWordOfADetailIsInTheLanguageOfThePage(
      String name, String value, String english, String chinese) {
    assertThat(in(Locale.ENGLISH).detail(name, value)).isEqualTo(english);
    assertThat(in(Locale.CHINESE).detail(name, value)).isEqualTo(chinese);
  }

  @Test
  void aDetailThatOnlySaysYesIsItsName() {
    assertThat(in(Locale.ENGLISH).detail("acceptLoss", true)).isEqualTo("accepts the loss");
  }

  @Test
  void aSentenceInTheDetailsIsInTheLanguageOfThePage() {
    var said = Map.of("code", "verdict.counted", "values", Map.of(), "text", "counted");
    var settled = Map.of("code", "closing.settled", "values", Map.of("period", "race 1"));
    assertThat(in(Locale.ENGLISH).detail("byRules", List.of(settled)))
        .isEqualTo("by the rules: race 1 is settled");
    assertThat(in(Locale.CHINESE).detail("byRules", settled))
        .contains("race 1")
        .doesNotContain("is");
    assertThat(in(Locale.ENGLISH).detail("byRules", said)).isEqualTo("by the rules: counted");
  }
}
