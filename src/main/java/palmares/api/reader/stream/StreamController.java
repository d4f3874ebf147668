package palmares.api.reader.stream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.reader.ParameterLimits;
import palmares.api.reader.PathLookup;
import palmares.api.reader.lines.PeriodBoards;
import palmares.period.Period;

/** Pushes the top of a board to whoever watches it, until its period is sealed. */
@RestController
class StreamController {
  private static final int MOST_LINES = 100;

  private final PathLookup lookup;
  private final PeriodBoards boards;
  private final Streams streams;

  StreamController(PathLookup lookup, PeriodBoards boards, Streams streams) {
    this.lookup = lookup;
    this.boards = boards;
    this.streams = streams;
  }

  @GetMapping("/api/v1/boards/{board}/periods/{period}/stream")
  void stream(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(defaultValue = "10") int count,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    int limited = ParameterLimits.count(count, MOST_LINES);
    Period found = lookup.period(board, period);
    if (boards.of(found).version().over() && StreamMessage.LAST.equals(last)) {
      // The one answer that keeps a browser from coming again.
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      return;
    }
    response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE + ";charset=UTF-8");
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader("X-Accel-Buffering", "no"); // proxies of nginx's kind pass it on at once
    if (!request.getMethod().equals(HttpMethod.HEAD.name())) {
      watch(found, limited, request, response);
    }
  }

  private void watch(
      Period period, int count, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    streams.takeSeat();
    BoardWatcher watcher = seated(period, count, request, response);
    response.getOutputStream().setWriteListener(watcher);
    streams.join(period, watcher);
  }

  /** From here on the container tells when the watcher leaves its seat. */
  private BoardWatcher seated(
      Period period, int count, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean seated = false;
    try {
      AsyncContext async = request.startAsync();
      var watcher = new BoardWatcher(count, async, response.getOutputStream());
      async.setTimeout(0);
      async.addListener(new Leaving(() -> streams.leave(period, watcher)));
      seated = true;
      return watcher;
    } finally {
      if (!seated) {
        streams.leaveSeat();
      }
    }
  }

  /** The container ends a request after whatever error, and tells so at last. */
  private record Leaving(Runnable leave) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      leave.run();
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
