package palmares.adoption;

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
  public Decoded decode(double score, Window window) {
    return new Decoded(Scores.points(Scores.whole(score)), null);
  }
}
