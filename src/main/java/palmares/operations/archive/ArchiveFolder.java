package palmares.operations.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import palmares.period.WrongState;

/** A folder of a period's files and the list of their checksums, as {@code sha256sum} reads it. */
record ArchiveFolder(Path path) {
  static final String SUMS = "SHA256SUMS";

  private static final String EXTENSION = ".csv.gz";

  /** Writes rows as CSV with a header, and returns their number. */
  interface Rows {
    long to(OutputStream csv) throws IOException;
  }

  /** Writes a file and forces it to disk; returns the number of rows. */
  long write(String name, Rows rows) throws IOException {
    Path file = path.resolve(name + EXTENSION);
    long count;
    try (OutputStream out = new GZIPOutputStream(new BufferedOutputStream(open(file)))) {
      count = rows.to(out);
    }
    force(file);
    return count;
  }

  private static OutputStream open(Path file) throws IOException {
    return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
  }

  /** Writes the list of checksums of all files, and returns the list's own checksum. */
  String seal() throws IOException {
    var text = new StringBuilder();
    for (Map.Entry<String, String> sum : sums().entrySet()) {
      text.append(sum.getValue()).append("  ").append(sum.getKey()).append('\n');
    }
    Path file = path.resolve(SUMS);
    Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    force(file);
    force(path);
    force(parent(path));
    return hash();
  }

  /** SHA-256 of the list of checksums. */
  String hash() throws IOException {
    return sha256(path.resolve(SUMS));
  }

  private Map<String, String> sums() throws IOException {
    var sums = new TreeMap<String, String>();
    for (Path file : files()) {
      sums.put(String.valueOf(file.getFileName()), sha256(file));
    }
    return sums;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(found -> found.toString().endsWith(EXTENSION)).sorted().toList();
    }
  }

  /**
   * Compares the files with the list.
   *
   * @throws WrongState naming the first file that is missing, extra or changed
   */
  void check() throws IOException {
    var listed = new TreeMap<String, String>();
    for (String line : Files.readAllLines(path.resolve(SUMS), UTF_8)) {
      String[] parts = line.split("  ", 2);
      if (parts.length != 2) {
        throw new WrongState("%s is not a list of checksums".formatted(path.resolve(SUMS)));
      }
      listed.put(parts[1], parts[0]);
    }
    Map<String, String> found = sums();
    var names = new TreeMap<>(listed);
    names.putAll(found);
    for (String name : names.keySet()) {
      if (!found.containsKey(name)) {
        throw new WrongState("%s is missing".formatted(path.resolve(name)));
      }
      if (!found.get(name).equals(listed.get(name))) {
        throw new WrongState("%s is not what was archived".formatted(path.resolve(name)));
      }
    }
  }

  InputStream read(String name) throws IOException {
    return new GZIPInputStream(Files.newInputStream(path.resolve(name + EXTENSION)));
  }

  /** The number of rows that can be read from a file, without its header. */
  long rows(String name) throws IOException {
    CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    try (InputStream in = read(name);
        CSVParser parser = CSVParser.parse(new InputStreamReader(in, UTF_8), format)) {
      long rows = 0;
      for (var row : parser) {
        rows += row.isConsistent() ? 1 : 0;
      }
      return rows;
    }
  }

  long bytes() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** Gives the folder its final name, atomically. */
  ArchiveFolder moveTo(Path other) throws IOException {
    force(path);
    Files.move(path, other, StandardCopyOption.ATOMIC_MOVE);
    force(parent(other));
    return new ArchiveFolder(other);
  }

  /** The parent of a period's folder, which has the board's name. */
  static Path parent(Path period) {
    return Objects.requireNonNull(period.toAbsolutePath().getParent(), "a period's folder");
  }

  void delete() throws IOException {
    if (Files.exists(path)) {
      try (Stream<Path> files = Files.list(path)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(path);
    }
  }

  /** Forces a file or a folder's entries to disk, so that they survive a crash of the machine. */
  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static String sha256(Path file) throws IOException {
    try (var in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java", e);
    }
  }
}
