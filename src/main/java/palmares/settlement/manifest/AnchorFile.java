package palmares.settlement.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A file to which lines are only appended, each an anchor. */
record AnchorFile(Path path) {
  private static final int MAX_LINE_BYTES = 64 * 1024;

  boolean exists() {
    return Files.exists(path);
  }

  /** Its size in bytes; 0 if it does not exist. */
  long size() throws IOException {
    return exists() ? Files.size(path) : 0;
  }

  /** Appends anchors, which are on the disk when this returns. */
  void append(List<Anchor> anchors) throws IOException {
    Files.createDirectories(path.toAbsolutePath().getParent(), owner("rwx------"));
    // After a torn line: else the next one would be a part of it.
    String lines =
        anchors.stream()
            .map(Anchor::line)
            .collect(Collectors.joining("", endsALine() ? "" : "\n", ""));
    try (var file = FileChannel.open(path, Set.of(CREATE, APPEND), owner("rw-------"))) {
      var rest = ByteBuffer.wrap(lines.getBytes(UTF_8));
      while (rest.hasRemaining()) {
        file.write(rest);
      }
      file.force(true);
    }
  }

  private boolean endsALine() throws IOException {
    if (size() == 0) {
      return true;
    }
    try (var channel = FileChannel.open(path)) {
      var last = ByteBuffer.allocate(1);
      channel.read(last, channel.size() - 1);
      return last.get(0) == '\n';
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> owner(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  /** Reads lines as bytes: a torn line may end in the middle of a character. */
  void lines(long start, long end, Consumer<byte[]> lines) throws IOException {
    if (end == 0) {
      return;
    }
    try (var in = new BufferedInputStream(Files.newInputStream(path))) {
      in.skipNBytes(start);
      var line = new ByteArrayOutputStream();
      int next = 0;
      for (long at = start; at < end && (next = in.read()) >= 0; at++) {
        if (next == '\n') {
          lines.accept(line.toByteArray());
          line.reset();
        } else if (line.size() <= MAX_LINE_BYTES) { // a longer one is torn
          line.write(next);
        }
      }
      if (line.size() > 0) {
        lines.accept(line.toByteArray());
      }
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
