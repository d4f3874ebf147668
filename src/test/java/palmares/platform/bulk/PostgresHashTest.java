package palmares.platform.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.WorldTest;

/** Hashes of lines that PostgreSQL has never seen are compared with those that it computes. */
@WorldTest
class PostgresHashTest {
  @Autowired private JdbcClient jdbc;

  @ParameterizedTest
  @MethodSource
  void aTextHasTheServersHash(String text) {
    LongStream.of(0, 1, -1, Long.MIN_VALUE, 1_234_567_890_123L)
        .forEach(
            seed ->
                assertThat(PostgresHash.of(text.getBytes(StandardCharsets.UTF_8), seed))
                    .as("%s, seed %d", text, seed)
                    .isEqualTo(
                        jdbc.sql("select hashtextextended(:text collate \"C\", :seed)")
                            .param("text", text)
                            .param("seed", seed)
                            .query(Long.class)
                            .single()));
  }

  /** Of every length up to two rounds, since the last bytes are read in another way. */
  static Stream<String> aTextHasTheServersHash() {
    String longest = "sorø émile 5 42|x ~ÿ";
    return Stream.concat(
        Stream.of("日本", "m-" + "0123456789".repeat(20)),
        LongStream.rangeClosed(0, longest.length())
            .mapToObj(length -> longest.substring(0, (int) length)));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        -1,
        42,
        4_294_967_296L,
        -4_294_967_297L,
        1_796_000_000_123_456L,
        Long.MAX_VALUE,
        Long.MIN_VALUE
      })
  void aNumberHasTheServersHash(long number) {
    LongStream.of(0, 1, -1, Long.MAX_VALUE)
        .forEach(
            seed ->
                assertThat(PostgresHash.of(number, seed))
                    .as("%d, seed %d", number, seed)
                    .isEqualTo(
                        jdbc.sql("select hashint8extended(:number, :seed)")
                            .param("number", number)
                            .param("seed", seed)
                            .query(Long.class)
                            .single()));
  }
}
