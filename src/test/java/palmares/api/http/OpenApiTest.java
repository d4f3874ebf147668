package palmares.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.MediaType;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.inbox.InboxItem;
import palmares.operations.tasks.Call;
import palmares.testing.Api;
import palmares.testing.Contract;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document describes exactly the paths, parameters, bodies and problems that exist. */
@WorldTest
class OpenApiTest {
  private static final String TYPE = "urn:palmares:problem:";

  @Autowired
  @Qualifier("requestMappingHandlerMapping")
  private RequestMappingHandlerMapping mapping;

  @LocalServerPort private int port;

  @Test
  void theDocumentIsServedUnchanged() {
    var api = new Api(port, null);
    assertThat(api.get("/openapi.json").body()).isEqualTo(Contract.DOCUMENT);
    assertThat(api.get("/openapi.yaml").response().body()).startsWith("openapi: 3.1.0");
  }

  /** Such a mapping takes every method, so that none of its operations would be described. */
  @Test
  void everyMappingHasMethods() {
    assertThat(mapping.getHandlerMethods().keySet())
        .filteredOn(info -> info.getMethodsCondition().getMethods().isEmpty())
        .flatMap(RequestMappingInfo::getPatternValues)
        .isEmpty();
  }

  @Test
  void everyOperationIsDescribedWithItsParametersAndBodies() {
    var there = new TreeMap<String, Set<String>>();
    mapping
        .getHandlerMethods()
        .forEach(
            (info, method) ->
                operations(info)
                    .forEach(
                        operation ->
                            there
                                .computeIfAbsent(operation, name -> new TreeSet<>())
                                .addAll(takes(info, method))));
    assertThat(described()).isEqualTo(there);
  }

  /** Also the pages of the console, which the document does not describe. */
  @Test
  void everyMappingHasARule() {
    assertThat(mapping.getHandlerMethods().values())
        .extracting(HandlerMethod::getMethod)
        .allMatch(method -> AnnotatedElementUtils.hasAnnotation(method, Requires.class));
  }

  /** A page that anybody may open is a decision. */
  @Test
  void allOtherPagesNeedSomebodyWhoHasSignedIn() {
    var open = new TreeSet<String>();
    mapping
        .getHandlerMethods()
        .forEach(
            (info, method) -> {
              Requires rule =
                  AnnotatedElementUtils.findMergedAnnotation(method.getMethod(), Requires.class);
              if (rule == null || rule.value().length == 0 || rule.unlessPublic()) {
                open.addAll(info.getPatternValues());
              }
            });
    assertThat(open)
        .filteredOn(path -> path.equals("/") || path.startsWith("/console"))
        .containsExactlyInAnyOrder(
            "/",
            "/console/",
            "/console/assets/{hash}/{file}",
            "/console/password",
            "/console/public/{board}",
            "/console/sign-in",
            "/console/sign-out");
  }

  private static Stream<String> operations(RequestMappingInfo info) {
    return info.getPatternValues().stream()
        .filter(path -> !path.equals("/") && !path.startsWith("/console")) // Pages are for people.
        .flatMap(
            path ->
                info.getMethodsCondition().getMethods().stream()
                    .map(method -> method.name() + " " + path));
  }

