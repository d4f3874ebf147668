package palmares.bench.history;

/** What is measured at each length of the history. */
enum Act {
  CLOSING("closing"),
  VERIFICATION("verify of one period"),
  PAGE("a page of one period"),
  LINE("a member's line of one period");

  private final String label;

  Act(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** Whether it is one transaction that only reads. */
  boolean isRead() {
    return this == PAGE || this == LINE;
  }

  /** In the names of figures. */
  String word() {
    return switch (this) {
      case CLOSING -> "close";
      case VERIFICATION -> "verify";
      case PAGE -> "page";
      case LINE -> "line";
    };
  }
}
