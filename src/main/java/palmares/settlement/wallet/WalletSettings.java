package palmares.settlement.wallet;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configures what is expected of the wallet.
 *
 * @param confirmWithin how long the wallet may take to say what became of an award
 */
@ConfigurationProperties("palmares.wallet")
public record WalletSettings(@DefaultValue("1d") Duration confirmWithin) {
  public WalletSettings {
    if (confirmWithin.toMillis() < 1) {
      throw new IllegalArgumentException(
          "palmares.wallet.confirm-within is %s, and must be longer than 0"
              .formatted(confirmWithin));
    }
  }
}
