package palmares.period;

/**
 * Says what a live board holds.
 *
 * @param members number of members
 * @param points sum of the points of all members
 * @param events number of events in the journal
 */
public record Population(long members, long points, long events) {
  public static final Population EMPTY = new Population(0, 0, 0);
}
