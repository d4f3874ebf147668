package palmares.settlement.verification;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import palmares.settlement.outcome.OutcomeTables;

class CheckTest {
  /** The compiler does not read SQL: a kind that it does not know would derive no award. */
  @ParameterizedTest
  @EnumSource
  void theStatementThatDerivesAwardsKnowsEveryKindOfRule(RuleParameters.Kind kind) {
    assertThat(Check.PAYMENTS_FROM_RULES.sql(OutcomeTables.ALL)).contains("'" + kind.word() + "'");
  }

  @Test
  void everyFileIsACheckAndSaysWhatItProves() throws IOException {
    Path folder = Path.of("src/main/resources/palmares/settlement/verification");
    try (Stream<Path> files = Files.list(folder).filter(Files::isRegularFile)) {
      assertThat(files.toList())
          .allSatisfy(
              file -> assertThat(file).content().startsWith("-- Proves ").contains("\n-- A row: "))
          .extracting(file -> String.valueOf(file.getFileName()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(Check.values())
                  .filter(check -> check != Check.DECISIONS_FROM_RULES) // a closing has it, too
                  .map(Check::file)
                  .collect(toSet()));
    }
  }
}
