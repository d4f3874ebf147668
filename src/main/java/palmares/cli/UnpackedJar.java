package palmares.cli;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * Runs servers that {@code java -jar} starts in a process of {@code bin/palmares}, from the jar's
 * unpacked libraries. Java's options cannot be changed once it runs, and its class archive needs
 * libraries that are files, so a server in the first process takes several times the processor time
 * to start.
 *
 * <p>The libraries are in a folder of the cache, which belongs to one place and one content of the
 * jar. The processes that use it hold its lock. Each unpacking removes the folders that nobody uses
 * of the jars that were at the same place before, and those that nobody used for 30 days.
 */
public final class UnpackedJar {
  private static final String LIBRARIES = "BOOT-INF/lib/";
  private static final String CLASSES = "BOOT-INF/classes/";
  private static final String LAUNCHER = CLASSES + "palmares/cli/palmares";
  private static final String LOCK = "lock";
  private static final String SIZES = "sizes";
  private static final String OWN_JAR = "lib/palmares.jar";
  private static final String SHELL_SCRIPT = "bin/palmares";
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final String PART = ".part.";
  private static final String PARENT = "palmares.launcher-parent";
  private static final Set<String> SERVERS = Set.of("server", "demo");

  /** Options that ask for a port, a file or memory that only one process can have. */
  private static final List<String> OF_ONE_PROCESS =
      List.of(
          "-agent",
          "-javaagent",
          "-Xdebug",
          "-Xrun",
          "-Xshare",
          "-Dcom.sun.management.",
          "-XX:AOT",
          "-XX:+AlwaysPreTouch",
          "-XX:ArchiveClassesAtExit",
          "-XX:FlightRecorderOptions",
          "-XX:SharedArchiveFile",
          "-XX:StartFlightRecording");

  private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");
  private static final Set<String> HELP = Set.of("-h", "--help");
  private static final char UNREADABLE = '\uFFFD';
  private static final Duration KEPT = Duration.ofDays(30);

  /** Room for a class archive, as in bin/palmares, and as much again for what surrounds it. */
  private static final long ARCHIVE_BYTES = 300_000_000;

  private final Path jar;
  private final Path cache;
  private final Clock clock;
  private final String place;

  /**
   * @param jar as Spring Boot packs it
   * @param cache the folder of the unpacked libraries, which need not exist
   */
  private UnpackedJar(Path jar, Path cache, Clock clock) {
    this.jar = jar.toAbsolutePath().normalize();
    this.cache = cache.toAbsolutePath();
    this.clock = clock;
    var path = new CRC32();
    path.update(this.jar.toString().getBytes(StandardCharsets.UTF_8));
    place = "jar-%s-".formatted(Long.toHexString(path.getValue()));
  }

