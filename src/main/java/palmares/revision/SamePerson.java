package palmares.revision;

/** Who prepared something may not approve it, and this is who did. */
public final class SamePerson extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whoever it is. */
  public SamePerson(String by) {
    super(
        "it was prepared by %s, and its board asks for a second person: somebody else must approve"
            .formatted(by));
  }
}
