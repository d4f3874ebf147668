package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import palmares.period.Period;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.board.Board;

/**
 * The Redis keys of an adopted board in a period: those that the program writes, and those of
 * Palmares, which share their hash tags and so their slots in a cluster.
 *
 * @param own the program's keys, in the order of {@link Adoption#keys}
 * @param shared whether the program keeps shared ranks, in two hashes and a ZSET
 */
public record AdoptedKeys(List<String> own, boolean shared) {
  public static AdoptedKeys of(Period period, Board board) {
    Adoption adoption = board.adoption();
    return new AdoptedKeys(
        adoption.keys(board.calendarSlot(period.slot()), board.zone()),
        adoption.encoding().usesThreeKeys());
  }

  /** Returns the type that each of the program's keys must have. */
  List<String> types() {
    return shared ? List.of("hash", "hash", "zset") : List.of("zset");
  }

  /** Returns the name of the program's first key, the board, after the seal. */
  String sealed() {
    return sealed(own.get(0));
  }

  public String sealedCounts() {
    return sealed(own.get(1));
  }

  public String sealedScores() {
    return sealed(own.get(2));
  }

  /** Returns the key of the hash that records the seal. */
  String mark() {
    return related(own.get(0), "palmares-seal");
  }

  /** Returns the key of the sealed board as a ZSET; a copy if the program keeps it in a hash. */
  public String lines() {
    return shared ? related(own.get(0), "palmares-lines") : sealed();
  }

  /** Returns each of the program's keys, followed by its name after the seal. */
  List<String> pairs() {
    var pairs = new ArrayList<String>();
    for (String key : own) {
      pairs.add(key);
      pairs.add(sealed(key));
    }
    return pairs;
  }

  /** Returns the keys of Palmares. */
  public byte[][] ours() {
    var keys = new ArrayList<>(List.of(mark(), lines()));
    own.forEach(key -> keys.add(sealed(key)));
    return keys.stream().distinct().map(AdoptedKeys::bytes).toArray(byte[][]::new);
  }

  private static String sealed(String key) {
    return related(key, "palmares-sealed");
  }

  private static String related(String key, String part) {
    return (KeyPattern.hasTag(key) ? key : "{" + key + "}") + ":" + part;
  }

  static byte[] bytes(String key) {
    return key.getBytes(UTF_8);
  }
}
