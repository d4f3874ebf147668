package palmares.live.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.ReturnType;
import palmares.testing.Servers;
import palmares.testing.WorldTest;

/** Scripts decode the values that MessagePack encodes. */
@WorldTest
class MessagePackTest {
  private static final String LAST_OF_THREE =
      "local a, b, c = cmsgpack.unpack(ARGV[1]) return tostring(a) .. ' ' .. c .. ' ' .. type(b)";

  @Autowired private Servers servers;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 255, 256, 300, 65_535})
  void textsOfAnyLengthAreDecoded(int length) {
    String text = "\u00E9".repeat(length / 2) + "x".repeat(length % 2);
    assertThat(read(new MessagePack().text(null).number(5L).text(text)))
        .isEqualTo("false " + text + " number");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 127, 128, 255, 65_536, 9_007_199_254_740_991L, -1, -200})
  void wholeNumbersAreDecoded(long number) {
    String script = "return string.format('%d', (cmsgpack.unpack(ARGV[1])))";
    assertThat(read(script, new MessagePack().number(number))).isEqualTo(Long.toString(number));
  }

  @Test
  void anArrayIsDecodedAsATable() {
    assertThat(read(new MessagePack().number(null).array(2).text("a").number(2L).text("behind it")))
        .isEqualTo("false behind it table");
  }

  @Test
  void valuesThatAreTooLongAreRefused() {
    assertThatThrownBy(() -> new MessagePack().array(16))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MessagePack().text("x".repeat(65_536)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private String read(MessagePack values) {
    return read(LAST_OF_THREE, values);
  }

  private String read(String script, MessagePack values) {
    byte[] answer =
        servers.redis(
            connection ->
                connection
                    .scriptingCommands()
                    .eval(
                        script.getBytes(StandardCharsets.UTF_8),
                        ReturnType.VALUE,
                        0,
                        values.bytes()));
    return new String(answer, StandardCharsets.UTF_8);
  }
}
