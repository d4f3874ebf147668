package palmares.api.identity;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

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
    if (!isValid(requestsPerCaller)
        || !isValid(requestsPerAddress)
        || !isValid(signInsPerAddress)
        || !isValid(concurrentRequestsPerCaller)
        || !isValid(wrongSessionsPerAddress)) {
      throw new IllegalArgumentException(
          "palmares.limits: requests-per-caller, requests-per-address, sign-ins-per-address,"
              + " concurrent-requests-per-caller and"
              + " wrong-sessions-per-address are 1 to %,d; not %d, %d, %d, %d, %d"
                  .formatted(
                      MAX_REQUEST_RATE,
                      requestsPerCaller,
                      requestsPerAddress,
                      signInsPerAddress,
                      concurrentRequestsPerCaller,
                      wrongSessionsPerAddress));
    }
  }

  private static boolean isValid(int limit) {
    return limit >= 1 && limit <= MAX_REQUEST_RATE;
  }
}
