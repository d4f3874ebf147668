package palmares.console;

import static palmares.api.roles.Role.ADMIN;
import static palmares.api.roles.Role.APPROVER;
import static palmares.api.roles.Role.OPERATOR;
import static palmares.api.roles.Role.READER;
import static palmares.api.roles.Role.WRITER;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.stereotype.Component;
import palmares.api.ops.AccountResource.KeyRequest;
import palmares.api.ops.AmendmentResource.AmendRequest;
import palmares.api.ops.ArchiveResource.ArchiveRequest;
import palmares.api.ops.BatchResource.BatchDecision;
import palmares.api.ops.BatchResource.BatchRequest;
import palmares.api.ops.ClosingResource.ClosingRequest;
import palmares.api.ops.ClosingResource.ExtensionRequest;
import palmares.api.ops.DecisionResource.Approval;
import palmares.api.ops.DecisionResource.Rejection;
import palmares.api.ops.DeliveryResource.TargetRequest;
import palmares.api.ops.ExclusionResource.EntryRequest;
import palmares.api.ops.ExclusionResource.ExclusionRequest;
import palmares.api.ops.ExclusionResource.FileRequest;
import palmares.api.ops.ExclusionResource.LiftRequest;
import palmares.api.ops.ExclusionResource.RemovalRequest;
import palmares.api.ops.ForgettingResource.ForgettingRequest;
import palmares.api.ops.LateEventResource.Decision;
import palmares.api.ops.Listing;
import palmares.api.ops.MaintenanceResource.Entries;
import palmares.api.ops.MaintenanceResource.RebuildRequest;
import palmares.api.ops.MemoryResource.OrphanRequest;
import palmares.api.ops.PageRequest;
import palmares.api.ops.ReasonRequest;
import palmares.api.ops.VerificationResource.VerificationRequest;
import palmares.api.ops.WalletResource.FindingRequest;
import palmares.api.ops.WalletResource.ReconcileRequest;
import palmares.api.ops.WalletResource.ReturnRequest;
import palmares.api.ops.WithheldResource.LineDecision;
import palmares.api.roles.Role;
import palmares.console.VerbForm.Values;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.Problem;
import palmares.platform.Refusal;

