package palmares.api.reader.stream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Operation;
import palmares.api.identity.KeyRevocations;
import palmares.api.reader.ParameterLimits;
import palmares.api.reader.PathLookup;
import palmares.api.reader.lines.PeriodBoards;
import palmares.api.reader.stream.Streams.Reservation;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.period.Period;

/** Streams the top lines of a board until its period is sealed. */
@RestController
class StreamController {
  private static final int MAX_LINES = 100;
  private static final Duration MAX_DURATION = Duration.ofMinutes(15);

  private final PathLookup lookup;
  private final PeriodBoards boards;
  private final Streams streams;
  private final KeyRevocations revocations;

  StreamController(
      PathLookup lookup, PeriodBoards boards, Streams streams, KeyRevocations revocations) {
    this.lookup = lookup;
    this.boards = boards;
    this.streams = streams;
    this.revocations = revocations;
  }

  @Operation("stream")
  @Requires(value = Role.READER, unlessPublic = true)
  @GetMapping("/api/v1/boards/{board}/periods/{period}/stream")
  void stream(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(defaultValue = "10") int count,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    int limited = ParameterLimits.count(count, MAX_LINES);
    Period found = lookup.period(board, period);
    if (boards.of(found).version().over() && BoardWatcher.LAST_ID.equals(last)) {
      // Browsers reconnect after any other status.
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      return;
    }
    response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE + ";charset=UTF-8");
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader(
        "X-Accel-Buffering", "no"); // turns off buffering in nginx and similar proxies
    if (!request.getMethod().equals(HttpMethod.HEAD.name())) {
      watch(found, limited, request, response);
    }
  }

  private void watch(
      Period period, int count, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Reservation reservation = streams.reserve(Caller.find().orElse(null), request.getRemoteAddr());
    BoardWatcher watcher = register(period, count, reservation, request, response);
    response.getOutputStream().setWriteListener(watcher);
    streams.join(period, watcher);
  }

  /** Adds a listener that releases the reservation when the request ends. */
  private BoardWatcher register(
      Period period,
      int count,
      Reservation reservation,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    boolean registered = false;
    try {
      AsyncContext async = request.startAsync();
      var watcher =
          new BoardWatcher(
              count, async, response.getOutputStream(), revocations.stillValid(request));
      // A client that connects again is checked again: its session may have ended.
      async.setTimeout(MAX_DURATION.toMillis());
      async.addListener(new EndListener(() -> streams.leave(period, watcher, reservation)));
      registered = true;
      return watcher;
    } finally {
      if (!registered) {
        streams.release(reservation);
      }
    }
  }

  /** Runs once the container has ended the request, for any reason. */
  private record EndListener(Runnable onEnd) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      onEnd.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      event.getAsyncContext().complete();
    }

    @Override
    public void onError(AsyncEvent event) {
      event.getAsyncContext().complete();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}
