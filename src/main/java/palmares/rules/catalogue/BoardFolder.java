package palmares.rules.catalogue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palmares.platform.form.Fault;

/** The board files of a folder on a disk. */
final class BoardFolder {
  private static final long MAX_BYTES = 1 << 20;

  private BoardFolder() {}

  /** The folder's files by name; whatever keeps one from being read is added to the faults. */
  static List<BoardFile> read(Path folder, List<Fault> faults) {
    var files = new ArrayList<BoardFile>();
    int before = faults.size();
    for (var path : list(folder, faults)) {
      var name = String.valueOf(path.getFileName());
      if (name.endsWith(BoardFiles.ENDING)) {
        readFile(name, path, files, faults);
      } else if (name.endsWith(".yaml")) {
        faults.add(fault(name, "ends in .yaml, which is not read: rename it to end in .yml"));
      }
    }
    if (files.isEmpty() && faults.size() == before) {
      faults.add(fault(folder.toString(), "has no board: it needs a .yml file for each"));
    }
    return files;
  }

  private static List<Path> list(Path folder, List<Fault> faults) {
    if (!Files.isDirectory(folder)) {
      var wrong = Files.exists(folder) ? "is no folder" : "does not exist";
      faults.add(fault(folder.toString(), wrong + ": name the folder that has the .yml files"));
      return List.of();
    }
    try (var paths = Files.list(folder)) {
      return paths.sorted().toList();
    } catch (IOException e) {
      faults.add(fault(folder.toString(), "cannot be read: " + e));
      return List.of();
    }
  }

  /** A pipe or a device is never opened: reading it could wait or go on without an end. */
  private static void readFile(String name, Path path, List<BoardFile> files, List<Fault> faults) {
    if (!Files.isRegularFile(path)) {
      faults.add(fault(name, special(path)));
      return;
    }
    try {
      if (Files.size(path) > MAX_BYTES) {
        faults.add(
            fault(name, "has more than %d bytes: no board needs as many".formatted(MAX_BYTES)));
        return;
      }
      var text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(path)));
      files.add(new BoardFile(name, text.toString()));
    } catch (CharacterCodingException e) {
      faults.add(fault(name, "is not in UTF-8: save it in that encoding"));
    } catch (IOException e) {
      faults.add(fault(name, "cannot be read: " + e));
    }
  }

  private static String special(Path path) {
    if (!Files.exists(path)) {
      return "is a link to nothing: correct or remove it";
    }
    return Files.isDirectory(path)
        ? "is a folder, not a file: rename it or move it elsewhere"
        : "is a pipe, a device or a socket and is not opened: put a regular file in its place";
  }

  private static Fault fault(String file, String message) {
    return new Fault(file, 0, "", message);
  }
}
