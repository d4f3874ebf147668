package palmares.platform.output;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A format of results. */
public enum OutputFormat {
  /** For people. */
  TABLE,
  /** For spreadsheets and scripts. */
  CSV,
  /** For programs. */
  JSON,
  /** For spreadsheets, with typed cells. */
  XLSX;

  /**
   * The number of rows to write.
   *
   * @param requested what the caller asked for; null for the default
   * @param inTable the default for tables, which must fit into memory; other formats have no limit
   */
  public int limit(@Nullable Integer requested, int inTable) {
    return requested != null ? requested : this == TABLE ? inTable : Integer.MAX_VALUE;
  }

  /** The name of the format in options. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
