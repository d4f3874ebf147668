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

  private List<VerbForm> closings() {
    return List.of(
        new VerbForm(
            "close",
            OPERATOR,
            PERIOD,
            (v, call) ->
                api.closings()
                    .close(v.board(), v.period(), new ClosingRequest(v.reason(), 0, false), call)),
        new VerbForm(
                "restart",
                OPERATOR,
                PERIOD,
                (v, call) -> api.closings().restart(v.board(), v.period(), reason(v), call))
            .showing(
                v ->
                    api.installation()
                        .runs(v.board(), v.period(), false, false, new PageRequest(1, null))),
        new VerbForm(
            "hold",
            OPERATOR,
            PERIOD,
            (v, call) -> api.decisions().hold(v.board(), v.period(), reason(v), call)),
        new VerbForm(
            "lift-hold",
            OPERATOR,
            PERIOD,
            (v, call) -> api.decisions().liftHold(v.board(), v.period(), reason(v), call)),
        new VerbForm(
                "extend",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.closings()
                        .extend(v.board(), v.period(), v.body(ExtensionRequest.class), call))
            .required("until"));
  }

  private List<VerbForm> decisions() {
    return List.of(
        new VerbForm(
                "approve",
                APPROVER,
                PERIOD,
                (v, call) ->
                    api.decisions().approve(v.board(), v.period(), v.body(Approval.class), call))
            .slow()
            .select("ties", false, "each", "share", "order")
            .check("acceptExclusions")
            .hidden("revision")
            .hidden("expect")
            .deciding(decisions::addOutcome),
        new VerbForm(
                "reject",
                APPROVER,
                PERIOD,
                (v, call) ->
                    api.decisions().reject(v.board(), v.period(), v.body(Rejection.class), call))
            .hidden("revision")
            .hidden("expect")
            .deciding(decisions::addOutcome)
            .marked(),
        new VerbForm(
                "amend",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.amendments().amend(v.board(), v.period(), v.body(AmendRequest.class), call))
            .slow()
            .area("points")
            .area("rules")
            .select("ties", false, "each", "share", "order")
            .deciding(decisions::addTies));
  }

  private static ReasonRequest reason(Values values) {
    return new ReasonRequest(values.reason());
  }

  private List<VerbForm> lateEvents() {
    return List.of(
        new VerbForm(
                "accept-late",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.lateEvents().accept(v.board(), v.period(), v.body(Decision.class), call))
            .slow()
            .text("ids")
            .check("change")
            .showing(v -> lateEvents(v, true)),
        new VerbForm(
                "dismiss-late",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.lateEvents().dismiss(v.board(), v.period(), v.body(Decision.class), call))
            .slow()
            .text("ids")
            .check("change")
            .showing(v -> lateEvents(v, !v.is("change"))));
  }

  private Listing lateEvents(Values values, boolean undecided) {
    return api.lateEvents()
        .list(values.board(), values.period(), undecided, new PageRequest(50, null));
  }

  private List<VerbForm> withheld() {
    return List.of(
        new VerbForm(
                "release-withheld",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.withheld().release(v.board(), v.period(), v.body(LineDecision.class), call))
            .text("members")
            .showing(this::withheld),
        new VerbForm(
                "refuse-withheld",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.withheld().refuse(v.board(), v.period(), v.body(LineDecision.class), call))
            .text("members")
            .showing(this::withheld)
            .marked());
  }

  private Listing withheld(Values values) {
    return api.withheld()
        .list(values.board(), values.period(), null, true, new PageRequest(50, null));
  }

  private List<VerbForm> exclusions() {
    return List.of(
        new VerbForm(
                "exclude",
                OPERATOR,
                "member",
                (v, call) -> api.exclusions().exclude(v.body(ExclusionRequest.class), call))
            .slow()
            .select("level", true, "hidden", "unranked", "no-prize")
            .board()
            .day("from", false)
            .day("until", false)
            .check("allowUnknown"),
        new VerbForm(
                "lift",
                OPERATOR,
                "member",
                (v, call) -> api.exclusions().lift(v.body(LiftRequest.class), call))
            .slow()
            .board()
            .hidden("id"));
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
        new VerbForm(
                "create-list",
                OPERATOR,
                "",
                (v, call) -> api.exclusions().createList(v.text("list"), reason(v), call))
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
        new VerbForm(
                "remove-from-list",
                OPERATOR,
                "list member",
                (v, call) ->
                    api.exclusions()
                        .removeFromList(v.text("list"), v.body(RemovalRequest.class), call))
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
        new VerbForm(
                "batch",
                OPERATOR,
                "",
                (v, call) -> api.batches().begin(v.body(BatchRequest.class), call))
            .slow()
            .select("verb", true, "amend", "close", "restart")
            .text("exclusions")
            .board()
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
        new VerbForm(
                "resume-batch",
                OPERATOR,
                "id",
                (v, call) -> api.batches().resumeBatch(v.id(), reason(v), call))
            .orFor(APPROVER),
        new VerbForm(
                "cancel-batch",
                OPERATOR,
                "id",
                (v, call) -> api.batches().cancelBatch(v.id(), reason(v), call))
            .orFor(APPROVER));
  }

  private List<VerbForm> batchDecisions() {
    return List.of(
        new VerbForm(
                "approve-batch",
                APPROVER,
                "id",
                (v, call) -> api.batches().approveBatch(v.id(), v.body(BatchDecision.class), call))
            .slow()
            .hidden("expect")
            .deciding(sums::addBatch),
        new VerbForm(
                "reject-batch",
                APPROVER,
                "id",
                (v, call) -> api.batches().rejectBatch(v.id(), v.body(BatchDecision.class), call))
            .hidden("expect")
            .deciding(sums::addBatch)
            .marked());
  }

  private List<VerbForm> pauses() {
    return List.of(
        new VerbForm(
            "pause",
            OPERATOR,
            "board",
            (v, call) -> api.batches().pause(v.board(), reason(v), call)),
        new VerbForm(
            "resume",
            OPERATOR,
            "board",
            (v, call) -> api.batches().resume(v.board(), reason(v), call)));
  }

  private List<VerbForm> repairs() {
    return List.of(
        new VerbForm(
                "verify",
                OPERATOR,
                "",
                (v, call) -> api.verifications().verify(v.body(VerificationRequest.class), call))
            .board()
            .text("period"),
        new VerbForm(
                "rebuild",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.maintenance()
                        .rebuild(v.board(), v.period(), v.body(RebuildRequest.class), call))
            .check("replace")
            .check("acceptLoss")
            .marked(),
        new VerbForm(
                "drop-orphans",
                OPERATOR,
                "",
                (v, call) -> api.memory().dropOrphans(v.body(OrphanRequest.class), call))
            .text("board")
            .check("forceUnknown")
            .marked());
  }

  private List<VerbForm> archives() {
    return List.of(
        new VerbForm(
                "archive",
                OPERATOR,
                "",
                (v, call) -> api.archives().archive(v.body(ArchiveRequest.class), call))
            .board()
            .day("before", true)
            .check("drop")
            .marked());
  }

  private List<VerbForm> quarantine() {
    return List.of(
        new VerbForm(
                "release",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.maintenance().release(v.board(), v.period(), v.body(Entries.class), call))
            .required("numbers")
            .showing(this::quarantined),
        new VerbForm(
                "discard",
                OPERATOR,
                PERIOD,
                (v, call) ->
                    api.maintenance().discard(v.board(), v.period(), v.body(Entries.class), call))
            .required("numbers")
            .showing(this::quarantined)
            .marked());
  }

  private List<VerbForm> deliveries() {
    return List.of(
        new VerbForm(
                "retry",
                OPERATOR,
                "",
                (v, call) -> api.deliveries().retry(v.body(TargetRequest.class), call))
            .text("target"),
        new VerbForm(
                "redeliver",
                OPERATOR,
                "",
                (v, call) -> api.deliveries().redeliver(v.body(TargetRequest.class), call))
            .slow()
            .text("target")
            .required("from"),
        new VerbForm(
                "forget-target",
                OPERATOR,
                "",
                (v, call) -> api.deliveries().forget(v.body(TargetRequest.class), call))
            .required("target")
            .marked());
  }

  private List<VerbForm> wallet() {
    return List.of(
        new VerbForm("reconcile", OPERATOR, "", (v, call) -> reconcile(v, call))
            .slow()
            .upload("credits", false)
            .check("fetch")
            .text("from")
            .text("to")
            .text("lines")
            .previewed(),
        new VerbForm("resend", OPERATOR, "", (v, call) -> api.wallet().resend(findings(v), call))
            .text("findings")
            .select("kind", false, "missing", "refused", "unconfirmed"),
        new VerbForm(
                "return-refused",
                OPERATOR,
                "",
                (v, call) -> {
                  List<Long> findings = v.numbers("findings");
                  var body = new ReturnRequest(v.reason(), findings, findings == null);
                  return api.wallet().returnRefused(body, call);
                })
            .text("findings")
            .previewed(),
        new VerbForm(
                "accept-findings",
                OPERATOR,
                "",
                (v, call) -> api.wallet().accept(findings(v), call))
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
                "answer"));
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

  private static FindingRequest findings(Values values) {
    List<Long> findings = values.numbers("findings");
    String kind = values.find("kind");
    return new FindingRequest(values.reason(), findings, kind, findings == null && kind == null);
  }

  private Listing quarantined(Values values) {
    return api.maintenance().quarantine(values.board(), values.period(), false, PageRequest.FIRST);
  }

  private List<VerbForm> ownKeys() {
    return List.of(
        new VerbForm(
                "create-own-key",
                READER,
                "",
                (v, call) -> api.accounts().createOwnKey(v.body(KeyRequest.class), call))
            .orFor(WRITER)
            .required("name")
            .rolesOf("roles")
            .text("boards")
            .text("operations")
            .preset("validForDays", "90"));
  }
}
