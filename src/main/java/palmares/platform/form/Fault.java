package palmares.platform.form;

/**
 * Something that is wrong in a file.
 *
 * @param file the file's name, or its folder's
 * @param line counted from 1; 0 if it is not about a line
 * @param field the way to it, {@code rewards[1].ranks.2-3}, items of a list counted from 1; empty
 *     if it is about the whole file
 * @param message what is wrong and what would be right
 */
public record Fault(String file, int line, String field, String message) {

  /** On one line, in the shape that editors and terminals turn into a link. */
  @Override
  public String toString() {
    var where = line == 0 ? file : file + ":" + line;
    return field.isEmpty() ? where + ": " + message : where + ": " + field + " " + message;
  }
}
