package palmares.bench.write;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** What requests are sent to. */
interface Target {
  /** A new connection, ready for requests. */
  Connection connect(Selector selector) throws IOException;

  /** Request {@code number} of a volley, as it goes over the wire. */
  ByteBuffer request(Volley volley, int number);

  /** One client's connection, which is kept, and on which one request is under way at a time. */
  static final class Connection implements AutoCloseable {
    private static final int ROOM = 64 << 10;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Answer answer;
    private final ByteBuffer in = ByteBuffer.allocateDirect(ROOM);
    private ByteBuffer out = ByteBuffer.allocate(0);

    private int number;
    private long sentAt;

    private Connection(SocketChannel channel, Selector selector, Answer answer) throws IOException {
      this.channel = channel;
      this.answer = answer;
      this.key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /**
     * @param channel connected, and blocking so far
     */
    static Connection of(SocketChannel channel, Selector selector, Answer answer)
        throws IOException {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      return new Connection(channel, selector, answer);
    }

    /** Sends a request, of a number by which its sender knows it. */
    void send(int number, ByteBuffer request, int events, long now) throws IOException {
      this.number = number;
      this.out = request;
      this.sentAt = now;
      answer.begin(events);
      write();
    }

    int number() {
      return number;
    }

    long sentAt() {
      return sentAt;
    }

    /**
     * Goes on, and says whether the answer is there by now.
     *
     * @throws IOException if it is a refusal
     */
    boolean goOn() throws IOException {
      if (out.hasRemaining()) {
        write();
      }
      return key.isReadable() && read();
    }

    private void write() throws IOException {
      channel.write(out);
      int interest =
          out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
      if (key.interestOps() != interest) {
        key.interestOps(interest);
      }
    }

    private boolean read() throws IOException {
      int got = channel.read(in);
      if (got < 0) {
        throw new IOException("the server closed the connection");
      }
      in.flip();
      boolean whole = answer.take(in);
      in.compact();
      return whole;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** Tells when the answer to a request is whole, from what has come of it. */
  interface Answer {
    /** A request was sent: its answer comes next. */
    void begin(int events);

    /**
     * Takes what has come and can be read by now.
     *
     * @param in to be read; what is left of it is there again the next time, before what comes then
     * @return whether the answer is whole
     * @throws IOException if it is a refusal
     */
    boolean take(ByteBuffer in) throws IOException;
  }
}
