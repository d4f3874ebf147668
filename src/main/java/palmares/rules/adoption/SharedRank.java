package palmares.rules.adoption;

/**
 * Three keys: a hash of members' points, a hash of how many members hold so many points, and a ZSET
 * of the points that anybody holds, in which a member's rank is that of its points.
 */
public record SharedRank() implements Encoding {
  @Override
  public String word() {
    return "shared-rank";
  }

  @Override
  public boolean keepsRanks() {
    return true;
  }

  @Override
  public long exactPoints() {
    return 0;
  }

  @Override
  public DecodedScore decode(double score, ChangeWindow window) {
    return new PlainPoints().decode(score, window);
  }
}
