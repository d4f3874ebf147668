package palmares.period;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.WorldTest;

/** The functions of the database know every state, and mean by it what {@link PeriodState} says. */
@WorldTest
class PeriodStatesTest {
  private static final Map<String, Predicate<PeriodState>> FUNCTIONS =
      Map.of(
          "is_filled", PeriodState::isFilled,
          "is_settled", PeriodState::isSettled,
          "needs_person", PeriodState::needsPerson,
          "freezes_exclusions", state -> state.isFilled() && state != PeriodState.REJECTED);

  private static final Pattern LIST_OF_STATES =
      Pattern.compile(
          "(?<!  return )\\bstate (not )?in \\('(%s)'"
              .formatted(
                  Arrays.stream(PeriodState.values())
                      .map(PeriodState::word)
                      .collect(joining("|"))));

  @Autowired private JdbcClient jdbc;

  @Test
  void theDatabaseAndJavaAgreeOnEveryState() {
    FUNCTIONS.forEach(
        (function, meaning) ->
            assertThat(PeriodState.values())
                .allSatisfy(
                    state ->
                        assertThat(
                                jdbc.sql("select %s(:state)".formatted(function))
                                    .param("state", state.word())
                                    .query(Boolean.class)
                                    .single())
                            .as("%s(%s)", function, state.word())
                            .isEqualTo(meaning.test(state))));
  }

  @Test
  void noStatementListsStatesButTheFunctions() throws IOException {
    for (Path folder :
        new Path[] {
          Path.of("src", "main", "java"),
          Path.of("src", "main", "resources", "palmares"),
          Path.of("db", "migration")
        }) {
      try (Stream<Path> files = Files.walk(folder)) {
        assertThat(
                files.filter(
                    file -> file.toString().matches(".*(\\.java|/R__\\w+\\.sql|/[a-z-]+\\.sql)")))
            .isNotEmpty()
            .allSatisfy(
                file -> assertThat(Files.readString(file)).doesNotContainPattern(LIST_OF_STATES));
      }
    }
  }
}
