package palmares.cli.output;

/** How a report is written. */
public enum Format {
  /** For people. */
  TABLE,
  /** For spreadsheets and scripts. */
  CSV,
  /** For programs. */
  JSON
}
