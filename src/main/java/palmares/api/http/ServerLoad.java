package palmares.api.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Counts what all requests in progress take together: memory, and transfers that a slow caller
 * draws out. A request that would pass a bound is refused at once and may be sent again.
 */
public final class ServerLoad {
  private static final String SHARE = ServerLoad.class.getName();

  /** Smaller requests take no more than their connections do. */
  private static final long FREE_BYTES = 32 << 10;

  private final long maxBytes;
  private final int maxTransfers;
  private final int maxTransfersPerAddress;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger transfers = new AtomicInteger();
  private final Map<String, Integer> transfersByAddress = new ConcurrentHashMap<>();

  /**
   * @param maxTransfers of all addresses; where a transfer holds a thread, fewer than there are
   */
  ServerLoad(long maxBytes, int maxTransfers, int maxTransfersPerAddress) {
    this.maxBytes = maxBytes;
    this.maxTransfers = maxTransfers;
    this.maxTransfersPerAddress = maxTransfersPerAddress;
  }

  /**
   * Reserves memory for the request that this thread works on, until it is answered. Does nothing
   * outside of a request.
   *
   * @throws ProblemException if other requests hold too much
   */
  public static void reserve(long bytes) {
    RequestAttributes request = RequestContextHolder.getRequestAttributes();
    if (request != null
        && request.getAttribute(SHARE, RequestAttributes.SCOPE_REQUEST) instanceof Share share) {
      share.reserve(bytes);
    }
  }

  /** The share of a new request. */
  Share share(String address) {
    return new Share(address);
  }

  /**
   * Counts an answer of any size that its caller does not take as a transfer, until {@link
   * #endWait}.
   *
   * @return false if there are too many transfers: the caller must not be waited for
   */
  boolean beginWait(String address) {
    try {
      enter(address);
      return true;
    } catch (ProblemException full) {
      return false;
    }
  }

  void endWait(String address) {
    leave(address);
  }

  private void enter(String address) {
    if (transfers.incrementAndGet() > maxTransfers) {
      transfers.decrementAndGet();
      throw new ProblemException(
          Problem.OVERLOADED, "too many bodies arrive at the same time: send it again");
    }
    if (transfersByAddress.merge(address, 1, Integer::sum) > maxTransfersPerAddress) {
      leave(address);
      throw new ProblemException(
          Problem.TOO_MANY_REQUESTS,
          "%d bodies or long answers of your address are under way, as many as may be"
              .formatted(maxTransfersPerAddress));
    }
  }

  private void leave(String address) {
    transfers.decrementAndGet();
    transfersByAddress.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
  }

  /** What one request takes. Belongs to the thread that works on it. */
  final class Share implements AutoCloseable {
    static final String ATTRIBUTE = SHARE;

    private final String address;
    private long wanted;
    private long held;
    private boolean transfers;

    private Share(String address) {
      this.address = address;
    }

    void reserve(long more) {
      wanted += more;
      if (wanted <= FREE_BYTES) {
        return;
      }
      beginTransfer();
      long missing = wanted - held;
      if (bytes.addAndGet(missing) > maxBytes) {
        bytes.addAndGet(-missing);
        wanted -= more;
        throw new ProblemException(
            Problem.OVERLOADED, "other requests take the memory for large ones: send it again");
      }
      held = wanted;
    }

    /** A body begins to arrive, or a long answer is to leave. */
    void beginTransfer() {
      if (transfers) {
        return;
      }
      enter(address);
      transfers = true;
    }

    /** The body is there; what is kept of it counts as memory. */
    void endBody() {
      if (held == 0) {
        endTransfer();
      }
    }

    private void endTransfer() {
      if (transfers) {
        transfers = false;
        leave(address);
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

  /** Whether no request takes anything. */
  boolean isNone() {
    return bytes.get() == 0 && transfers.get() == 0 && transfersByAddress.isEmpty();
  }
}
