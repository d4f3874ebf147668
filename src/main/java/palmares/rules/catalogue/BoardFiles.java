package palmares.rules.catalogue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import palmares.platform.form.Fault;
import palmares.platform.form.Faults;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

/** Reads board files, all of them before it complains about any. */
public final class BoardFiles {
  /** The folder that is looked for beside the program if none is named. */
  public static final Path FOLDER = Path.of("jobs");

  static final String ENDING = ".yml";

  private static final BoardId NAMELESS = new BoardId("nameless");
  private static final String BUNDLED = "classpath:jobs/*" + ENDING;

  private BoardFiles() {}

  /**
   * The boards in force: of the named folder; if none is named, of {@code ./jobs}; if there is no
   * such folder, those that come with the program.
   *
   * @throws BoardFilesException if anything is wrong with any file, or with the folder
   */
  public static Catalogue readFrom(@Nullable Path folder) {
    return locate(folder).map(BoardFiles::read).orElseGet(BoardFiles::readBundled);
  }

  /** The folder that {@link #readFrom} reads; empty if the files come with the program. */
  public static Optional<Path> locate(@Nullable Path folder) {
    return folder != null
        ? Optional.of(folder)
        : Optional.of(FOLDER).filter(beside -> Files.exists(beside));
  }

  /**
   * The boards of a folder's {@code .yml} files. Folders within it and files with other endings are
   * left alone, but a {@code .yaml} is a fault, since it surely was meant.
   *
   * @throws BoardFilesException if anything is wrong with any file, or with the folder
   */
  public static Catalogue read(Path folder) {
    var faults = new ArrayList<Fault>();
    return read(BoardFolder.read(folder, faults), faults);
  }

  /**
   * The boards that come with the program.
   *
   * @throws UncheckedIOException if they cannot be read, which no one but a builder can mend
   */
  public static Catalogue readBundled() {
    try {
      var files = new ArrayList<BoardFile>();
      for (var found : new PathMatchingResourcePatternResolver().getResources(BUNDLED)) {
        var text = found.getContentAsString(StandardCharsets.UTF_8);
        files.add(new BoardFile(Objects.toString(found.getFilename()), text));
      }
      return read(files);
    } catch (IOException e) {
      throw new UncheckedIOException("the boards that come with the program", e);
    }
  }

  /**
   * The boards of some files.
   *
   * @throws BoardFilesException if anything is wrong with any of them, or there is none
   */
  public static Catalogue read(List<BoardFile> files) {
    return read(files, new ArrayList<>());
  }

  /**
   * The board that a text describes: one that a period was opened under, perhaps long ago.
   *
   * @throws BoardFilesException if anything is wrong with it
   */
  public static Board parse(BoardId id, String text) {
    var faults = new Faults(id + ENDING);
    var board = BoardReader.read(id, text, faults);
    if (board == null) {
      throw new BoardFilesException(faults.all());
    }
    return board;
  }

  private static Catalogue read(List<BoardFile> files, List<Fault> faults) {
    var boards = new ArrayList<Board>();
    for (var file : files) {
      var found = new Faults(file.name());
      // A file with a wrong name is read all the same, so that its other faults are told too.
      var board = BoardReader.read(id(file.name(), found).orElse(NAMELESS), file.text(), found);
      if (board != null) {
        boards.add(board);
      }
      faults.addAll(found.all());
    }
    Adoptions.checkApart(boards, faults);
    Families.check(boards, faults);
    if (files.isEmpty() && faults.isEmpty()) {
      faults.add(new Fault("jobs", 0, "", "has no board: it needs a .yml file for each"));
    }
    if (!faults.isEmpty()) {
      throw new BoardFilesException(faults);
    }
    return new Catalogue(boards);
  }

  private static Optional<BoardId> id(String name, Faults faults) {
    try {
      var stem = name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
      return Optional.of(new BoardId(stem));
    } catch (IllegalArgumentException e) {
      faults.add(0, "", "has no name for a board: " + e.getMessage());
      return Optional.empty();
    }
  }
}