/** The verbs that people can call on pages. */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class VerbForms {
  private static final String PERIOD = "board period";

  /** A verb about a period. */
  @FunctionalInterface
  private interface OfPeriod<B> {
    Task call(String board, String period, B body, Call call);
  }

  /** A verb about one other thing. */
  @FunctionalInterface
  private interface About<T, B> {
    Task call(T target, B body, Call call);
  }

  private final Api api;
  private final DecisionCards decisions;
  private final ApprovalSums sums;
  private final Map<String, VerbForm> verbs;

  VerbForms(Api api, DecisionCards decisions, ApprovalSums sums) {
    this.api = api;
    this.decisions = decisions;
    this.sums = sums;
    this.verbs =
        Stream.of(
                closings(),
                decisions(),
                lateEvents(),
                withheld(),
                exclusions(),
                manyExclusions(),
                lists(),
                forgetting(),
                batches(),
                batchDecisions(),
                pauses(),
                repairs(),
                archives(),
                quarantine(),
                deliveries(),
                wallet(),
                ownKeys())
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableMap(VerbForm::word, Function.identity()));
  }

  /** The words of all verbs. */
  Set<String> words() {
    return verbs.keySet();
  }

  Optional<VerbForm> find(String word) {
    return Optional.ofNullable(verbs.get(word));
  }

  /** Whether the caller has the role that a verb needs. */
  boolean mayCall(String word) {
    return find(word).filter(VerbForm::mayBeCalled).isPresent();
  }

  /** A verb whose request is only its body. */
  private static <B extends Record> VerbForm verb(
      String word, Role role, String targets, Class<B> body, BiFunction<B, Call, Task> verb) {
    return new VerbForm(word, role, targets, (v, call) -> verb.apply(v.body(body), call));
  }

  private static <B extends Record> VerbForm ofPeriod(
      String word, Role role, Class<B> body, OfPeriod<B> verb) {
    return new VerbForm(
        word, role, PERIOD, (v, call) -> verb.call(v.board(), v.period(), v.body(body), call));
  }

  private static <T, B extends Record> VerbForm about(
      String word,
      Role role,
      String targets,
      Function<Values, T> target,
      Class<B> body,
      About<T, B> verb) {
    return new VerbForm(
        word, role, targets, (v, call) -> verb.call(target.apply(v), v.body(body), call));
  }

  private List<VerbForm> closings() {
    return List.of(
        new VerbForm(
            "close",
            OPERATOR,
            PERIOD,
            (v, call) ->
                api.closings()
                    .close(v.board(), v.period(), new ClosingRequest(v.reason(), 0, false), call)),
        ofPeriod("restart", OPERATOR, ReasonRequest.class, api.closings()::restart)
            .showing(
                v ->
                    api.installation()
                        .runs(v.board(), v.period(), false, false, new PageRequest(1, null))),
        ofPeriod("hold", OPERATOR, ReasonRequest.class, api.decisions()::hold),
        ofPeriod("lift-hold", OPERATOR, ReasonRequest.class, api.decisions()::liftHold),
        ofPeriod("extend", OPERATOR, ExtensionRequest.class, api.closings()::extend)
            .required("until"));
  }

  private List<VerbForm> decisions() {
    return List.of(
        ofPeriod("approve", APPROVER, Approval.class, api.decisions()::approve)
            .slow()
            .select("ties", false, "each", "share", "order")
            .check("acceptExclusions")
            .hidden("revision")
            .hidden("expect")
            .deciding(decisions::addOutcome),
        ofPeriod("reject", APPROVER, Rejection.class, api.decisions()::reject)
            .hidden("revision")
            .hidden("expect")
            .deciding(decisions::addOutcome)
            .marked(),
        ofPeriod("amend", OPERATOR, AmendRequest.class, api.amendments()::amend)
            .slow()
            .area("points")
            .area("rules")
            .select("ties", false, "each", "share", "order")
            .deciding(decisions::addTies));
  }

  private List<VerbForm> lateEvents() {
    return List.of(
        ofPeriod("accept-late", OPERATOR, Decision.class, api.lateEvents()::accept)
            .slow()
            .text("ids")
            .orAll("ids")
            .check("change")
            .showing(v -> lateEvents(v, true)),
        ofPeriod("dismiss-late", OPERATOR, Decision.class, api.lateEvents()::dismiss)
            .slow()
            .text("ids")
            .orAll("ids")
            .check("change")
            .showing(v -> lateEvents(v, !v.is("change"))));
  }

  private Listing lateEvents(Values values, boolean undecided) {
    return api.lateEvents()
        .list(values.board(), values.period(), undecided, new PageRequest(50, null));
  }

  private List<VerbForm> withheld() {
    return List.of(
        ofPeriod("release-withheld", OPERATOR, LineDecision.class, api.withheld()::release)
            .text("members")
            .orAll("members")
            .showing(this::withheld),
        ofPeriod("refuse-withheld", OPERATOR, LineDecision.class, api.withheld()::refuse)
            .text("members")
            .orAll("members")
            .showing(this::withheld)
            .marked());
  }

  private Listing withheld(Values values) {
    return api.withheld()
        .list(values.board(), values.period(), null, true, new PageRequest(50, null));
  }

  private List<VerbForm> exclusions() {
    return List.of(
        verb("exclude", OPERATOR, "member", ExclusionRequest.class, api.exclusions()::exclude)
            .slow()
            .select("level", true, "hidden", "unranked", "no-prize")
            .board()
            .day("from", false)
            .day("until", false)
            .check("allowUnknown"),
        verb("lift", OPERATOR, "member", LiftRequest.class, api.exclusions()::lift)
            .slow()
            .board()
            .hidden("id")
            .orAll("id", "board"));
  }

  private List<VerbForm> manyExclusions() {
    return List.of(
        new VerbForm(
                "exclude-file",
                OPERATOR,
                "",
                (v, call) ->
                    MemberLines.call(
                        v,
                        csv ->
                            api.exclusions()
                                .excludeFile(
                                    new FileRequest(v.reason(), csv, v.is("allowUnknown")), call)))
            .slow()
            .upload("csv", true)
            .select("level", false, "hidden", "unranked", "no-prize")
            .check("allowUnknown")
            .previewed());
  }

  private List<VerbForm> lists() {
    return List.of(
        about(
                "create-list",
                OPERATOR,
                "",
                v -> v.text("list"),
                ReasonRequest.class,
                api.exclusions()::createList)
            .required("list"),
        new VerbForm(
                "add-to-list",
                OPERATOR,
                "list",
                (v, call) ->
                    MemberLines.call(
                        v,
                        csv ->
                            api.exclusions()
                                .addToList(
                                    v.text("list"),
                                    new EntryRequest(
                                        v.reason(), null, null, csv, v.is("allowUnknown")),
                                    call)))
            .slow()
            .upload("csv", true)
            .select("level", false, "hidden", "unranked", "no-prize")
            .check("allowUnknown")
            .previewed(),
        about(
                "remove-from-list",
                OPERATOR,
                "list member",
                v -> v.text("list"),
                RemovalRequest.class,
                api.exclusions()::removeFromList)
            .slow()
            .previewed());
  }

  private List<VerbForm> forgetting() {
    return List.of(
        new VerbForm("forget", ADMIN, "", (v, call) -> forget(v, call))
            .slow()
            .required("person")
            .confirm("again")
            .previewed()
            .marked());
  }

  private Task forget(Values values, Call call) {
    String member = values.text("person");
    if (!call.dryRun() && !member.equals(values.find("again"))) {
      throw new Refusal(Problem.INVALID_FIELD, new PageSentences.IdsDiffer()).at("again");
    }
    return api.forgetting().forgetMember(new ForgettingRequest(values.reason(), member), call);
  }

  private List<VerbForm> batches() {
    return List.of(
        verb("batch", OPERATOR, "", BatchRequest.class, api.batches()::begin)
            .slow()
            .select("verb", true, "amend", "close", "restart")
            .text("exclusions")
            .board()
            .orAll("board", "exclusions")
            .day("from", false)
            .day("to", false)
            .select(
                "state",
                false,
                "open",
                "sealed",
                "filled",
                "held",
                "approved",
                "rejected",
                "failed")
            .text("cause"),
        about(
                "resume-batch",
                OPERATOR,
                "id",
                Values::id,
                ReasonRequest.class,
                api.batches()::resumeBatch)
            .orFor(APPROVER),
        about(
                "cancel-batch",
                OPERATOR,
                "id",
                Values::id,
                ReasonRequest.class,
                api.batches()::cancelBatch)
            .orFor(APPROVER));
  }

  private List<VerbForm> batchDecisions() {
    return List.of(
        about(
                "approve-batch",
                APPROVER,
                "id",
                Values::id,
                BatchDecision.class,
                api.batches()::approveBatch)
            .slow()
            .hidden("expect")
            .deciding(sums::addBatch),
        about(
                "reject-batch",
                APPROVER,
                "id",
                Values::id,
                BatchDecision.class,
                api.batches()::rejectBatch)
            .hidden("expect")
            .deciding(sums::addBatch)
            .marked());
  }

  private List<VerbForm> pauses() {
    return List.of(
        about("pause", OPERATOR, "board", Values::board, ReasonRequest.class, api.batches()::pause),
        about(
            "resume",
            OPERATOR,
            "board",
            Values::board,
            ReasonRequest.class,
            api.batches()::resume));
  }

  private List<VerbForm> repairs() {
    return List.of(
        verb("verify", OPERATOR, "", VerificationRequest.class, api.verifications()::verify)
            .board()
            .text("period"),
        ofPeriod("rebuild", OPERATOR, RebuildRequest.class, api.maintenance()::rebuild)
            .check("replace")
            .check("acceptLoss")
            .marked(),
        verb("drop-orphans", OPERATOR, "", OrphanRequest.class, api.memory()::dropOrphans)
            .board()
            .orAll("board")
            .check("forceUnknown")
            .marked());
  }

  private List<VerbForm> archives() {
    return List.of(
        verb("archive", OPERATOR, "", ArchiveRequest.class, api.archives()::archive)
            .board()
            .orAll("board")
            .day("before", true)
            .check("drop")
            .marked());
  }

  private List<VerbForm> quarantine() {
    return List.of(
        ofPeriod("release", OPERATOR, Entries.class, api.maintenance()::release)
            .required("numbers")
            .showing(this::quarantined),
        ofPeriod("discard", OPERATOR, Entries.class, api.maintenance()::discard)
            .required("numbers")
            .showing(this::quarantined)
            .marked());
  }

  private List<VerbForm> deliveries() {
    return List.of(
        verb("retry", OPERATOR, "", TargetRequest.class, api.deliveries()::retry)
            .text("target")
            .orAll("target"),
        verb("redeliver", OPERATOR, "", TargetRequest.class, api.deliveries()::redeliver)
            .slow()
            .text("target")
            .orAll("target")
            .day("from", true),
        verb("forget-target", OPERATOR, "", TargetRequest.class, api.deliveries()::forget)
            .required("target")
            .marked());
  }

  private List<VerbForm> wallet() {
    return List.of(
        new VerbForm("reconcile", OPERATOR, "", (v, call) -> reconcile(v, call))
            .slow()
            .upload("credits", false)
            .check("fetch")
            .day("from", false)
            .day("to", false)
            .text("lines")
            .previewed(),
        verb("resend", OPERATOR, "", FindingRequest.class, api.wallet()::resend)
            .text("findings")
            .select("kind", false, "missing", "refused", "unconfirmed")
            .orAll("findings", "kind"),
        verb("return-refused", OPERATOR, "", ReturnRequest.class, api.wallet()::returnRefused)
            .text("findings")
            .orAll("findings")
            .previewed(),
        verb("accept-findings", OPERATOR, "", FindingRequest.class, api.wallet()::accept)
            .text("findings")
            .select(
                "kind",
                false,
                "missing",
                "twice",
                "amount",
                "currency",
                "unawarded",
                "refused",
                "credited",
                "unconfirmed",
                "answer")
            .orAll("findings", "kind"));
  }

  /** The last line break of a list says that it is whole. */
  private Task reconcile(Values values, Call call) {
    boolean fetch = values.is("fetch");
    if (!fetch) {
      values.text("credits");
    }
    String typed = values.typed().getOrDefault("credits", "");
    return api.wallet()
        .reconcile(
            new ReconcileRequest(
                values.reason(),
                fetch && typed.isBlank() ? null : typed,
                fetch,
                values.find("from"),
                values.find("to"),
                values.number("lines")),
            call);
  }

  private Listing quarantined(Values values) {
    return api.maintenance().quarantine(values.board(), values.period(), false, PageRequest.FIRST);
  }

  private List<VerbForm> ownKeys() {
    return List.of(
        verb("create-own-key", READER, "", KeyRequest.class, api.accounts()::createOwnKey)
            .orFor(WRITER)
            .required("name")
            .rolesOf("roles")
            .text("boards")
            .text("operations")
            .preset("validForDays", "90"));
  }
}
