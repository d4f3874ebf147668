package palmares.platform.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTextTest {
  @Test
  void controlAndFormattingCharactersAreEscaped() {
    assertThat(TerminalText.of("a\u001b[2Jb\n\u0000\u202Ec"))
        .isEqualTo("a\\u001b[2Jb\\u000a\\u0000\\u202ec");
  }

  @Test
  void namesInAnyScriptAreKept() {
    assertThat(TerminalText.of("Ada 李 \uD83D\uDE00 é")).isEqualTo("Ada 李 \uD83D\uDE00 é");
  }

  @Test
  void anUnpairedSurrogateIsEscaped() {
    assertThat(TerminalText.of("x\uD83Dy")).isEqualTo("x\\ud83dy");
  }
}
