package palmares.platform.output;

import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;

/** A format of results. */
public enum OutputFormat implements Choice {
  /** For people. */
  TABLE("text/plain"),
  /** For spreadsheets and scripts. */
  CSV("text/csv"),
  /** For programs. */
  JSON("application/json"),
  /** For spreadsheets, with typed cells. */
  XLSX("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");

  private final String mediaType;

  OutputFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /** The media type of results in HTTP. */
  public String mediaType() {
    return mediaType;
  }

  /**
   * The number of rows to write.
   *
   * @param requested what the caller asked for; null for the default
   * @param inTable the default for tables, which must fit into memory; other formats have no limit
   */
  public int limit(@Nullable Integer requested, int inTable) {
    return requested != null ? requested : this == TABLE ? inTable : Integer.MAX_VALUE;
  }
}
