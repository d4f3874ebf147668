package palmares.api.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;

/** Identifies clients by their network address, for limits that count by address. */
public final class Clients {
  private static final int IPV6_NETWORK_BYTES = 8;

  private Clients() {}

  /**
   * Returns the network that one client has all addresses of: an IPv6 address counts as its /64,
   * anything else as it is. Never asks a name server.
   */
  public static String network(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      return InetAddress.getByName("[" + address + "]") instanceof Inet6Address ip
          ? HexFormat.of().formatHex(Arrays.copyOf(ip.getAddress(), IPV6_NETWORK_BYTES)) + "/64"
          : address;
    } catch (UnknownHostException e) {
      return address;
    }
  }
}
