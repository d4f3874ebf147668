package palmares.rules.boardfiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import palmares.platform.form.Faults;
import palmares.platform.form.Faults.Fault;
import palmares.platform.text.Commands;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

/** Reads board files, and reports the faults of all of them together. */
public final class BoardFiles {
  public static final Path DEFAULT_FOLDER = Path.of("jobs");

  public static final String EXTENSION = ".yml";

  private static final long MAX_BYTES_PER_FILE = 1 << 20;

  /** To check a board takes up to a third of a second. */
  private static final int MAX_FILES = 1_000;

  /** What lists say of a key or an exclusion that is for each board. */
  private static final String ALL = "all";

  private static final BoardId NAMELESS = new BoardId("nameless");
  private static final String SAMPLES = "classpath:jobs/*" + EXTENSION;

  private static final Sentence FIRST_STEPS =
      new BoardFileSentences.FirstSteps(
          Commands.of(Next.of("boards new").with("name", "invites")), Commands.of(Next.of("demo")));

  private static final Fault NO_FOLDER =
      fault(
          DEFAULT_FOLDER.toString(),
          new BoardFileSentences.NoDefaultFolder("--jobs DIR", FIRST_STEPS));

  private BoardFiles() {}

  /**
   * Reads the boards of the given folder; if none is given, of {@link #DEFAULT_FOLDER}.
   *
   * @throws BoardFilesException if the folder is missing, or it or any file is invalid
   */
  public static Catalogue readFrom(@Nullable Path folder) {
    if (folder == null && !Files.exists(DEFAULT_FOLDER)) {
      throw new BoardFilesException(List.of(NO_FOLDER));
    }
    return read(folder == null ? DEFAULT_FOLDER : folder);
  }

  /**
   * Reads the boards of a server, which may have none yet: if the folder is empty, or none is given
   * and {@link #DEFAULT_FOLDER} does not exist.
   *
   * @throws BoardFilesException if a given folder is missing, or it or any file is invalid
   */
  public static Catalogue readForServer(@Nullable Path folder) {
    Path read = folder == null ? DEFAULT_FOLDER : folder;
    boolean isMissing = folder == null && Files.notExists(read, LinkOption.NOFOLLOW_LINKS);
    return isMissing || isEmpty(read) ? Catalogue.empty(read) : readFrom(folder);
  }

