package palmares.period;

/**
 * What a live board held when it was sealed, or holds after a rebuild.
 *
 * @param members how many stand on it
 * @param points the sum of all points
 * @param events how many events its journal holds
 */
public record Population(long members, long points, long events) {
  /** Of a period in which nothing ever happened. */
  public static final Population NOBODY = new Population(0, 0, 0);
}
