package palmares.platform.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** A sentence is its code and values, in this process, stored and from another one. */
class TextsTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  interface SampleSentences {
    record Closed(String period, long members, List<String> boards) implements Sentence {}
  }

  private static final Sentence SAID =
      new SampleSentences.Closed("invites 2026-W43", 1_200, List.of("a", "b"));

  @Test
  void aCodeIsTheNameOfTheFamilyAndOfTheSentence() {
    assertThat(SAID.code()).isEqualTo("sample.closed");
    assertThat(SAID.values())
        .containsExactly(
            Map.entry("period", "invites 2026-W43"),
            Map.entry("members", 1_200L),
            Map.entry("boards", List.of("a", "b")));
  }

  @Test
  void whatWasStoredSaysTheSame() {
    Sentence queued = new Said("task.queued", Map.of("ahead", 2_000), "old");
    Sentence stored = JSON.readValue(JSON.writeValueAsString(queued), Sentence.class);
    assertThat(Texts.english(stored)).isEqualTo("waiting behind 2,000 tasks");
    assertThat(Texts.in(Locale.CHINESE).of(stored)).isEqualTo("排在 2,000 个任务之后");
    assertThat(Texts.in(Locale.CHINA).of(stored)).isEqualTo("排在 2,000 个任务之后");
    assertThat(Texts.in(Locale.GERMAN).of(stored)).isEqualTo("waiting behind 2,000 tasks");
  }

  /** PostgreSQL stores no NUL; a text may spell one, as a terminal is shown it. */
  @Test
  void whatIsStoredHasNoNulAndKeepsABackslash() {
    String typed = "a\0b \\u0000 \\\0 c";
    Sentence stored = Said.fromJson(Said.toJson(Sentence.verbatim(typed)));
    assertThat(Said.toJson(Sentence.verbatim("\0"))).doesNotContain("u0000");
    assertThat(Texts.english(Objects.requireNonNull(stored))).isEqualTo("ab \\u0000 \\ c");
  }

  @Test
  void oneThingIsSingular() {
    assertThat(Texts.english(new Said("task.queued", Map.of("ahead", 1), "")))
        .isEqualTo("waiting behind 1 task");
  }

  @Test
  void moneyIsDataInASentenceAndATextInWhatItSays() {
    Object withheld = Said.plain(List.of(Money.of("credits", 1_000), Money.of("gems", 80)));
    assertThat(withheld)
        .isEqualTo(
            List.of(
                Map.of("currency", "credits", "amount", BigDecimal.valueOf(1_000)),
                Map.of("currency", "gems", "amount", BigDecimal.valueOf(80))));
    Sentence preview =
        new Said("preview.withheld", Map.of("withheld", Objects.requireNonNull(withheld)), "");
    assertThat(Texts.english(preview)).startsWith("1,000 credits, 80 gems withheld:");
    Sentence stored = Said.fromJson(Said.toJson(preview));
    assertThat(Texts.english(Objects.requireNonNull(stored))).startsWith("1,000 credits, 80 gems");
  }

  @Test
  void aSentenceOfANewerServerIsItsText() {
    Sentence unknown = new Said("from.the-future", Map.of("x", 1), "as the server said it");
    assertThat(Texts.english(unknown)).isEqualTo("as the server said it");
    assertThat(Texts.english(JSON.readValue(JSON.writeValueAsString(unknown), Sentence.class)))
        .isEqualTo("as the server said it");
  }

  @Test
  void aTextOfAPersonStaysAsItIsAlsoInsideAnother() {
    Sentence typed = Sentence.verbatim("{members} 'palmares'");
    assertThat(Texts.english(typed)).isEqualTo("{members} 'palmares'");
    assertThat(Texts.in(Locale.CHINESE).whole(typed)).isEqualTo("{members} 'palmares'");
    Sentence around = new Said("http.send-again", Map.of("said", Said.plain(typed)), "");
    assertThat(Texts.english(around)).startsWith("{members} 'palmares': send the request again");
  }

  @Test
  void amountsHaveAllOfTheirDecimals() {
    Sentence unusual =
        new Said(
            "hold.unusual",
            Map.of(
                "amount",
                new BigDecimal("9007199254740993"),
                "currency",
                "credits",
                "usual",
                new BigDecimal("150.5"),
                "factor",
                3),
            "");
    assertThat(Texts.english(unusual))
        .isEqualTo(
            "9,007,199,254,740,993 credits are far from the usual 150.5, by a factor of 3 or more");
  }

  @Test
  void aWholeSentenceEndsWithOneFullStopOfItsLanguage() {
    Sentence unpaid = new Said("explanation.no-payout", Map.of(), "");
    assertThat(Texts.in(Locale.CHINESE).whole(unpaid)).isEqualTo("该榜单不发放奖励。");
    Sentence ended = new Said("list.all", Map.of("all", List.of("a", "b.")), "");
    assertThat(Texts.in(Locale.ENGLISH).whole(ended)).isEqualTo("a, b.");
  }

  @Test
  void aWholeSentenceBeginsWithACapitalUnlessItBeginsWithAValue() {
    assertThat(Texts.in(Locale.ENGLISH).whole(new Said("task.queued", Map.of("ahead", 1), "")))
        .isEqualTo("Waiting behind 1 task.");
    assertThat(
            Texts.in(Locale.ENGLISH)
                .whole(new Said("approval.another-person", Map.of("by", "ann"), "")))
        .isEqualTo("ann approved it; another person must approve it too.");
  }
}
