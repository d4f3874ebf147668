package palmares.platform.text;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Requires that what SQL says has a text by its values; SQL declares no records. */
public final class SaidBySql {
  /** The codes of the families that SQL says. */
  static final String CODE = "(?:difference|rule-decision|period-note)\\.[a-z0-9-]+";

  private static final Pattern TIME = Pattern.compile("\\d{4,}-\\d\\d-\\d\\dT\\d\\d:.*");

  private SaidBySql() {}

  public static <S extends Sentence> S requireText(S said) {
    requireTexts(Said.plain(said));
    return said;
  }

  /** What SQL says, in English on one line. */
  public static String text(List<Sentence> said) {
    said.forEach(SaidBySql::requireText);
    return Texts.in(Locale.ENGLISH).list(said);
  }

  private static void requireTexts(@Nullable Object value) {
    if (value instanceof Collection<?> all) {
      all.forEach(SaidBySql::requireTexts);
    } else if (value instanceof Map<?, ?> said && said.get("values") instanceof Map<?, ?> values) {
      String code = String.valueOf(said.get("code"));
      if (code.matches(CODE)) {
        SentencesTest.LANGUAGES.forEach(texts -> requireText(code, values, texts.get(code)));
      }
      values.values().forEach(SaidBySql::requireTexts);
    }
  }

  private static void requireText(String code, Map<?, ?> values, @Nullable String text) {
    assertThat(text).as(code).isNotNull();
    Map<String, Set<String>> kinds =
        SentencesTest.values(requireNonNull(text)).stream()
            .collect(
                Collectors.groupingBy(
                    value -> value.group(1),
                    Collectors.mapping(SaidBySql::kind, Collectors.toSet())));
    assertThat(kinds.keySet()).as(code).isEqualTo(values.keySet());
    values.forEach(
        (name, value) -> {
          if (TIME.matcher(String.valueOf(value)).matches()) {
            assertThat(List.of("time", "exact-time")).as(code).containsAll(kinds.get(name));
          }
        });
  }

  private static String kind(MatchResult value) {
    return String.valueOf(value.group(2));
  }
}
