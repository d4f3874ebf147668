package palmares.platform.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads statements from .sql files of the classpath. A file begins with a header of comment lines
 * and an empty line. As in psql, a line {@code \ir FILE} includes a file, relative to its own.
 */
public final class SqlFile {
  private static final Pattern HEADER = Pattern.compile("\\A(-- .*\n)+\n");
  private static final Pattern INCLUDE = Pattern.compile("(?m)^\\\\ir (\\S+)$");

  private SqlFile() {}

  /**
   * The statement, without headers.
   *
   * @param file relative to the owner's package
   * @throws IllegalStateException if a file is missing or has no header
   */
  public static String read(Class<?> owner, String file) {
    String text = text(owner, file);
    Matcher header = HEADER.matcher(text);
    if (!header.find()) {
      throw new IllegalStateException(file + " does not begin with comment lines and an empty one");
    }
    String folder = file.substring(0, file.lastIndexOf('/') + 1);
    return INCLUDE
        .matcher(text.substring(header.end()).stripTrailing())
        .replaceAll(line -> Matcher.quoteReplacement(read(owner, folder + line.group(1))));
  }

  private static String text(Class<?> owner, String file) {
    try (InputStream in = owner.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing next to " + owner.getName());
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
