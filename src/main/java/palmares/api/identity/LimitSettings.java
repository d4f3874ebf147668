package palmares.api.identity;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How many requests a process answers; more are answered with status 429.
 *
 * @param requestsPerCaller how many requests a second of each API key or person; at least 1
 * @param requestsPerAddress how many requests a second of each address without a key or person; an
 *     IPv6 address counts as its /64; at least 1
 * @param signInsPerAddress how many attempts a minute to sign in with a password, of each address;
 *     an IPv6 address counts as its /64; at least 1
 */
@ConfigurationProperties("palmares.limits")
record LimitSettings(
    @DefaultValue("100000") int requestsPerCaller,
    @DefaultValue("1000") int requestsPerAddress,
    @DefaultValue("30") int signInsPerAddress) {
  LimitSettings {
    if (requestsPerCaller < 1 || requestsPerAddress < 1 || signInsPerAddress < 1) {
      throw new IllegalArgumentException(
          "palmares.limits: requests-per-caller, requests-per-address and sign-ins-per-address must"
              + " be at least 1; not %d, %d, %d"
                  .formatted(requestsPerCaller, requestsPerAddress, signInsPerAddress));
    }
  }
}
