package palmares.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.api.security.Role;
import palmares.console.Windows.Look;
import palmares.period.Period;
import palmares.testing.Contest;
import palmares.testing.World;

/** The first page of the morning. */
@ConsoleTest
class InboxTest {
  @Autowired private World world;

  @Test
  void anEmptyInboxSaysWhatClosesNext(Windows windows) {
    Period period = world.open(world.board(Contest.rules()));
    windows.add("ann", Role.VIEWER);
    Window window = windows.open(Look.LIGHT);
    window.goTo("/console");
    assertThat(window.path()).isEqualTo("/console/sign-in");
    window.expecting(401).signIn("ann", "wrong password");
    assertThat(window.text()).contains("the name or the password is wrong");
    window.fill("Password", Windows.PASSWORD).click("Sign in");
    assertThat(window.path()).isEqualTo("/console");
    assertThat(window.text()).contains("Nothing needs you.", "14 h 10 min", period.label());
  }
}
