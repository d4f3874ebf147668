package palmares.settlement.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import palmares.platform.text.Choice;
import palmares.settlement.manifest.ChainLink.Chain;

/**
 * A link as it was anchored.
 *
 * @param at when it was anchored
 * @param what describes what the link is of
 */
public record Anchor(Chain chain, long n, String hash, Instant at, String what) {
  private static final int CHECKSUM_LENGTH = 8;

  public ChainLink link() {
    return new ChainLink(chain, n, hash);
  }

  boolean isOf(String revision) {
    return chain == Chain.MANIFESTS && what.equals(revision);
  }

  /** The line in the file: a CRC-32C, and what it is of. Names have no line breaks there. */
  String line() {
    String rest =
        String.join(" ", "" + at, chain.word(), "" + n, hash, what.replaceAll("\\R", " "));
    return "%08x %s\n".formatted(checksum(rest.getBytes(UTF_8)), rest);
  }

  /** Empty if the line is not as {@link #line} wrote it. */
  static Optional<Anchor> of(byte[] line) {
    byte[] rest = Arrays.copyOfRange(line, Math.min(CHECKSUM_LENGTH + 1, line.length), line.length);
    String text = new String(rest, UTF_8);
    String[] parts = text.split(" ", 5);
    String checksum = "%08x ".formatted(checksum(rest));
    if (parts.length < 5 || !new String(line, UTF_8).startsWith(checksum)) {
      return Optional.empty();
    }
    try {
      Chain chain = Choice.of(Chain.class, parts[1]);
      return Optional.of(
          new Anchor(chain, Long.parseLong(parts[2]), parts[3], Instant.parse(parts[0]), parts[4]));
    } catch (IllegalArgumentException | DateTimeParseException e) {
      return Optional.empty(); // by another program
    }
  }

  private static long checksum(byte[] bytes) {
    var checksum = new CRC32C();
    checksum.update(bytes, 0, bytes.length);
    return checksum.getValue();
  }
}
