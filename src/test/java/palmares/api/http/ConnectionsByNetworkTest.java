package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palmares.api.http.AddressBoundProtocol.ConnectionsByNetwork;

/** A client of IPv6 has all addresses of its /64, so they share one limit. */
class ConnectionsByNetworkTest {
  private final Set<Integer> closed = new HashSet<>();
  private final ConnectionsByNetwork<Integer> connections =
      new ConnectionsByNetwork<>(connection -> !closed.contains(connection));

  private boolean add(String address, int connection) throws UnknownHostException {
    return connections.add(InetAddress.getByName(address), connection, 2);
  }

  @Test
  void addressesOfOneNetworkShareALimit() throws UnknownHostException {
    assertThat(add("2001:db8:1:2::1", 1)).isTrue();
    assertThat(add("2001:db8:1:2:ffff::2", 2)).isTrue();
    assertThat(add("2001:db8:1:2:3:4:5:6", 3)).isFalse();
    assertThat(add("2001:db8:1:3::1", 4)).isTrue();
    assertThat(add("fe80::1%1", 5)).isTrue();
    assertThat(add("10.0.0.1", 6)).isTrue();
    assertThat(add("10.0.0.2", 7)).isTrue();
    closed.add(1);
    assertThat(add("2001:db8:1:2::9", 8)).isTrue();
    assertThat(add("2001:db8:1:2::9", 9)).isFalse();
    closed.addAll(Set.of(2, 8));
    connections.removeClosed();
    assertThat(add("2001:db8:1:2::9", 10)).isTrue();
  }
}
