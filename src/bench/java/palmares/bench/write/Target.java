package palmares.bench.write;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A server that requests are sent to. */
interface Target {
  /** Opens a connection. */
  Connection connect(Selector selector) throws IOException;

  /** Encodes a request of a volley. */
  ByteBuffer request(Volley volley, int number);

  /** A client's connection, with one request in flight at a time. */
  static final class Connection implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Answer answer;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private ByteBuffer out = ByteBuffer.allocate(0);

    private int number;
    private long sentAt;

    private Connection(SocketChannel channel, Selector selector, Answer answer) throws IOException {
      this.channel = channel;
      this.answer = answer;
      this.key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /**
     * @param channel connected and in blocking mode
     */
    static Connection of(SocketChannel channel, Selector selector, Answer answer)
        throws IOException {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      return new Connection(channel, selector, answer);
    }

    /** Sends a request with a number that the caller can ask for later. */
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
     * Continues to write and read.
     *
     * @return whether the answer is complete
     * @throws IOException if the answer is an error
     */
    boolean advance() throws IOException {
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

  /** Finds the end of an answer in the bytes received. */
  interface Answer {
    /** Prepares for the answer to a request with that many events. */
    void begin(int events);

    /**
     * Consumes bytes.
     *
     * @param in bytes received; bytes that are not consumed are passed again with the next call
     * @return whether the answer is complete
     * @throws IOException if the answer is an error
     */
    boolean take(ByteBuffer in) throws IOException;
  }
}
