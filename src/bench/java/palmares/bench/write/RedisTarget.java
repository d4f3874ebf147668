package palmares.bench.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** Redis, in which the points of each deed are added to its member's by a bare ZINCRBY. */
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
    for (Deed deed : volley.deeds(number)) {
      pipeline.append(
          command("ZINCRBY", volley.path(), Integer.toString(deed.points()), deed.member()));
    }
    return ByteBuffer.wrap(pipeline.toString().getBytes(UTF_8));
  }

  /** Of texts in ASCII. */
  private static String command(String... words) {
    var command = new StringBuilder("*").append(words.length).append("\r\n");
    for (String word : words) {
      command.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return command.toString();
  }
}
