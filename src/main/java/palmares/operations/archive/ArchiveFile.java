package palmares.operations.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A compressed file of JSON lines, one for each row of a period's journal. */
record ArchiveFile(Path path) {
  private static final String EXTENSION = ".jsonl.gz";

  static ArchiveFile of(Path folder, String board, String period) {
    return new ArchiveFile(folder.resolve(board).resolve(period + EXTENSION));
  }

  /** Writes lines. */
  interface Lines {
    void to(OutputStream out) throws IOException;
  }

  /**
   * What a file holds.
   *
   * @param rows the number of lines
   * @param checksum the sum of the first eight bytes of each line's SHA-256, as the function {@code
   *     first_of_sha256} computes them
   * @param sha256 of the file
   */
  record Contents(long rows, BigInteger checksum, String sha256) {}

  /**
   * Writes the file and forces it to disk. It appears under its name complete or not at all, and
   * replaces no other one.
   *
   * @return false if there is another file of that name
   */
  boolean write(Lines lines) throws IOException {
    Path folder = Objects.requireNonNull(path.getParent(), "the folder of the board");
    Files.createDirectories(folder);
    var partial = new ArchiveFile(path.resolveSibling(path.getFileName() + ".partial"));
    Files.deleteIfExists(partial.path); // Of an attempt that was killed.
    try (OutputStream out =
        new GZIPOutputStream(
            new BufferedOutputStream(
                Files.newOutputStream(partial.path, StandardOpenOption.CREATE_NEW)))) {
      lines.to(out);
    }
    force(partial.path);
    if (!Files.exists(path)) {
      Files.move(partial.path, path, StandardCopyOption.ATOMIC_MOVE);
      force(folder);
      force(Objects.requireNonNull(folder.getParent(), "the folder of archives"));
      return true;
    }
    boolean same = Files.mismatch(partial.path, path) < 0;
    Files.delete(partial.path);
    return same;
  }

  /** Reads the file to its end. */
  Contents read() throws IOException {
    MessageDigest ofFile = digest();
    MessageDigest ofLine = digest();
    long rows = 0;
    BigInteger checksum = BigInteger.ZERO;
    try (var file = new DigestInputStream(Files.newInputStream(path), ofFile);
        var lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(file), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        rows++;
        long first = ByteBuffer.wrap(ofLine.digest(line.getBytes(UTF_8))).getLong();
        checksum = checksum.add(BigInteger.valueOf(first));
      }
      file.transferTo(OutputStream.nullOutputStream());
    }
    return new Contents(rows, checksum, HexFormat.of().formatHex(ofFile.digest()));
  }

  /** Returns the SHA-256 of the file, also of one that is damaged. */
  String sha256() throws IOException {
    try (var file = new DigestInputStream(Files.newInputStream(path), digest())) {
      file.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(file.getMessageDigest().digest());
    }
  }

  /** Forces a file or a folder's entries to disk, so that they survive a crash of the machine. */
  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java", e);
    }
  }
}
