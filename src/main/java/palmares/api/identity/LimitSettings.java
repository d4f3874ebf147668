package palmares.api.identity;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.platform.text.Setting;

/**
 * Says how many requests a process answers; more are answered with status 429.
 *
 * @param requestsPerCaller how many requests a second of each API key or person; 1 to 10,000,000
 * @param requestsPerAddress how many requests a second of each address without a key or person; an
 *     IPv6 address counts as its /64; 1 to 10,000,000
 * @param signInsPerAddress how many attempts a minute to sign in with a password, of each address;
 *     an IPv6 address counts as its /64; 1 to 10,000,000
 * @param concurrentRequestsPerCaller how many requests of each API key or person to the operations
 *     API and the console are answered at a time; 1 to 10,000,000
 * @param wrongSessionsPerAddress how many cookies of sessions that do not exist are looked up in
 *     ten seconds, of each address; an IPv6 address counts as its /64; 1 to 10,000,000
 */
@ConfigurationProperties("palmares.limits")
record LimitSettings(
    @DefaultValue("100000") int requestsPerCaller,
    @DefaultValue("1000") int requestsPerAddress,
    @DefaultValue("30") int signInsPerAddress,
    @DefaultValue("40") int concurrentRequestsPerCaller,
    @DefaultValue("20") int wrongSessionsPerAddress) {
  private static final int MAX_REQUEST_RATE = 10_000_000;

  LimitSettings {
    require("requests-per-caller", requestsPerCaller);
    require("requests-per-address", requestsPerAddress);
    require("sign-ins-per-address", signInsPerAddress);
    require("concurrent-requests-per-caller", concurrentRequestsPerCaller);
    require("wrong-sessions-per-address", wrongSessionsPerAddress);
  }

  private static void require(String name, int limit) {
    new Setting("palmares.limits").part(name).requireWithin(1, MAX_REQUEST_RATE, limit);
  }
}