  /**
   * Runs a server or demo in another process, and waits for its end.
   *
   * @param application a class of the jar
   * @return the exit code; empty if this process is to run the command
   */
  public static OptionalInt run(Class<?> application, Clock clock, String... arguments) {
    Long parent = Long.getLong(PARENT);
    if (parent != null) {
      endWith(parent);
      return OptionalInt.empty();
    }
    if (!isServer(arguments)) {
      return OptionalInt.empty();
    }
    String jar = System.getProperty("java.class.path", "");
    List<String> options =
        optionsOfJava(
            System.getenv(), ProcessHandle.current().info().arguments().orElse(new String[0]));
    Path cache = cacheFolder(System.getenv(), System.getProperty("user.home"));
    if (options == null
        || cache == null
        || !jar.endsWith(".jar")
        // Otherwise these are the libraries of bin/palmares, or of a build.
        || application.getClassLoader() == ClassLoader.getSystemClassLoader()
        || !Files.isExecutable(Path.of("/bin/sh"))) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(new UnpackedJar(Path.of(jar), cache, clock).run(options, arguments));
    } catch (IOException e) {
      System.err.println(
          ("palmares: starts from %s itself, which takes several times the processor time: %s"
                  + " (PALMARES_CACHE names another folder, PALMARES_CACHE=off does without)")
              .formatted(jar, e.getMessage()));
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.of(1);
    }
  }

  /** Ends this process as a signal would, if the one that a person started is gone. */
  private static void endWith(long parent) {
    ProcessHandle.of(parent)
        .map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(null))
        .thenRunAsync(() -> System.exit(143));
  }

  /** Not if Java could not read an argument, which the second process could not know. */
  private static boolean isServer(String... arguments) {
    List<String> words = List.of(arguments);
    return !words.isEmpty()
        && SERVERS.contains(words.get(0))
        && Collections.disjoint(words, HELP)
        && words.stream().noneMatch(word -> word.indexOf(UNREADABLE) >= 0);
  }

  /**
   * The folder that bin/palmares would use; null if it should use none.
   *
   * @param home is {@code ?} if the user has none
   */
  static @Nullable Path cacheFolder(Map<String, String> environment, String home) {
    String named = environment.getOrDefault("PALMARES_CACHE", "");
    if (!named.isEmpty()) {
      return named.equals("off") ? null : Path.of(named);
    }
    String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
    if (!caches.isEmpty()) {
      return Path.of(caches, "palmares");
    }
    return Path.of(home).isAbsolute() ? Path.of(home, ".cache", "palmares") : null;
  }

  /**
   * The options that Java was called with, which the other process gets; null if it cannot have the
   * same.
   *
   * @param call the words of the call after {@code java}
   */
  static @Nullable List<String> optionsOfJava(Map<String, String> environment, String... call) {
    int end = List.of(call).indexOf("-jar");
    if (end < 0 || VARIABLES.stream().anyMatch(name -> isOfOneProcess(environment.get(name)))) {
      return null;
    }
    List<String> options = List.of(call).subList(0, end);
    return options.stream().allMatch(UnpackedJar::canBePassed) ? options : null;
  }

  /** The launcher's shell parts options at spaces, and would look for files. */
  private static boolean canBePassed(String option) {
    return (option.startsWith("-D") || option.startsWith("-X"))
        && !isOfOneProcess(option)
        && option.chars().noneMatch(each -> " \t\n*?[".indexOf(each) >= 0);
  }

  private static boolean isOfOneProcess(@Nullable String options) {
    return options != null
        && Stream.of(options.split("[\\s\"']+"))
            .anyMatch(option -> OF_ONE_PROCESS.stream().anyMatch(option::startsWith));
  }

  private int run(List<String> options, String... arguments)
      throws IOException, InterruptedException {
    createCache(cache);
    try (var packed = new JarFile(jar.toFile())) {
      Path folder = cache.resolve(place + contents(packed));
      if (!isComplete(folder, packed)) {
        unpack(packed, folder);
      }
      try (FileChannel file = openLock(folder);
          FileLock use = file.tryLock(0, Long.MAX_VALUE, true)) {
        if (use == null || !isComplete(folder, packed)) {
          throw new IOException(folder + " is being removed");
        }
        // Not that of the lock: Java would open and close it, which gives back each lock on it.
        Files.setLastModifiedTime(folder.resolve(SIZES), FileTime.fromMillis(clock.millis()));
        return runFrom(folder, options, arguments);
      }
    }
  }

  private int runFrom(Path folder, List<String> options, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("/bin/sh", folder.resolve(SHELL_SCRIPT).toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).inheritIO();
    var passed = new ArrayList<>(options);
    passed.add("-D" + PARENT + "=" + ProcessHandle.current().pid());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("JAVA_OPTS", String.join(" ", passed));
    builder.environment().put("PALMARES_CACHE", folder.toString());
    builder
        .environment()
        .put("PALMARES_LAUNCHER", "java -jar " + System.getProperty("java.class.path"));
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process), "stop"));
    return process.waitFor();
  }

  /** Passes SIGTERM on, and waits for an orderly end. */
  private static void stop(Process process) {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A checksum of the names, sizes and checksums of all that the jar has. */
  private static String contents(ZipFile packed) {
    var sum = new CRC32();
    for (ZipEntry entry : Collections.list(packed.entries())) {
      sum.update(entry.getName().getBytes(StandardCharsets.UTF_8));
      for (long number : new long[] {entry.getCrc(), entry.getSize()}) {
        for (int shift = 0; shift < 64; shift += 8) {
          sum.update((int) (number >>> shift));
        }
      }
    }
    return Long.toHexString(sum.getValue());
  }

  /**
   * Creates the folder.
   *
   * @throws IOException if others could put there what this user would then run
   */
  static void createCache(Path cache) throws IOException {
    if (!Files.isDirectory(cache)) {
      Files.createDirectories(cache, OWNER_ONLY);
    }
    if (!Files.isWritable(cache)) {
      throw new IOException(cache + " cannot be written");
    }
    Path own = Files.createTempFile(cache, "owner", null);
    try {
      var permissions = Files.getPosixFilePermissions(cache);
      if (!Files.getOwner(cache).equals(Files.getOwner(own))
          || permissions.contains(PosixFilePermission.GROUP_WRITE)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new IOException(cache + " is another user's, or others can write to it");
      }
    } finally {
      Files.delete(own);
    }
  }

  /** Whether no file of the jar is missing, and each has the size that it was unpacked with. */
  private static boolean isComplete(Path folder, JarFile packed) throws IOException {
    Path sizes = folder.resolve(SIZES);
    if (!Files.isRegularFile(sizes)) {
      return false;
    }
    var wanted = new HashSet<>(Set.of(OWN_JAR, SHELL_SCRIPT));
    libraries(packed).forEach(name -> wanted.add("lib/" + name));
    // A machine that lost its power may have cut this file off, or filled it with zeros.
    for (String line : Files.readString(sizes, StandardCharsets.ISO_8859_1).lines().toList()) {
      String name = line.substring(line.indexOf(' ') + 1);
      if (!wanted.remove(name) || !line.equals(sizeAndName(folder, name))) {
        return false;
      }
    }
    return wanted.isEmpty();
  }

  private static String sizeAndName(Path folder, String name) throws IOException {
    Path file = folder.resolve(name);
    return (Files.isRegularFile(file) ? Files.size(file) : "no") + " " + name;
  }

  private void unpack(JarFile packed, Path folder) throws IOException {
    long needed = Files.size(jar) + ARCHIVE_BYTES;
    if (Files.getFileStore(cache).getUsableSpace() < needed) {
      throw new IOException("%s has less than %s MB free".formatted(cache, needed / 1_000_000));
    }
    Path part = cache.resolve(folder.getFileName() + PART + ProcessHandle.current().pid());
    try {
      unpackInto(part, packed);
      if (Files.exists(folder) && !isComplete(folder, packed)) {
        remove(folder);
      }
      if (!Files.exists(folder)) {
        Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      FileSystemUtils.deleteRecursively(part);
    }
    removeOthers(folder);
  }

  private static void unpackInto(Path part, JarFile packed) throws IOException {
    Path libraries = Files.createDirectories(part.resolve("lib"), OWNER_ONLY);
    Files.createDirectories(part.resolve("bin"), OWNER_ONLY);
    Path launcher = part.resolve(SHELL_SCRIPT);
    Path own = part.resolve(OWN_JAR);
    var files = new ArrayList<>(List.of(own, launcher));
    copy(packed, launcher, packed.getEntry(LAUNCHER));
    for (ZipEntry entry : Collections.list(packed.entries())) {
      String name = entry.getName();
      if (name.startsWith(LIBRARIES) && !entry.isDirectory()) {
        Path library = libraries.resolve(name.substring(LIBRARIES.length()));
        copy(packed, library, entry);
        files.add(library);
      }
    }
    packOwn(packed, own);
    var sizes = new ArrayList<String>();
    for (Path file : files) {
      sizes.add(sizeAndName(part, part.relativize(file).toString()));
    }
    Files.createFile(part.resolve(LOCK));
    Files.write(part.resolve(SIZES), sizes);
  }

  private static void copy(ZipFile packed, Path file, ZipEntry entry) throws IOException {
    try (InputStream content = packed.getInputStream(entry)) {
      Files.copy(content, file);
    }
  }

  /** Packs the classes and resources of Palmares as the jar of a distribution has them. */
  private static void packOwn(JarFile packed, Path own) throws IOException {
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(own));
        var out = new JarOutputStream(file, manifest(packed))) {
      out.setLevel(Deflater.BEST_SPEED);
      var names = new HashSet<>(Set.of(JarFile.MANIFEST_NAME, "META-INF/"));
      for (ZipEntry entry : Collections.list(packed.entries())) {
        String name = entry.getName();
        boolean isOwn = name.startsWith(CLASSES);
        String packedAs = isOwn ? name.substring(CLASSES.length()) : name;
        // The services are those of Spring Boot's loader.
        boolean isAbout = name.startsWith("META-INF/") && !name.startsWith("META-INF/services/");
        if ((isOwn || isAbout) && !packedAs.isEmpty() && names.add(packedAs)) {
          out.putNextEntry(new ZipEntry(packedAs));
          try (InputStream content = packed.getInputStream(entry)) {
            content.transferTo(out);
          }
        }
      }
    }
  }

  private static Manifest manifest(JarFile packed) throws IOException {
    var manifest = new Manifest(packed.getManifest());
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MAIN_CLASS, main.getValue("Start-Class"));
    main.put(Attributes.Name.CLASS_PATH, String.join(" ", libraries(packed)));
    return manifest;
  }

  /** The libraries in the order of their index: {@code - "BOOT-INF/lib/NAME"}. */
  private static List<String> libraries(JarFile packed) throws IOException {
    var libraries = new ArrayList<String>();
    ZipEntry index = packed.getEntry("BOOT-INF/classpath.idx");
    try (var lines =
        new BufferedReader(
            new InputStreamReader(packed.getInputStream(index), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        libraries.add(line.substring(line.lastIndexOf('/') + 1, line.lastIndexOf('"')));
      }
    }
    return libraries;
  }

  private void removeOthers(Path folder) throws IOException {
    long old = clock.millis() - KEPT.toMillis();
    try (DirectoryStream<Path> others = Files.newDirectoryStream(cache, "jar-*")) {
      for (Path other : others) {
        String name = other.getFileName().toString();
        int part = name.indexOf(PART);
        if (part >= 0) {
          if (ProcessHandle.of(Long.parseLong(name.substring(part + PART.length()))).isEmpty()) {
            FileSystemUtils.deleteRecursively(other);
          }
        } else if (!other.equals(folder)
            && (name.startsWith(place) || isOlder(other.resolve(SIZES), old))) {
          removeUnlessUsed(other);
        }
      }
    }
  }

  private static boolean isOlder(Path file, long millis) throws IOException {
    return !Files.exists(file) || Files.getLastModifiedTime(file).toMillis() < millis;
  }

  private static void remove(Path folder) throws IOException {
    if (!removeUnlessUsed(folder)) {
      throw new IOException(folder + " is damaged, and a process uses it");
    }
  }

  private static boolean removeUnlessUsed(Path folder) throws IOException {
    try (FileChannel file = openLock(folder);
        FileLock removal = file.tryLock()) {
      return removal != null && FileSystemUtils.deleteRecursively(folder);
    }
  }

  private static FileChannel openLock(Path folder) throws IOException {
    return FileChannel.open(
        folder.resolve(LOCK),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }
}
