package palmares.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a jar is unpacked, and when its server runs in a second process; the rest is an IT. */
class UnpackedJarTest {
  @Test
  void theSecondProcessHasTheOptionsBeforeTheJar() {
    assertThat(UnpackedJar.optionsOfJava(Map.of(), "-Xmx1g", "-Da=b", "-jar", "x.jar", "-Dc=d"))
        .containsExactly("-Xmx1g", "-Da=b");
    assertThat(UnpackedJar.optionsOfJava(Map.of(), "-cp", "x.jar", "palmares.Palmares")).isNull();
  }

  /** Else the second process could not start, or the first one would overwrite what it writes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-agentlib:jdwp=transport=dt_socket,server=y",
        "-javaagent:a.jar",
        "-Dcom.sun.management.jmxremote.port=9010",
        "-XX:StartFlightRecording:filename=a.jfr",
        "-XX:+AlwaysPreTouch",
        "-XX:ArchiveClassesAtExit=a.jsa",
        "--add-opens",
        "@options"
      })
  void optionsOfOneProcessKeepTheServerInIt(String option) {
    assertThat(UnpackedJar.optionsOfJava(Map.of(), option, "-jar", "x.jar")).isNull();
  }

  @Test
  void soDoThoseOfTheEnvironment() {
    var jmx = "-Xmx1g \"-Dcom.sun.management.jmxremote.port=9010\"";
    assertThat(UnpackedJar.optionsOfJava(Map.of("JAVA_TOOL_OPTIONS", jmx), "-jar", "x")).isNull();
    assertThat(UnpackedJar.optionsOfJava(Map.of("JDK_JAVA_OPTIONS", jmx), "-jar", "x")).isNull();
    assertThat(UnpackedJar.optionsOfJava(Map.of("JDK_JAVA_OPTIONS", "-Xmx1g"), "-jar", "x"))
        .isEmpty();
  }

  @Test
  void anEmptyVariableNamesNoFolder() {
    var empty = Map.of("PALMARES_CACHE", "", "XDG_CACHE_HOME", "");
    assertThat(UnpackedJar.cacheFolder(empty, "/home/ann"))
        .isEqualTo(Path.of("/home/ann/.cache/palmares"));
    assertThat(UnpackedJar.cacheFolder(empty, "?")).isNull();
    assertThat(UnpackedJar.cacheFolder(Map.of("XDG_CACHE_HOME", "/c"), "/home/ann"))
        .isEqualTo(Path.of("/c/palmares"));
    assertThat(UnpackedJar.cacheFolder(Map.of("PALMARES_CACHE", "off"), "/home/ann")).isNull();
  }

  /** Else they could put a launcher there, which this user would run. */
  @ParameterizedTest
  @ValueSource(strings = {"rwxrwx---", "rwx---rwx"})
  void aFolderToWhichOthersCanWriteIsNotUsed(String permissions, @TempDir Path folder)
      throws IOException {
    Path cache = folder.resolve("new").resolve("cache");
    UnpackedJar.createCache(cache);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
        .isEqualTo("rwx------");
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString(permissions));
    assertThatThrownBy(() -> UnpackedJar.createCache(cache))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("others can write to it");
    assertThat(cache).isEmptyDirectory();
  }
}
