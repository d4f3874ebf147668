package palmares.live.relay;

/** Thrown when too many events are queued for a commit. None was taken; the caller may retry. */
public final class RelayBacklogFull extends RuntimeException {
  RelayBacklogFull(int queued) {
    super(
        "%d events are queued to be committed; try again later".formatted(queued),
        null,
        false,
        false);
  }
}
