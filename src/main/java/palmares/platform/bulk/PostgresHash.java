package palmares.platform.bulk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Computes the 64-bit hashes of PostgreSQL's functions hashint8extended and hashtextextended, as
 * servers on little-endian machines do.
 *
 * <p>The functions are Bob Jenkins' lookup3 with a seed. PostgreSQL does not promise to keep them,
 * so ask the server before a result is compared with its own.
 */
public final class PostgresHash {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int INITIAL_STATE = 0x9e37_79b9 + 3_923_095;
  private static final int WORD_BYTES = Integer.BYTES;
  private static final int ROUND_BYTES = 3 * WORD_BYTES;
  private static final int HIGH = Integer.SIZE;
  private static final long LOW_MASK = 0xffff_ffffL;
  private static final int BYTE_MASK = 0xff;

  private PostgresHash() {}

  /** As hashint8extended. */
  public static long of(long value, long seed) {
    int high = (int) (value >> HIGH);
    int word = ((int) value) ^ (value >= 0 ? high : ~high);
    var state = new State(WORD_BYTES, seed);
    state.a += word;
    return state.result();
  }

  /**
   * As hashtextextended, of a text with the collation "C".
   *
   * @param text in UTF-8
   */
  public static long of(byte[] text, long seed) {
    var state = new State(text.length, seed);
    int at = 0;
    for (; text.length - at >= ROUND_BYTES; at += ROUND_BYTES) {
      state.a += (int) WORDS.get(text, at);
      state.b += (int) WORDS.get(text, at + WORD_BYTES);
      state.c += (int) WORDS.get(text, at + 2 * WORD_BYTES);
      state.mix();
    }
    state.a += word(text, at, 0);
    state.b += word(text, at + WORD_BYTES, 0);
    // The lowest byte holds the length.
    state.c += word(text, at + 2 * WORD_BYTES, 1);
    return state.result();
  }

  /** Up to four bytes, those that the text has, moved up by some bytes. */
  private static int word(byte[] text, int from, int shift) {
    int word = 0;
    for (int i = 0; i < WORD_BYTES - shift && from + i < text.length; i++) {
      word |= (text[from + i] & BYTE_MASK) << ((i + shift) * Byte.SIZE);
    }
    return word;
  }

  /** The three words that lookup3 mixes. */
  private static final class State {
    private int a;
    private int b;
    private int c;

    State(int bytes, long seed) {
      a = INITIAL_STATE + bytes;
      b = a;
      c = a;
      if (seed != 0) {
        a += (int) (seed >> HIGH);
        b += (int) seed;
        mix();
      }
    }

    void mix() {
      a = (a - c) ^ Integer.rotateLeft(c, 4);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 6);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 8);
      b += a;
      a = (a - c) ^ Integer.rotateLeft(c, 16);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 19);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 4);
      b += a;
    }

    long result() {
      c = (c ^ b) - Integer.rotateLeft(b, 14);
      a = (a ^ c) - Integer.rotateLeft(c, 11);
      b = (b ^ a) - Integer.rotateLeft(a, 25);
      c = (c ^ b) - Integer.rotateLeft(b, 16);
      a = (a ^ c) - Integer.rotateLeft(c, 4);
      b = (b ^ a) - Integer.rotateLeft(a, 14);
      c = (c ^ b) - Integer.rotateLeft(b, 24);
      return ((long) b << HIGH) | (c & LOW_MASK);
    }
  }
}
