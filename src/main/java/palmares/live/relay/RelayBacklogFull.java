package palmares.live.relay;

/** More events wait for PostgreSQL than are let wait: nothing was taken. Try again later. */
public final class RelayBacklogFull extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RelayBacklogFull(int waiting) {
    super("%d events wait to be committed already".formatted(waiting), null, false, false);
  }
}
