package palmares.api.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Identifies clients by their network address, for limits that count by address. */
public final class Clients {
  private static final int IPV6_NETWORK_BYTES = 8;

  private Clients() {}

  /**
   * Returns a thread-safe map that drops the entry that was not used for the longest time if it has
   * more than {@code maxEntries}. Nobody can make it drop an entry that is in use, except by more
   * entries than it holds.
   */
  public static <V> Map<String, V> recentlyUsed(int maxEntries) {
    return Collections.synchronizedMap(
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > maxEntries;
          }
        });
  }

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