  private static Set<String> takes(RequestMappingInfo info, HandlerMethod method) {
    var takes = new TreeSet<String>();
    for (MethodParameter parameter : method.getMethodParameters()) {
      parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
      PathVariable path = parameter.getParameterAnnotation(PathVariable.class);
      RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
      RequestHeader header = parameter.getParameterAnnotation(RequestHeader.class);
      if (path != null) {
        takes.add("path " + parameter.getParameterName());
      } else if (query != null && parameter.getParameterType() == MultiValueMap.class) {
        // Spring would split a single value at its commas.
        takes.add("query member");
      } else if (query != null) {
        takes.add("query " + parameter.getParameterName() + defaulting(query.defaultValue()));
      } else if (header != null) {
        takes.add("header " + header.name());
      } else if (parameter.getParameterType() == PageRequest.class) {
        takes.addAll(Set.of("query count", "query after"));
      } else if (parameter.getParameterType() == Call.class) {
        takes.addAll(Set.of("query dryRun", "header Idempotency-Key", "header If-Match"));
      } else if (parameter.hasParameterAnnotation(RequestBody.class)
          && info.getConsumesCondition().isEmpty()) {
        takes.add("body " + MediaType.APPLICATION_JSON_VALUE);
      } else if (parameter.getParameterType() == NativeWebRequest.class) {
        takes.add("header Idempotency-Key");
      } else if (parameter.getParameterType() == WebRequest.class) {
        takes.add("header If-None-Match");
      } else if (parameter.getParameterType() == InputStream.class
          && info.getConsumesCondition().isEmpty()) {
        takes.add("body application/x-ndjson"); // It is read as lines, of any type.
      } else if (parameter.getParameterType() == InputStream.class
          || parameter.hasParameterAnnotation(RequestBody.class)) {
        info.getConsumesCondition().getConsumableMediaTypes().stream()
            .map(MediaType::toString)
            .forEach(type -> takes.add("body " + type));
      }
    }
    ResolvableType result = ResolvableType.forMethodReturnType(method.getMethod());
    if (Listing.class.isAssignableFrom(result.toClass())
        || Listing.class.isAssignableFrom(result.getGeneric().toClass())) {
      takes.add("query format");
    }
    Requires rule =
        Objects.requireNonNull(
            AnnotatedElementUtils.findMergedAnnotation(method.getMethod(), Requires.class),
            () -> "no rule for " + method);
    takes.add(
        rule(
            Arrays.stream(rule.value()).map(Role::word),
            rule.unlessPublic(),
            rule.boardInQuery(),
            rule.checksBoards(),
            rule.checksOperations(),
            rule.givesAccess()));
    takes.add("id " + Operations.id(method.getMethod()));
    return takes;
  }

  /** A rule in words, as the annotation or the document states it. */
  private static String rule(
      Stream<String> roles,
      boolean unlessPublic,
      boolean boardInQuery,
      boolean checksBoards,
      boolean checksOperations,
      boolean givesAccess) {
    return "roles %s%s%s%s%s%s"
        .formatted(
            roles.collect(Collectors.toCollection(TreeSet::new)),
            unlessPublic ? " unless public" : "",
            boardInQuery ? " board in query" : "",
            checksBoards ? " checks boards" : "",
            checksOperations ? " checks operations" : "",
            givesAccess ? " gives access" : "");
  }

  private static String defaulting(String value) {
    return value.equals(ValueConstants.DEFAULT_NONE) ? "" : "=" + value;
  }

  private static Map<String, Set<String>> described() {
    var described = new TreeMap<String, Set<String>>();
    for (var path : Contract.DOCUMENT.path("paths").properties()) {
      for (var method : path.getValue().properties()) {
        if (!method.getKey().equals("parameters")) {
          var takes = new TreeSet<String>();
          parameters(path.getValue()).forEach(takes::add);
          parameters(method.getValue()).forEach(takes::add);
          for (var body : method.getValue().at("/requestBody/content").properties()) {
            takes.add("body " + body.getKey());
          }
          takes.add(
              rule(
                  method.getValue().path("x-roles").valueStream().map(JsonNode::asString),
                  method.getValue().has("x-unless-public"),
                  method.getValue().has("x-board-in-query"),
                  method.getValue().has("x-checks-boards"),
                  method.getValue().has("x-checks-operations"),
                  method.getValue().has("x-gives-access")));
          takes.add("id " + method.getValue().path("operationId").asString());
          assertThat(method.getValue().has("security")).as(path.getKey()).isTrue();
          described.put(method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), takes);
        }
      }
    }
    return described;
  }

  private static Stream<String> parameters(JsonNode node) {
    return node.path("parameters")
        .valueStream()
        .map(Contract::resolved)
        .map(
            parameter -> {
              JsonNode value = parameter.at("/schema/default");
              return "%s %s%s"
                  .formatted(
                      parameter.path("in").asString(),
                      parameter.path("name").asString(),
                      value.isMissingNode() ? "" : "=" + value.asString());
            });
  }

  @Test
  void everyKindOfTheInboxIsDescribed() {
    assertThat(words("/components/schemas/InboxItem/properties/kind/enum"))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(InboxItem.Kind.values()).map(InboxItem.Kind::word).toList());
  }

  private static Set<String> words(String pointer) {
    return Contract.DOCUMENT
        .at(pointer)
        .valueStream()
        .map(JsonNode::asString)
        .collect(Collectors.toSet());
  }
}