  /** Hidden names do not count, such as those by which Kubernetes mounts files. */
  private static boolean isEmpty(Path folder) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (var paths = Files.list(folder)) {
      return paths.allMatch(path -> String.valueOf(path.getFileName()).startsWith("."));
    } catch (IOException e) {
      return false; // Reading it reports why.
    }
  }

  /**
   * Reads the boards of a folder's {@code .yml} files. Other files are ignored, except that a
   * {@code .yaml} file is a fault.
   *
   * @throws BoardFilesException if the folder or any file is invalid
   */
  public static Catalogue read(Path folder) {
    var faults = new ArrayList<Fault>();
    return read(readFolder(folder, faults), faults);
  }

  /**
   * Reads the samples in the jar, which the demo plays with and new boards are copied from.
   *
   * @throws UncheckedIOException if the program was built incorrectly
   */
  public static Catalogue readSamples() {
    try {
      var files = new ArrayList<BoardFile>();
      for (var found : new PathMatchingResourcePatternResolver().getResources(SAMPLES)) {
        var text = found.getContentAsString(StandardCharsets.UTF_8);
        files.add(new BoardFile(Objects.toString(found.getFilename()), text));
      }
      return read(files);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the samples in the jar", e);
    }
  }

  /**
   * Reads the boards of these files, which need not be in one folder.
   *
   * @throws BoardFilesException if any file is invalid, or there is none
   */
  public static Catalogue readFiles(List<Path> paths) {
    var files = new ArrayList<BoardFile>();
    var faults = new ArrayList<Fault>();
    for (Path path : paths) {
      String name = String.valueOf(path.getFileName());
      if (Files.isDirectory(path)) {
        files.addAll(readFolder(path, faults));
      } else if (!name.endsWith(EXTENSION)) {
        faults.add(fault(path.toString(), new BoardFileSentences.OtherEnding()));
      } else if (Files.exists(path)) {
        readFile(name, path, files, faults);
      } else {
        faults.add(fault(path.toString(), new BoardFileSentences.NoFile()));
      }
    }
    return read(files, faults);
  }

  /**
   * Reads the boards of the given files.
   *
   * @throws BoardFilesException if any file is invalid, or there is none
   */
  public static Catalogue read(List<BoardFile> files) {
    return read(files, new ArrayList<>());
  }

  /**
   * Reads a board from a stored text, such as the rules under which a period was opened.
   *
   * @throws BoardFilesException if the text is invalid
   */
  public static Board parse(BoardId id, String text) {
    var faults = new Faults(id + EXTENSION);
    var board = BoardReader.read(id, text, faults);
    if (board == null) {
      throw new BoardFilesException(faults.all());
    }
    return board;
  }

  private static Catalogue read(List<BoardFile> files, List<Fault> faults) {
    if (files.size() > MAX_FILES) {
      faults.add(
          new Fault("jobs", 0, "", new BoardFileSentences.TooManyFiles(files.size(), MAX_FILES)));
      throw new BoardFilesException(faults);
    }
    var boards = new ArrayList<Board>();
    Set<BoardId> named = new HashSet<>();
    for (var file : files) {
      var found = new Faults(file.name());
      Optional<BoardId> id = id(file.name(), found);
      id.filter(each -> !named.add(each))
          .ifPresent(each -> found.add(0, "", new BoardFileSentences.TwoFiles(each)));
      // A file with an invalid name is read too, so that its other faults are reported.
      var board = BoardReader.read(id.orElse(NAMELESS), file.text(), found);
      if (board != null) {
        boards.add(board);
      }
      faults.addAll(found.all());
    }
    Adoptions.checkKeysAreDistinct(boards, faults);
    Families.check(boards, faults);
    InvitesForm.check(boards, faults);
    if (files.isEmpty() && faults.isEmpty()) {
      faults.add(new Fault("jobs", 0, "", new BoardFileSentences.HasNoBoard(FIRST_STEPS)));
    }
    if (!faults.isEmpty()) {
      throw new BoardFilesException(faults);
    }
    return new Catalogue(boards);
  }

  private static Optional<BoardId> id(String name, Faults faults) {
    try {
      var stem =
          name.endsWith(EXTENSION) ? name.substring(0, name.length() - EXTENSION.length()) : name;
      if (stem.equals(ALL)) {
        faults.add(0, "", new BoardFileSentences.NamedAll(ALL));
        return Optional.empty();
      }
      return Optional.of(new BoardId(stem));
    } catch (InvalidValue e) {
      faults.add(0, "", new BoardFileSentences.Misnamed(e.said()));
      return Optional.empty();
    }
  }

  /** The folder's files, by name; files that cannot be read are faults. */
  private static List<BoardFile> readFolder(Path folder, List<Fault> faults) {
    var files = new ArrayList<BoardFile>();
    int before = faults.size();
    for (var path : list(folder, faults)) {
      var name = String.valueOf(path.getFileName());
      if (name.endsWith(EXTENSION)) {
        readFile(name, path, files, faults);
      } else if (name.endsWith(".yaml")) {
        faults.add(fault(name, new BoardFileSentences.EndsInYaml()));
      }
    }
    if (files.isEmpty() && faults.size() == before) {
      faults.add(fault(folder.toString(), new BoardFileSentences.HasNoBoard(FIRST_STEPS)));
    }
    return files;
  }

  private static List<Path> list(Path folder, List<Fault> faults) {
    if (!Files.isDirectory(folder)) {
      faults.add(
          fault(
              folder.toString(),
              Files.exists(folder)
                  ? new BoardFileSentences.IsNoFolder()
                  : new BoardFileSentences.NoFolder()));
      return List.of();
    }
    try (var paths = Files.list(folder)) {
      return paths.sorted().toList();
    } catch (IOException e) {
      faults.add(fault(folder.toString(), new BoardFileSentences.Unreadable(e.toString())));
      return List.of();
    }
  }

  /** A pipe or a device is never opened, because reading it might block or never end. */
  private static void readFile(String name, Path path, List<BoardFile> files, List<Fault> faults) {
    if (!Files.isRegularFile(path)) {
      faults.add(fault(name, describeIrregular(path)));
      return;
    }
    try {
      if (Files.size(path) > MAX_BYTES_PER_FILE) {
        faults.add(fault(name, new BoardFileSentences.TooLarge(MAX_BYTES_PER_FILE)));
        return;
      }
      var text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(path)));
      files.add(new BoardFile(name, text.toString()));
    } catch (CharacterCodingException e) {
      faults.add(fault(name, new BoardFileSentences.NotUtf8()));
    } catch (IOException e) {
      faults.add(fault(name, new BoardFileSentences.Unreadable(e.toString())));
    }
  }

  private static Sentence describeIrregular(Path path) {
    if (!Files.exists(path)) {
      return new BoardFileSentences.BrokenLink();
    }
    return Files.isDirectory(path)
        ? new BoardFileSentences.IsFolder()
        : new BoardFileSentences.Irregular();
  }

  private static Fault fault(String file, Sentence said) {
    return new Fault(file, 0, "", said);
  }
}
