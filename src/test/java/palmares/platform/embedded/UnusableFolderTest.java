package palmares.platform.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnusableFolderTest {
  @TempDir Path folder;

  @Test
  void aFileIsRefusedAsDataFolder() throws Exception {
    Path file = Files.createFile(folder.resolve("notes.txt"));
    assertThatThrownBy(() -> EmbeddedServers.own(file, "server"))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContaining("notes.txt is a file")
        .hasMessageContaining("--data");
  }

  @Test
  void aFailureWithoutAMessageIsReportedByItsName() {
    assertThat(new DataFolder(folder).unusable(new ClosedChannelException()))
        .hasMessageContaining("cannot be used: ClosedChannelException.");
    assertThat(new DataFolder(folder).unusable(new IOException("Mount point not found")))
        .hasMessageContaining("cannot be used: IOException: Mount point not found.");
  }

  @Test
  void aFolderWithoutWritePermissionIsRefusedWithTheUser() throws Exception {
    assumeFalse(System.getProperty("user.name").equals("root"), "root may write anywhere");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertThatThrownBy(() -> EmbeddedServers.own(folder, "server"))
        .isInstanceOf(ServersUnavailable.class)
        .hasMessageContaining("no permission to write to")
        .hasMessageContaining(System.getProperty("user.name"));
  }

  @Test
  void aDiskThatIsTooSmallIsRefusedBeforeUnpacking() throws Exception {
    onADiskOf(
        "8m",
        disk ->
            assertThatThrownBy(() -> EmbeddedServers.own(disk, "server"))
                .isInstanceOf(ServersUnavailable.class)
                .hasMessageContaining("is full: 8 MB are free there, 384 MB are needed"));
  }

  @Test
  void aDiskThatBecomesFullIsReportedAsFull() throws Exception {
    onADiskOf(
        "8m",
        disk -> {
          DataFolder data = DataFolder.at(disk);
          assertThatThrownBy(
                  () -> {
                    try {
                      Binaries.postgres(data);
                    } catch (IOException e) {
                      throw data.unusable(e);
                    }
                  })
              .isInstanceOf(ServersUnavailable.class)
              .hasMessageContaining("is full: no space is left on it");
        });
  }

  /** A real file system in memory, which only root on Linux may mount. */
  private void onADiskOf(String size, Attempt attempt) throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs").succeeded(),
        "this user may not mount a small disk");
    try {
      attempt.on(folder);
    } finally {
      run("umount");
    }
  }

  private Subprocess run(String... command) throws Exception {
    List<String> words = new ArrayList<>(List.of(command));
    words.add(folder.toString());
    return Subprocess.run(Path.of("/"), Duration.ofSeconds(10), words);
  }

  @FunctionalInterface
  private interface Attempt {
    void on(Path disk) throws Exception;
  }
}
