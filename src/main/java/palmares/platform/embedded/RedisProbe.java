package palmares.platform.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Predicate;

/** Asks a Redis of this machine the two things needed before a real client may come. */
record RedisProbe(int port, String secret) {
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final String VERSION = "redis_version:";

  /** False while it is not listening yet or still reads its files. */
  boolean answers() {
    try {
      return ask("PING", line -> line.startsWith("+") || line.startsWith("-")).startsWith("+PONG");
    } catch (IOException e) {
      return false;
    }
  }

  String version() throws IOException {
    return ask("INFO server", line -> line.startsWith(VERSION)).substring(VERSION.length());
  }

  private String ask(String command, Predicate<String> isAnswer) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(Port.HOST, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(("AUTH " + secret + "\r\n").getBytes(US_ASCII));
      socket.getOutputStream().write((command + "\r\n").getBytes(US_ASCII));
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      answers.readLine(); // to AUTH
      return answers
          .lines()
          .filter(isAnswer)
          .findFirst()
          .orElseThrow(() -> new IOException("no answer to " + command));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
