package palmares.platform.embedded;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Uses the servers of another owner, who learns from the guest book that we are there. */
record SharedUse(SharedLock book) implements ServerAccess {
  /** Empty when the owner is just starting or leaving. */
  static Optional<EmbeddedServers> enter(DataFolder folder) throws IOException {
    SharedLock book = SharedLock.of(folder);
    if (!book.enter()) {
      return Optional.empty();
    }
    Optional<ServerFile> serverFile = ServerFile.read(folder);
    if (serverFile.isEmpty()) {
      book.leave();
      return Optional.empty();
    }
    return Optional.of(
        new EmbeddedServers(folder, serverFile.get(), folder.secret(), new SharedUse(book)));
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
