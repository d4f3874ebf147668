package palmares.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Idempotency;
import palmares.api.identity.LocalToken;
import palmares.api.ops.Listing;
import palmares.api.ops.ListingConverter;
import palmares.api.ops.PageRequest;
import palmares.api.ops.Rows;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.UserError;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.OutputFormat;
import palmares.platform.text.Choice;
import palmares.platform.text.Fault;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * Calls the resources of a server over HTTP. Of Spring, it uses the annotations of their interfaces
 * only, so that a command is quick.
 */
public final class Client implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** A server answers long calls with their task at once, and a report within ten minutes. */
  private static final Duration READ_TIMEOUT = Duration.ofMinutes(11);

  private static final String NDJSON = "application/x-ndjson";
  private static final Pattern NEXT = Pattern.compile(".*[?&]after=([^&>]*).*");

  static {
    // Else Java sends a verb again if the server ends the connection without an answer.
    System.setProperty("sun.net.http.retryPost", "false");
  }

  private final Server server;
  private final String accept;

  /** What says which server is called. */
  private static final List<String> SETTINGS = List.of("--url", "PALMARES_URL", "--profile");

  private final Locale language;
  private final Duration readTimeout;
  private final @Nullable RunningApplication started;

  /**
   * @param accept the media type of lists
   * @param started the server, if it was started for this command and stops with it; null for
   *     others
   */
  Client(Server server, String accept, Locale language, @Nullable RunningApplication started) {
    this(server, accept, language, READ_TIMEOUT, started);
  }

  Client(
      Server server,
      String accept,
      Locale language,
      Duration readTimeout,
      @Nullable RunningApplication started) {
    this.server = server;
    this.readTimeout = readTimeout;
    this.accept = accept;
    this.language = language;
    this.started = started;
  }

  /** A resource of the operations API, by its interface. */
  public <T> T get(Class<T> resource) {
    return resource.cast(
        Proxy.newProxyInstance(
            resource.getClassLoader(),
            new Class<?>[] {resource},
            (proxy, method, arguments) -> call(Request.of(method, arguments), method)));
  }

  @Override
  public void close() {
    if (started != null) {
      started.close();
    }
  }

  /** What is sent. */
  private record Request(String path, Map<String, String> headers, @Nullable Object body) {
    static Request of(Method method, Object @Nullable [] arguments) {
      var path =
          new StringBuilder(method.getDeclaringClass().getAnnotation(HttpExchange.class).value());
      var get = method.getAnnotation(GetExchange.class);
      path.append(get == null ? method.getAnnotation(PostExchange.class).value() : get.value());
      var query = new LinkedHashMap<String, @Nullable Object>();
      var headers = new LinkedHashMap<String, @Nullable String>();
      Object body = null;
      for (int i = 0; arguments != null && i < arguments.length; i++) {
        Parameter parameter = method.getParameters()[i];
        Object argument = arguments[i];
        if (argument instanceof Call call) {
          query.put(Call.DRY_RUN, call.dryRun() ? true : null);
          headers.put(Idempotency.HEADER, call.key());
          headers.put("If-Match", call.ifMatch());
        } else if (argument instanceof PageRequest page) {
          query.put(PageRequest.COUNT, page.count());
          query.put(PageRequest.AFTER, page.after());
        } else if (parameter.isAnnotationPresent(RequestBody.class)) {
          body = argument;
        } else if (parameter.isAnnotationPresent(RequestParam.class)) {
          query.put(parameter.getName(), argument);
        } else if (parameter.isAnnotationPresent(PathVariable.class)) {
          String variable = "{" + parameter.getName() + "}";
          int at = path.indexOf(variable);
          path.replace(at, at + variable.length(), encoded(argument));
        } else {
          throw new IllegalArgumentException(method + " has a parameter of another kind");
        }
      }
      char separator = '?';
      for (var each : query.entrySet()) {
        if (each.getValue() != null) {
          path.append(separator).append(each.getKey()).append('=').append(encoded(each.getValue()));
          separator = '&';
        }
      }
      headers.values().removeIf(Objects::isNull);
      return new Request(path.toString(), headers, body);
    }

    private static String encoded(Object value) {
      return URLEncoder.encode(value.toString(), UTF_8).replace("+", "%20");
    }
  }

  /** Posts lines to a path, and returns the JSON object that the server answers. */
  public Map<String, Object> post(String path, byte[] lines) {
    return object(send(new Request(path, Map.of("Content-Type", NDJSON), lines)));
  }

  private Object call(Request request, Method method) {
    HttpURLConnection answer = send(request);
    if (method.getReturnType() == Task.class) {
      return task(object(answer));
    }
    Rows<?> listing = listing(answer);
    return method.getReturnType().isInstance(listing)
        ? listing
        : ResponseEntity.ok().header("ETag", answer.getHeaderField("ETag")).body(listing);
  }

  /**
   * Sends a request.
   *
   * @throws Refusal if the server answers with a problem
   * @throws UserError if it does not answer, or not as a server does
   */
  private HttpURLConnection send(Request request) {
    try {
      var connection =
          (HttpURLConnection) URI.create(server.url() + request.path()).toURL().openConnection();
      connection.setConnectTimeout(Math.toIntExact(CONNECT_TIMEOUT.toMillis()));
      connection.setReadTimeout(Math.toIntExact(readTimeout.toMillis()));
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty(
          "Accept", accept + ", application/json;q=0.5, application/problem+json;q=0.5");
      connection.setRequestProperty("Accept-Language", language.toLanguageTag());
      if (server.token() != null) {
        connection.setRequestProperty("Authorization", "Bearer " + server.token());
      }
      if (server.user() != null) {
        connection.setRequestProperty(LocalToken.USER, Request.encoded(server.user()));
      }
      connection.setRequestProperty("Content-Type", OutputFormat.JSON.mediaType());
      request.headers().forEach(connection::setRequestProperty);
      if (request.body() != null) {
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(
              request.body() instanceof byte[] lines ? lines : JSON.std.asBytes(request.body()));
        }
      }
      if (connection.getResponseCode() / 100 == 2) {
        return connection;
      }
      throw problem(connection);
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  private static UserError unanswered(IOException e) {
    if (e instanceof SocketTimeoutException) {
      return UserError.unreachable(
          new CommandSentences.NoAnswerInTime(String.valueOf(e.getMessage())), e);
    }
    return UserError.unreachable(
        new CommandSentences.NoAnswer(
            e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage(), SETTINGS),
        e);
  }

  /** A problem of the server as it is thrown there; any other answer as a failure. */
  private RuntimeException problem(HttpURLConnection answer) throws IOException {
    Map<String, Object> body = object(answer);
    Optional<Problem> problem = Problem.find(String.valueOf(body.get("type")));
    return problem.isEmpty()
        ? foreign(answer, new IOException("no type of ours"))
        : refusal(problem.get(), body, answer.getHeaderFieldInt("Retry-After", 0));
  }

  private static Refusal refusal(Problem problem, Map<String, Object> body, int retrySeconds) {
    var faults =
        body.get("errors") instanceof List<?> errors
            ? errors.stream()
                .map(error -> new Fault(text((Map<?, ?>) error, "pointer"), sentence(error)))
                .toList()
            : List.<Fault>of();
    var refusal =
        (faults.isEmpty()
                ? new Refusal(problem, Sentence.verbatim(text(body, "detail")))
                : new Refusal(problem, faults))
            .then(next(body.get("next")).toArray(Next[]::new));
    return retrySeconds > 0 ? refusal.after(Duration.ofSeconds(retrySeconds)) : refusal;
  }

  private UserError foreign(HttpURLConnection answer, Exception cause) throws IOException {
    return UserError.unreachable(
        new CommandSentences.ForeignAnswer(
            server.url().toString(), answer.getResponseCode(), SETTINGS),
        cause);
  }

  /** The body of an answer, which must be a JSON object. */
  private Map<String, Object> object(HttpURLConnection answer) {
    try (InputStream body =
        answer.getErrorStream() != null ? answer.getErrorStream() : answer.getInputStream()) {
      try {
        return JSON.std.mapFrom(body);
      } catch (JacksonException e) {
        throw foreign(answer, e);
      }
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  /** The values of a header, decoded. */
  private static List<String> headers(HttpURLConnection answer, String name) {
    var values = new ArrayList<String>();
    // Java has the values of a header in the opposite order.
    answer
        .getHeaderFields()
        .getOrDefault(name, List.of())
        .forEach(value -> values.add(0, URLDecoder.decode(value, UTF_8)));
    return values;
  }

  /** What is not part of the rows is in headers. */
  private Rows<?> listing(HttpURLConnection answer) {
    try {
      String status = answer.getHeaderField(ListingConverter.STATUS);
      if (status == null) {
        throw foreign(answer, new IOException("no status of a list"));
      }
      InputStream rows = answer.getInputStream();
      var steps = new ArrayList<Next>();
      for (String step : headers(answer, ListingConverter.NEXT)) {
        steps.add(step(JSON.std.anyFrom(step)));
      }
      String link = answer.getHeaderField("Link");
      var body =
          new Listing.Body(
              (out, raw) -> copy(rows, out),
              Listing.Status.valueOf(status.toUpperCase(Locale.ROOT)),
              headers(answer, ListingConverter.NOTE).stream().map(Sentence::verbatim).toList(),
              steps,
              link == null ? null : NEXT.matcher(link).replaceAll("$1"));
      return format -> body;
    } catch (IOException e) {
      throw unanswered(e);
    }
  }

  /** A failure to read is one of the server, and a failure to write is none. */
  private static void copy(InputStream rows, OutputStream out) throws IOException {
    var buffer = new byte[1 << 16];
    while (true) {
      int length;
      try {
        length = rows.read(buffer);
      } catch (IOException e) {
        throw unanswered(e);
      }
      if (length < 0) {
        return;
      }
      out.write(buffer, 0, length);
    }
  }

  private static Task task(Map<String, Object> json) {
    Number id = (Number) json.get("id");
    Object detail = json.get("detail");
    Object endedAt = json.get("endedAt");
    Number items = (Number) json.get("items");
    return new Task(
        id == null ? null : id.longValue(),
        text(json, "verb"),
        (String) json.get("board"),
        (String) json.get("period"),
        text(json, "by"),
        text(json, "reason"),
        Instant.parse(text(json, "startedAt")),
        endedAt == null ? null : Instant.parse(endedAt.toString()),
        Choice.of(Task.State.class, text(json, "state")),
        sentences(json.get("messages")),
        next(json.get("next")),
        sentences(json.get("progress")),
        items == null ? null : items.longValue(),
        (String) json.get("problem"),
        detail == null ? null : sentence(detail),
        (String) json.get("secret"),
        (String) json.get("etag"),
        null);
  }

  private static String text(Map<?, ?> json, String field) {
    return String.valueOf(json.get(field));
  }

  private static List<Sentence> sentences(@Nullable Object json) {
    return json instanceof List<?> all ? all.stream().map(Client::sentence).toList() : List.of();
  }

  /** The server has put it in the language of the call. */
  private static Sentence sentence(Object json) {
    return Sentence.verbatim(text((Map<?, ?>) json, "text"));
  }

  private static List<Next> next(@Nullable Object json) {
    return json instanceof List<?> all ? all.stream().map(Client::step).toList() : List.of();
  }

  private static Next step(Object json) {
    var step = (Map<?, ?>) json;
    Next next = Next.of(text(step, "verb"));
    if (step.get("fields") instanceof Map<?, ?> fields) {
      for (var field : fields.entrySet()) {
        next = next.with(field.getKey().toString(), field.getValue());
      }
    }
    return next;
  }
}
