package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** Limits of 10 MB, 6 transfers, and 4 transfers of one address, 2 of them without a caller. */
class ServerLoadTest {
  private static final int MB = 1 << 20;

  private final ServerLoad load = new ServerLoad(10 * MB, 6, 4, 2);

  @Test
  void memoryHeldByOthersCannotBeReserved() {
    ServerLoad.Share first = load.share("a");
    first.reserve(6 * MB);
    ServerLoad.Share second = load.share("b");
    second.reserve(4 * MB);
    assertRefused(() -> second.reserve(1), Problem.OVERLOADED);
    first.close();
    second.reserve(6 * MB);
    second.close();
    assertThat(load.isIdle()).isTrue();
  }

  @Test
  void smallRequestsPassWhileLargeOnesHoldAllMemory() {
    load.share("a").reserve(10 * MB);
    for (int i = 0; i < 1_000; i++) {
      load.share("a").reserve(32 << 10);
    }
    assertRefused(() -> load.share("a").reserve((32 << 10) + 1), Problem.OVERLOADED);
  }

  @Test
  void transfersAreLimitedByAddressAndInTotal() {
    List<ServerLoad.Share> shares = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      shares.add(begun("a"));
    }
    assertRefused(() -> begun("a"), Problem.TOO_MANY_REQUESTS);
    shares.add(begun("b"));
    shares.add(begun("b"));
    assertRefused(() -> begun("c"), Problem.OVERLOADED);
    shares.get(0).endBody();
    begun("c").close();
    shares.forEach(ServerLoad.Share::close);
    assertThat(load.isIdle()).isTrue();
  }

  @Test
  void whoHasNotSignedInHasFewerTransfers() {
    ServerLoad.Share first = load.share("a");
    first.beginTransfer();
    load.share("a").beginTransfer();
    assertRefused(() -> load.share("a").beginTransfer(), Problem.TOO_MANY_REQUESTS);
    begun("a");
    first.noteSignedIn(); // within its transfer
    first.close();
    load.share("a").beginTransfer();
    assertRefused(() -> load.share("a").beginTransfer(), Problem.TOO_MANY_REQUESTS);
    load.share("b").beginTransfer();
  }

  @Test
  void transfersOfOneIpv6NetworkShareALimit() {
    for (int i = 0; i < 3; i++) {
      begun("2001:db8:1:2::" + i);
    }
    assertThat(load.beginWait("2001:db8:1:2:ffff::1")).isTrue();
    assertRefused(() -> begun("2001:db8:1:2::9"), Problem.TOO_MANY_REQUESTS);
    assertThat(load.beginWait("2001:db8:1:2::9")).isFalse();
    assertThat(load.beginWait("2001:db8:1:3::9")).isTrue();
    load.endWait("2001:db8:1:2::77");
    begun("2001:db8:1:2::9");
  }

  @Test
  void aLargeBodyIsATransferUntilTheResponse() {
    ServerLoad.Share share = begun("a");
    share.reserve(MB);
    share.endBody();
    assertThat(load.isIdle()).isFalse();
    share.close();
    share.close();
    assertThat(load.isIdle()).isTrue();
  }

  private ServerLoad.Share begun(String address) {
    ServerLoad.Share share = load.share(address);
    share.noteSignedIn();
    share.beginTransfer();
    return share;
  }

  private static void assertRefused(Runnable work, Problem problem) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.problem()).isEqualTo(problem));
  }
}
