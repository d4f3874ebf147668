package palmares.platform.embedded;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.springframework.util.FileSystemUtils;
import org.tukaani.xz.XZInputStream;
import redis.embedded.RedisExecProvider;
import redis.embedded.util.Architecture;
import redis.embedded.util.OS;
import redis.embedded.util.OSDetector;

/** Unpacks the servers' programs from the class path into the data folder, once per version. */
final class Binaries {
  private Binaries() {}

  /** The folder that holds PostgreSQL's {@code bin}. */
  static Path postgres(DataFolder folder) throws IOException {
    byte[] archive = postgresArchive();
    Path home = folder.binaries().resolve("postgres-" + fingerprint(archive));
    if (!Files.exists(home)) {
      Path fresh = freshSibling(home);
      unpack(archive, fresh);
      Files.move(fresh, home, ATOMIC_MOVE);
    }
    return home;
  }

  /** The program {@code redis-server}. */
  static Path redis(DataFolder folder) throws IOException {
    String name = "redis-server-%s-%s".formatted(RedisExecProvider.redisVersion, platform());
    Path program = folder.binaries().resolve(name);
    if (!Files.exists(program)) {
      Path fresh = freshSibling(program);
      try (InputStream packed = RedisExecProvider.class.getResourceAsStream("/" + name)) {
        if (packed == null) {
          throw missing(name);
        }
        Files.copy(packed, fresh);
      }
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwx------"));
      Files.move(fresh, program, ATOMIC_MOVE);
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

  private static String fingerprint(byte[] archive) {
    CRC32 sum = new CRC32();
    sum.update(archive);
    return Long.toHexString(sum.getValue());
  }

  private static String platform() {
    String system = OSDetector.getOS() == OS.MAC_OS_X ? "darwin" : "linux";
    Architecture machine = OSDetector.getArchitecture();
    return system
        + switch (machine) {
          case x86 -> "-386";
          case x86_64 -> "-amd64";
          case arm64 -> "-arm64";
        };
  }

  /** What a process that died while unpacking left behind goes first. */
  private static Path freshSibling(Path target) throws IOException {
    Path fresh = target.resolveSibling(target.getFileName() + ".new");
    FileSystemUtils.deleteRecursively(fresh);
    OwnerOnly.createParent(target);
    return fresh;
  }

  private static void unpack(byte[] archive, Path home) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new BufferedInputStream(
                new XZInputStream(new ByteArrayInputStream(archive)), 1 << 16))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = home.resolve(entry.getName()).normalize();
        if (!target.startsWith(home)) {
          throw new IOException("the archive reaches outside its folder: " + entry.getName());
        }
        place(entry, tar, target);
      }
    }
  }

  private static void place(TarArchiveEntry entry, InputStream content, Path target)
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
    boolean program = (entry.getMode() & 0100) != 0;
    Files.setPosixFilePermissions(
        target, PosixFilePermissions.fromString(program ? "rwx------" : "rw-------"));
  }

  private static ServersUnavailable missing(String what) {
    return new ServersUnavailable(
        "No %s for %s on %s is in this build."
            .formatted(what, System.getProperty("os.name"), System.getProperty("os.arch")),
        "Build on this kind of machine, or set spring.datasource.* and spring.data.redis.* to"
            + " servers of your own.");
  }
}
