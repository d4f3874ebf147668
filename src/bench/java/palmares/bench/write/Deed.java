package palmares.bench.write;

/**
 * What one event tells.
 *
 * @param id as long as most callers' ids are
 * @param points what it brings
 */
record Deed(String id, String member, int points) {
  /** The action that all of them are. */
  static final String ACTION = "coin";

  /** As a caller sends it. */
  String json() {
    return "{\"id\":\""
        + id
        + "\",\"member\":\""
        + member
        + "\",\"action\":\""
        + ACTION
        + "\",\"quantity\":"
        + points
        + '}';
  }
}
