package palmares.rules.adoption;

/** The score is the points: ZADD or ZINCRBY, as it comes. */
public record PlainPoints() implements Encoding {
  @Override
  public String word() {
    return "points";
  }

  @Override
  public boolean keepsRanks() {
    return false;
  }

  @Override
  public long exactPoints() {
    return 0;
  }

  @Override
  public DecodedScore decode(double score, ChangeWindow window) {
    return new DecodedScore(ExactDoubles.points(ExactDoubles.whole(score)), null);
  }
}
