package palmares.settlement.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;

/** Requires that what SQL says of differences are sentences that Java declares. */
public final class SaidBySql {
  private SaidBySql() {}

  public static Findings requireDeclared(Findings findings) {
    findings.named().forEach(difference -> requireDeclared(Said.plain(difference.said())));
    return findings;
  }

  private static void requireDeclared(@Nullable Object value) {
    if (value instanceof Collection<?> all) {
      all.forEach(SaidBySql::requireDeclared);
    } else if (value instanceof Map<?, ?> said && said.get("values") instanceof Map<?, ?> values) {
      String code = String.valueOf(said.get("code"));
      if (code.startsWith("difference.")) {
        Optional<Class<?>> type =
            Arrays.stream(DifferenceSentences.class.getDeclaredClasses())
                .filter(sentence -> Sentence.code(sentence).equals(code))
                .findFirst();
        assertThat(type).as(code).isPresent();
        assertThat(values.keySet())
            .as(code)
            .map(String::valueOf)
            .containsExactlyInAnyOrder(
                Arrays.stream(type.orElseThrow().getRecordComponents())
                    .map(RecordComponent::getName)
                    .toArray(String[]::new));
      }
      values.values().forEach(SaidBySql::requireDeclared);
    }
  }
}
