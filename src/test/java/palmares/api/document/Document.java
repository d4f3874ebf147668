package palmares.api.document;

import java.io.IOException;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.service.annotation.HttpExchange;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import palmares.api.http.Operations;
import palmares.api.ops.Listing;
import palmares.api.ops.PageRequest;
import palmares.api.ops.Rows;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.intake.EventOutcome;
import palmares.live.intake.RefusalReason;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.period.PeriodState;
import palmares.platform.Problem;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the OpenAPI document: what the resource interfaces declare, in a frame that is written by
 * hand. The frame has the operations of controllers without such an interface, and what it says
 * about a declared one goes before the declaration.
 */
final class Document {
  /** What is written by hand. */
  static final Path FRAME =
      Path.of("src", "test", "resources", "palmares", "api", "document", "frame.yaml");

  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final String TYPE = "urn:palmares:problem:";
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Where a path has a value. */
  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

  /** The problems of a read, and of what changes something, by their status. */
  private static final List<String> OF_READS = List.of("400", "401", "403", "404", "409", "503");

  private static final List<String> OF_VERBS =
      List.of("400", "401", "403", "404", "409", "412", "422", "503");

  private final Javadocs javadocs = new Javadocs(SOURCES);
  private final ObjectNode frame;
  private final ObjectNode paths = JSON.createObjectNode();
  private final ObjectNode components = JSON.createObjectNode();
  private final ObjectNode tags = JSON.createObjectNode();
  private final Schemas schemas;

  /** The rules of all operations, by their ids. */
  private final Map<String, Requires> rules = new TreeMap<>();

  private Document() throws IOException {
    frame = JSON.valueToTree(new Yaml().load(Files.readString(FRAME)));
    schemas = new Schemas(javadocs, components.putObject("schemas"), frame.path("x-fields"));
  }

  /** The document of the code as it is. */
  static String generate() throws IOException {
    var document = new Document();
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setWidth(100);
    options.setIndicatorIndent(2);
    options.setIndentWithIndicator(true);
    return new Yaml(options).dump(JSON.treeToValue(document.whole(), Map.class));
  }

  private ObjectNode whole() {
    types(HttpExchange.class).forEach(this::add);
    types(RestController.class).flatMap(Document::operations).forEach(this::keepRule);
    problems();
    words("Kind", Stream.of(EventOutcome.Kind.values()).map(EventOutcome.Kind::word));
    words("Reason", Stream.of(RefusalReason.values()).map(RefusalReason::word));
    words("Role", Stream.of(Role.values()).map(Role::word));
    PeriodState.shownWords()
        .forEach(components.withArray("/schemas/Board/properties/state/enum")::add);
    ObjectNode whole = JSON.createObjectNode();
    frame.properties().stream()
        .filter(entry -> !entry.getKey().startsWith("x-"))
        .forEach(entry -> whole.set(entry.getKey(), entry.getValue()));
    tags.properties().forEach(tag -> ((ArrayNode) whole.path("tags")).add(tag.getValue()));
    merge(paths, (ObjectNode) frame.path("paths"));
    merge(components, (ObjectNode) frame.path("components"));
    components.path("parameters").properties().forEach(Document::finish);
    paths.properties().forEach(path -> addParameters(path.getKey(), path.getValue()));
    paths.forEach(Document::finish);
    paths.forEach(path -> path.forEach(this::addRule));
    whole.set("paths", paths);
    whole.set("components", components);
    new Examples(whole, frame.path("x-examples")).add();
    return whole;
  }

