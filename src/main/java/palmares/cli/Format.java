package palmares.cli;

/** How a report is written. */
enum Format {
  /** For people. */
  TABLE,
  /** For spreadsheets and scripts. */
  CSV,
  /** For programs. */
  JSON
}
