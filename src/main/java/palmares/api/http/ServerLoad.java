package palmares.api.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;

/**
 * Limits the memory and the transfers of all requests in progress. A request that would exceed a
 * limit is refused at once and can be sent again.
 */
public final class ServerLoad {
  private static final String SHARE = ServerLoad.class.getName();

  /** Requests that take no more memory are not counted. */
  private static final long UNCOUNTED_BYTES = 32 << 10;

  private final long maxBytes;
  private final int maxTransfers;
  private final int maxTransfersPerAddress;
  private final int maxAnonymousPerAddress;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger transfers = new AtomicInteger();

  /** By {@link Clients#network}. */
  private final Map<String, Integer> transfersByAddress = new ConcurrentHashMap<>();

  /** Those of them whose callers have not signed in, by {@link Clients#network}. */
  private final Map<String, Integer> anonymousByAddress = new ConcurrentHashMap<>();

  /**
   * @param maxTransfers of all addresses; must be less than the number of threads if they block
   * @param maxAnonymousPerAddress of the transfers of one address, those of callers who have not
   *     signed in
   */
  ServerLoad(
      long maxBytes, int maxTransfers, int maxTransfersPerAddress, int maxAnonymousPerAddress) {
    this.maxBytes = maxBytes;
    this.maxTransfers = maxTransfers;
    this.maxTransfersPerAddress = maxTransfersPerAddress;
    this.maxAnonymousPerAddress = maxAnonymousPerAddress;
  }

  /**
   * Reserves memory for the request of the current thread, until it ends. Does nothing outside of a
   * request.
   *
   * @throws Refusal if other requests hold too much memory
   */
  public static void reserve(long bytes) {
    Share share = current();
    if (share != null) {
      share.reserve(bytes);
    }
  }

  /**
   * Notes that the caller of the current thread's request has signed in: transfers that it begins
   * from now on are limited less. Does nothing outside of a request.
   */
  public static void noteSignedIn() {
    Share share = current();
    if (share != null) {
      share.noteSignedIn();
    }
  }

  private static @Nullable Share current() {
    RequestAttributes request = RequestContextHolder.getRequestAttributes();
    return request != null
            && request.getAttribute(SHARE, RequestAttributes.SCOPE_REQUEST) instanceof Share share
        ? share
        : null;
  }

  /** Begins to count a request. */
  Share share(String address) {
    return new Share(address);
  }

  /**
   * Counts a response that the client does not read as a transfer, until {@link #endWait}.
   *
   * @return false if there are too many transfers, so that the thread must not wait
   */
  boolean beginWait(String address) {
    try {
      enter(address, false);
      return true;
    } catch (Refusal full) {
      return false;
    }
  }

  void endWait(String address) {
    leave(address, false);
  }

  private void enter(String address, boolean anonymous) {
    if (transfers.incrementAndGet() > maxTransfers) {
      transfers.decrementAndGet();
      throw new Refusal(Problem.OVERLOADED, new HttpSentences.TooManyBodies());
    }
    String network = Clients.network(address);
    int ofAddress = transfersByAddress.merge(network, 1, Integer::sum);
    int ofAnonymous = anonymous ? anonymousByAddress.merge(network, 1, Integer::sum) : 0;
    if (ofAddress > maxTransfersPerAddress) {
      leave(address, anonymous);
      throw tooMany(new HttpSentences.TooManyTransfers(maxTransfersPerAddress));
    }
    if (ofAnonymous > maxAnonymousPerAddress) {
      leave(address, anonymous);
      throw tooMany(new HttpSentences.TooManyTransfersUnknown(maxAnonymousPerAddress));
    }
  }

  private static Refusal tooMany(Sentence said) {
    return new Refusal(Problem.TOO_MANY_REQUESTS, said);
  }

  private void leave(String address, boolean anonymous) {
    transfers.decrementAndGet();
    String network = Clients.network(address);
    transfersByAddress.computeIfPresent(network, ServerLoad::less);
    if (anonymous) {
      anonymousByAddress.computeIfPresent(network, ServerLoad::less);
    }
  }

  private static @Nullable Integer less(String network, int count) {
    return count == 1 ? null : count - 1;
  }

  /** Says what one request takes. Not thread-safe. */
  final class Share implements AutoCloseable {
    static final String ATTRIBUTE = SHARE;

    private final String address;
    private long wanted;
    private long held;
    private boolean transfers;
    private boolean anonymous = true;

    /** As the present transfer was counted. */
    private boolean countedAsAnonymous;

    private Share(String address) {
      this.address = address;
    }

    void reserve(long more) {
      wanted += more;
      if (wanted <= UNCOUNTED_BYTES) {
        return;
      }
      beginTransfer();
      long missing = wanted - held;
      if (bytes.addAndGet(missing) > maxBytes) {
        bytes.addAndGet(-missing);
        wanted -= more;
        throw new Refusal(Problem.OVERLOADED, new HttpSentences.OutOfMemory());
      }
      held = wanted;
    }

    void noteSignedIn() {
      anonymous = false;
    }

    /** Counts a body that arrives or a long response that is sent; does nothing if counted. */
    void beginTransfer() {
      if (transfers) {
        return;
      }
      countedAsAnonymous = anonymous;
      enter(address, countedAsAnonymous);
      transfers = true;
    }

    /** Ends the transfer of the body, unless it holds memory. */
    void endBody() {
      if (held == 0) {
        endTransfer();
      }
    }

    private void endTransfer() {
      if (transfers) {
        transfers = false;
        leave(address, countedAsAnonymous);
      }
    }

    @Override
    public void close() {
      bytes.addAndGet(-held);
      held = 0;
      wanted = 0;
      endTransfer();
    }
  }

  /** The transfers of an address that are in progress. */
  int transfersOf(String address) {
    return transfersByAddress.getOrDefault(Clients.network(address), 0);
  }

  /** Whether no request takes memory or transfers. */
  boolean isIdle() {
    return bytes.get() == 0
        && transfers.get() == 0
        && transfersByAddress.isEmpty()
        && anonymousByAddress.isEmpty();
  }
}
