package palmares.bench.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import palmares.bench.write.Target.Answer;
import palmares.bench.write.Target.Connection;
import palmares.bench.write.Volley.CoinEvent;

/** Sends a bare ZINCRBY to Redis for each event. */
record RedisTarget(RedisAddress redis) implements Target {
  private static final String OK = "+OK\r\n";

  @Override
  public Connection connect(Selector selector) throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(redis.host(), redis.port()));
    if (redis.password().isPresent()) {
      require(channel, command("AUTH", redis.password().get()));
    }
    require(channel, command("SELECT", Integer.toString(redis.database())));
    return Connection.of(channel, selector, new BulkAnswers());
  }

  private static void require(SocketChannel channel, String command) throws IOException {
    ByteBuffer request = ByteBuffer.wrap(command.getBytes(UTF_8));
    while (request.hasRemaining()) {
      channel.write(request);
    }
    ByteBuffer answer = ByteBuffer.allocate(OK.length());
    while (answer.hasRemaining() && channel.read(answer) >= 0) {}
    String said = new String(answer.array(), ISO_8859_1);
    if (!said.equals(OK)) {
      throw new IOException("Redis refused a connection: " + said);
    }
  }

  @Override
  public ByteBuffer request(Volley volley, int number) {
    var pipeline = new StringBuilder();
    for (CoinEvent event : volley.eventsOf(number)) {
      pipeline.append(
          command("ZINCRBY", volley.path(), Integer.toString(event.points()), event.member()));
    }
    return ByteBuffer.wrap(pipeline.toString().getBytes(UTF_8));
  }

  /** Encodes a command whose words are ASCII. */
  private static String command(String... words) {
    var command = new StringBuilder("*").append(words.length).append("\r\n");
    for (String word : words) {
      command.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return command.toString();
  }

  /** The address of the application's Redis. */
  record RedisAddress(String host, int port, int database, Optional<String> password) {

    /**
     * @throws IllegalArgumentException if Redis is a cluster or uses sentinels
     */
    static RedisAddress of(LettuceConnectionFactory connections) {
      if (connections.isClusterAware() || connections.isRedisSentinelAware()) {
        throw new IllegalArgumentException(
            "writing is measured on one Redis: name it in spring.data.redis.host");
      }
      RedisStandaloneConfiguration one = connections.getStandaloneConfiguration();
      return new RedisAddress(
          one.getHostName(),
          one.getPort(),
          one.getDatabase(),
          one.getPassword().toOptional().map(String::new));
    }

    RedisURI uri() {
      RedisURI.Builder uri =
          RedisURI.builder().withHost(host).withPort(port).withDatabase(database);
      password.ifPresent(secret -> uri.withPassword(secret.toCharArray()));
      return uri.build();
    }

    /** As {@code redis://host:port}. */
    String url() {
      return "redis://" + host + ":" + port;
    }
  }

  /** Reads the answers to a pipeline of commands that each return a bulk string. */
  static final class BulkAnswers implements Answer {
    /** A line with the length, and a line with the text. */
    private static final int LINES_PER_ANSWER = 2;

    private int remaining;
    private boolean lineBegins = true;

    @Override
    public void begin(int events) {
      remaining = events * LINES_PER_ANSWER;
    }

    @Override
    public boolean take(ByteBuffer in) throws IOException {
      while (in.hasRemaining()) {
        byte next = in.get();
        if (lineBegins && next == '-') {
          var error = new byte[in.remaining()];
          in.get(error);
          throw new IOException("Redis answered: " + new String(error, ISO_8859_1));
        }
        lineBegins = next == '\n';
        remaining -= lineBegins ? 1 : 0;
      }
      return remaining == 0;
    }
  }
}
