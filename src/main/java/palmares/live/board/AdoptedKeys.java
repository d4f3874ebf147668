package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import palmares.period.Period;
import palmares.rules.adoption.Adoption;
import palmares.rules.adoption.KeyPattern;
import palmares.rules.board.Board;

/**
 * The keys of an adopted board in a period: those that its own program writes, and ours beside
 * them, which share their hash tags, and so their places on a cluster.
 *
 * @param own what the program writes, in the order of {@link Adoption#keys}
 * @param shared whether the program keeps ranks: they are two hashes and a ZSET
 */
public record AdoptedKeys(List<String> own, boolean shared) {

  public static AdoptedKeys of(Period period, Board board) {
    Adoption adoption = Objects.requireNonNull(board.adoption());
    return new AdoptedKeys(
        adoption.keys(board.ownSlot(period.slot()), board.zone()),
        adoption.encoding().keepsRanks());
  }

  /** What Redis must hold under each of the program's keys. */
  List<String> types() {
    return shared ? List.of("hash", "hash", "zset") : List.of("zset");
  }

  /** What the seal makes of the first key: the board itself. */
  String sealed() {
    return sealed(own.get(0));
  }

  String sealedCounts() {
    return sealed(own.get(1));
  }

  String sealedScores() {
    return sealed(own.get(2));
  }

  /** Says that the keys are sealed, and what they held. */
  String mark() {
    return beside(own.get(0), "palmares-seal");
  }

  /** The sealed board as a ZSET: where members stand in a hash, one made of it. */
  public String lines() {
    return shared ? beside(own.get(0), "palmares-lines") : sealed();
  }

  /** Each of the program's keys and what the seal makes of it. */
  List<String> pairs() {
    var pairs = new ArrayList<String>();
    for (String key : own) {
      pairs.add(key);
      pairs.add(sealed(key));
    }
    return pairs;
  }

  /** All that Palmares has of the period. */
  public byte[][] ours() {
    var keys = new ArrayList<>(List.of(mark(), lines()));
    own.forEach(key -> keys.add(sealed(key)));
    return keys.stream().distinct().map(AdoptedKeys::bytes).toArray(byte[][]::new);
  }

  private static String sealed(String key) {
    return beside(key, "palmares-sealed");
  }

  private static String beside(String key, String part) {
    return (KeyPattern.hasTag(key) ? key : "{" + key + "}") + ":" + part;
  }

  static byte[] bytes(String key) {
    return key.getBytes(UTF_8);
  }
}
