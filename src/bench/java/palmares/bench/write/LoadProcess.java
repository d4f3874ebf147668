package palmares.bench.write;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import palmares.bench.write.RedisTarget.RedisAddress;
import palmares.bench.write.WriteBench.Server;
import tools.jackson.databind.json.JsonMapper;

/** The process of the load generator. */
final class LoadProcess implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Process process;
  private final PrintStream orders;
  private final BufferedReader answers;

  private LoadProcess(Process process) {
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * @param command runs {@link LoadGenerator#run} on the standard streams
   */
  static LoadProcess start(List<String> command, Server server, RedisAddress redis)
      throws IOException {
    var loader =
        new LoadProcess(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    loader.write(server);
    loader.write(redis);
    return loader;
  }

  /**
   * Sends a volley and waits for all answers.
   *
   * @throws IOException if the process has ended; its error output says why
   */
  SendResult send(Volley volley) throws IOException {
    write(volley);
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the load generator ended before %s was sent".formatted(volley));
    }
    return JSON.readValue(answer, SendResult.class);
  }

  /** Secrets are passed this way too, because arguments are visible to other users. */
  private void write(Object order) {
    orders.println(JSON.writeValueAsString(order));
  }

  /** Ends the process. */
  @Override
  public void close() {
    orders.close();
    process.destroy();
  }
}