  private static Stream<Class<?>> types(Class<? extends java.lang.annotation.Annotation> marker) {
    var scanner =
        new ClassPathScanningCandidateComponentProvider(false) {
          @Override
          protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
            return true;
          }
        };
    scanner.addIncludeFilter(new AnnotationTypeFilter(marker, false));
    return scanner.findCandidateComponents("palmares.api").stream()
        .map(found -> String.valueOf(found.getBeanClassName()))
        .sorted()
        .<Class<?>>map(name -> ClassUtils.resolveClassName(name, null));
  }

  private static Stream<Method> operations(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Operations.id(method) != null)
        .sorted(Comparator.comparing(Operations::id));
  }

  private void keepRule(Method method) {
    rules.put(
        String.valueOf(Operations.id(method)),
        Objects.requireNonNull(
            AnnotatedElementUtils.findMergedAnnotation(method, Requires.class), method::toString));
  }

  private void add(Class<?> resource) {
    Javadocs.Doc doc = javadocs.of(resource);
    String tag =
        resource
            .getSimpleName()
            .replaceFirst("Resource$", "")
            .replaceAll("(?<=.)(?=[A-Z])", " ")
            .toLowerCase(Locale.ROOT);
    tags.putObject(tag)
        .put("name", tag)
        .put("description", Markdown.paragraphs(doc.firstSentence(), doc.rest()));
    operations(resource).forEach(method -> add(resource, tag, method));
  }

  private void add(Class<?> resource, String tag, Method method) {
    keepRule(method);
    var exchange = AnnotatedElementUtils.findMergedAnnotation(method, HttpExchange.class);
    var base = AnnotatedElementUtils.findMergedAnnotation(resource, HttpExchange.class);
    if (exchange == null || base == null) {
      throw new IllegalStateException("no path: " + method);
    }
    Javadocs.Doc doc = javadocs.of(resource, method.getName());
    ObjectNode operation =
        paths
            .withObjectProperty(base.url() + exchange.url())
            .putObject(exchange.method().toLowerCase(Locale.ROOT));
    operation.putArray("tags").add(tag);
    operation.put("operationId", Operations.id(method));
    operation.put("summary", doc.firstSentence());
    operation.put("description", doc.rest().isEmpty() ? doc.firstSentence() : doc.rest());
    ArrayNode parameters = operation.putArray("parameters");
    for (Parameter parameter : method.getParameters()) {
      add(parameter, doc, operation, parameters);
    }
    ResolvableType result = ResolvableType.forMethodReturnType(method);
    boolean isTagged = !Listing.class.isAssignableFrom(result.toClass()) && result.hasGenerics();
    AnnotatedType rows = method.getAnnotatedReturnType();
    if (isTagged) {
      rows = ((AnnotatedParameterizedType) rows).getAnnotatedActualTypeArguments()[0];
    }
    boolean isTask = result.toClass() == Task.class;
    boolean isRead = Operations.isRead(exchange.method());
    ObjectNode responses = operation.putObject("responses");
    if (isTask) {
      schemas.of(rows, false);
      responses.set("200", response("Task"));
      if (!isRead) {
        responses.set("202", response("Task"));
      }
    } else {
      parameters.add(component("parameters", "format"));
      listing(
          responses.putObject("200"), schema(rows, Operations.id(method)), isTagged, parameters);
    }
    (isRead ? OF_READS : OF_VERBS).forEach(status -> responses.set(status, problem(status)));
    responses.set("default", response("Problem"));
  }

  private void add(
      Parameter parameter, Javadocs.Doc doc, ObjectNode operation, ArrayNode parameters) {
    RequestParam query = parameter.getAnnotation(RequestParam.class);
    if (parameter.getType() == Call.class) {
      Stream.of("dryRun", "Idempotency-Key", "If-Match")
          .forEach(name -> parameters.add(component("parameters", name)));
    } else if (parameter.getType() == PageRequest.class) {
      Stream.of("count", "after").forEach(name -> parameters.add(component("parameters", name)));
    } else if (parameter.isAnnotationPresent(RequestBody.class)) {
      operation
          .putObject("requestBody")
          .put("required", true)
          .withObject("/content/application~1json")
          .set("schema", schemas.of(parameter.getAnnotatedType(), true));
    } else if (query != null || parameter.isAnnotationPresent(PathVariable.class)) {
      parameters.add(parameter(parameter, query, doc.parameters().get(parameter.getName())));
    } else {
      throw new IllegalArgumentException("no rule for " + parameter);
    }
  }

  /** A parameter without a description has the one of all parameters by this name. */
  private ObjectNode parameter(
      Parameter parameter, @Nullable RequestParam query, @Nullable String own) {
    String name = parameter.getName();
    String in = query == null ? "path" : "query";
    String text = own == null ? frame.path("x-parameters").path(in + " " + name).asString("") : own;
    if (text.isEmpty()) {
      throw new IllegalStateException(
          "no description of %s in %s".formatted(name, parameter.getDeclaringExecutable()));
    }
    ObjectNode schema = schemas.of(parameter.getAnnotatedType(), true);
    if (query != null && !query.defaultValue().equals(ValueConstants.DEFAULT_NONE)) {
      schema.set(
          "default",
          parameter.getType() == String.class
              ? JSON.valueToTree(query.defaultValue())
              : JSON.readTree(query.defaultValue()));
    }
    ObjectNode described = JSON.createObjectNode().put("name", name).put("in", in);
    if (query == null || query.required() && !schema.has("default")) {
      described.put("required", true);
    }
    return described.put("description", Markdown.ifAbsent(text, true)).set("schema", schema);
  }

  private void listing(
      ObjectNode response, ObjectNode schema, boolean isTagged, ArrayNode parameters) {
    response.put("description", "The result in the format that `Accept` or `format` asks for.");
    ObjectNode headers = response.putObject("headers");
    if (isTagged) {
      headers.set("ETag", component("headers", "ETag"));
    }
    if (parameters.toString().matches(".*(\"name\":\"after\"|/after\").*")) {
      headers.set("Link", component("headers", "Link"));
    }
    headers.set("Palmares-Status", component("headers", "Status"));
    headers.set("Palmares-Note", component("headers", "Note"));
    headers.set("Palmares-Next", component("headers", "Next"));
    ObjectNode content = response.putObject("content");
    content.putObject("application/json").set("schema", schema);
    Stream.of("text/csv", "text/plain")
        .forEach(
            type ->
                content
                    .putObject(type)
                    .set("schema", JSON.createObjectNode().put("type", "string")));
    content
        .putObject("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
        .set("schema", JSON.createObjectNode().put("type", "string").put("format", "binary"));
  }

  /** The rows of a result; one that is a text for people is some object in JSON. */
  private ObjectNode schema(AnnotatedType result, @Nullable String id) {
    ObjectNode schema = JSON.createObjectNode();
    if (ResolvableType.forType(result.getType()).toClass() == Rows.class) {
      AnnotatedType row =
          ((AnnotatedParameterizedType) result).getAnnotatedActualTypeArguments()[0];
      return schema.put("type", "array").set("items", schemas.of(row, false));
    }
    JsonNode row = frame.path("x-rows").path(String.valueOf(id));
    return row.isMissingNode()
        ? schema.put("type", "object")
        : schema.put("type", "array").set("items", Schemas.reference(row.asString()));
  }

  private static ObjectNode component(String kind, String name) {
    return JSON.createObjectNode().put("$ref", "#/components/%s/%s".formatted(kind, name));
  }

  private static ObjectNode response(String name) {
    return component("responses", name);
  }

  private static ObjectNode problem(String status) {
    return response("Problem" + status);
  }

  /** Problems by status; any request may cause those whose status has no response. */
  private void problems() {
    ObjectNode responses = components.putObject("responses");
    JsonNode described = frame.at("/components/responses");
    for (Problem problem : Problem.values()) {
      String own = "Problem" + problem.status();
      types(responses, described.has(own) ? own : "Problem").add(TYPE + problem.word());
    }
    // An event may name an unknown board.
    types(responses, "Problem422").add(TYPE + Problem.UNKNOWN_BOARD.word());
  }

  private static ArrayNode types(ObjectNode responses, String name) {
    ObjectNode schema =
        responses.withObjectProperty(name).withObject("/content/application~1problem+json/schema");
    schema.put("$ref", "#/components/schemas/Problem").put("unevaluatedProperties", false);
    return schema.withArray("/properties/type/enum");
  }

  private void words(String schema, Stream<String> words) {
    ArrayNode all =
        components.withObject("/schemas/" + schema).put("type", "string").putArray("enum");
    words.forEach(all::add);
  }

  /** The second goes before the first. */
  private static void merge(ObjectNode into, ObjectNode by) {
    by.properties()
        .forEach(
            entry -> {
              if (into.path(entry.getKey()) instanceof ObjectNode inner
                  && entry.getValue() instanceof ObjectNode more) {
                merge(inner, more);
              } else {
                into.set(entry.getKey(), entry.getValue());
              }
            });
  }

  /** A parameter has the name under which it is found. */
  private static void finish(Map.Entry<String, JsonNode> parameter) {
    if (parameter.getValue() instanceof ObjectNode described) {
      described.putIfAbsent("name", JSON.valueToTree(parameter.getKey()));
      if (described.path("in").asString().equals("path")) {
        described.put("required", true);
      }
    }
  }

  /** Adds the parameters that follow from a path, and from the answer that nothing has changed. */
  private void addParameters(String path, JsonNode operations) {
    for (JsonNode node : operations) {
      if (node instanceof ObjectNode operation && operation.has("summary")) {
        ArrayNode parameters = JSON.createArrayNode();
        JsonNode declared = operation.path("parameters");
        var names = new HashSet<String>();
        declared.forEach(each -> names.add(each.path("name").asString("")));
        PLACE
            .matcher(path)
            .results()
            .map(place -> place.group(1))
            .filter(name -> !names.contains(name))
            .forEach(name -> parameters.add(component("parameters", name)));
        declared.forEach(parameters::add);
        if (operation.path("responses").has("304")) {
          parameters.add(component("parameters", "IfNoneMatch"));
        }
        if (!parameters.isEmpty()) {
          operation.set("parameters", parameters);
        }
      }
    }
  }

  /** Writes out what the frame says in short. */
  private static void finish(JsonNode path) {
    path.forEach(
        node -> {
          if (node instanceof ObjectNode operation && operation.has("summary")) {
            if (operation.remove("x-problems") instanceof ArrayNode statuses) {
              ObjectNode responses = operation.withObjectProperty("responses");
              statuses.forEach(
                  status -> responses.set(status.asString(), problem(status.asString())));
              responses.set("default", response("Problem"));
            }
            if (!operation.has("description")) {
              operation.set("description", operation.path("summary"));
            }
          }
        });
  }

  /** Who may call an operation. */
  private void addRule(JsonNode node) {
    if (node instanceof ObjectNode operation && operation.has("summary")) {
      String id = operation.path("operationId").asString();
      Requires rule = rules.get(id);
      if (rule == null) {
        throw new IllegalStateException("no operation has the id " + id);
      }
      if (!operation.has("security")) {
        ArrayNode security = operation.putArray("security");
        if (rule.value().length > 0 || operation.has("x-signed-in")) {
          security.addObject().putArray("key");
          security.addObject().putArray("session");
        }
        if (rule.unlessPublic()) {
          security.addObject();
        }
      }
      ArrayNode roles = operation.putArray("x-roles");
      Stream.of(rule.value()).map(Role::word).forEach(roles::add);
      flag(operation, "x-unless-public", rule.unlessPublic());
      flag(operation, "x-board-in-query", rule.boardInQuery());
      flag(operation, "x-checks-boards", rule.checksBoards());
      flag(operation, "x-checks-operations", rule.checksOperations());
      flag(operation, "x-gives-access", rule.givesAccess());
    }
  }

  private static void flag(ObjectNode operation, String name, boolean isSet) {
    if (isSet) {
      operation.put(name, true);
    }
  }
}
