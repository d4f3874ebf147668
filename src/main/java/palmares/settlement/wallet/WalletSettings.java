package palmares.settlement.wallet;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import palmares.platform.text.Setting;

/**
 * Configures what is expected of the wallet.
 *
 * @param confirmWithin how long the wallet may take to say what became of an award
 */
@ConfigurationProperties("palmares.wallet")
public record WalletSettings(@DefaultValue("1d") Duration confirmWithin) {
  public WalletSettings {
    new Setting("palmares.wallet.confirm-within")
        .requireAtLeast(Duration.ofMillis(1), confirmWithin);
  }
}
