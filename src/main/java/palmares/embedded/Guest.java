package palmares.embedded;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Uses the servers of another owner, who learns from the guest book that we are there. */
record Guest(GuestBook book) implements Tenure {
  /** Empty when the owner is just starting or leaving. */
  static Optional<EmbeddedServers> enter(DataFolder folder) throws IOException {
    GuestBook book = GuestBook.of(folder);
    if (!book.enter()) {
      return Optional.empty();
    }
    Optional<Notice> notice = Notice.read(folder);
    if (notice.isEmpty()) {
      book.leave();
      return Optional.empty();
    }
    return Optional.of(new EmbeddedServers(folder, notice.get(), folder.secret(), new Guest(book)));
  }

  @Override
  public boolean owns() {
    return false;
  }

  /** The owner does. */
  @Override
  public List<String> revive() {
    return List.of();
  }

  @Override
  public void end() throws IOException {
    book.leave();
  }
}
