package palmares.api.http;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Counts open connections by the network of their client. Not thread-safe. */
final class ConnectionsByNetwork<C> {
  private final Predicate<C> isOpen;
  private final Map<String, List<C>> open = new HashMap<>();

  ConnectionsByNetwork(Predicate<C> isOpen) {
    this.isOpen = isOpen;
  }

  /** Adds a connection; returns false if its network has the maximum of open ones. */
  boolean add(InetAddress address, C connection, int most) {
    List<C> others =
        open.computeIfAbsent(
            Clients.network(address.getHostAddress()), network -> new ArrayList<>());
    if (others.size() >= most) {
      others.removeIf(isOpen.negate());
    }
    return others.size() < most && others.add(connection);
  }

  void removeClosed() {
    open.values().forEach(connections -> connections.removeIf(isOpen.negate()));
    open.values().removeIf(List::isEmpty);
  }
}
