package palmares.live.board;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;
import palmares.live.board.ApplyCalls.ApplyRequest;
import palmares.live.board.ApplyCalls.LiveSettings;
import palmares.live.board.ApplyCalls.Turn;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.platform.threads.Spans;
import palmares.platform.time.Microseconds;

/** Lets live boards decide events, several per call. */
@Component
class EventApplier {
  private final RedisClient redis;
  private final ApplyCalls calls;
  private final LiveSettings settings;
  private final Spans spans;

  EventApplier(RedisClient redis, ApplyCalls calls, LiveSettings settings, Spans spans) {
    this.redis = redis;
    this.calls = calls;
    this.settings = settings;
    this.spans = spans;
  }

  /** Decides each independently of the others, those of one board in their order. */
  List<Decision> each(List<ApplyRequest> orders) {
    return run(orders, ApplyCalls.MAX_EVENTS_PER_CALL, (number, of) -> Turn.NONE);
  }

  /** Decides in order: if one is deferred, so are all later ones of its board. */
  List<Decision> inTurn(List<ApplyRequest> orders, int maxPerCall) {
    String batch = UUID.randomUUID().toString();
    return run(orders, maxPerCall, (number, of) -> Turn.of(batch, number, of));
  }

  /** The positions of orders of one board that share one call. */
  private record Part(List<Integer> positions, Turn turn) {}

  private List<Decision> run(
      List<ApplyRequest> orders, int maxPerCall, BiFunction<Integer, Integer, Turn> turn) {
    List<Part> parts = parts(orders, maxPerCall, turn);
    var sent = new ArrayList<ScriptCall>(parts.size());
    for (Part part : parts) {
      sent.add(calls.call(part.positions().stream().map(orders::get).toList(), part.turn()));
    }
    List<List<byte[]>> answers =
        spans.call(
            "apply",
            () -> redis.run(LiveScripts.APPLY_EVENTS, sent),
            "events",
            orders.size(),
            "calls",
            sent.size());
    var decisions = new Decision[orders.size()];
    for (int i = 0; i < parts.size(); i++) {
      List<Integer> positions = parts.get(i).positions();
      for (int at = 0; at < positions.size(); at++) {
        decisions[positions.get(at)] = decision(answers.get(i).get(at));
      }
    }
    return Arrays.asList(decisions);
  }

  private static List<Part> parts(
      List<ApplyRequest> orders, int maxPerCall, BiFunction<Integer, Integer, Turn> turn) {
    Map<LiveKeys, List<Integer>> boards = new LinkedHashMap<>();
    for (int i = 0; i < orders.size(); i++) {
      boards.computeIfAbsent(orders.get(i).change().keys(), keys -> new ArrayList<>()).add(i);
    }
    var parts = new ArrayList<Part>();
    for (List<Integer> positions : boards.values()) {
      int of = (positions.size() + maxPerCall - 1) / maxPerCall;
      IntStream.range(0, of)
          .mapToObj(
              number ->
                  new Part(
                      positions.subList(
                          number * maxPerCall,
                          Math.min((number + 1) * maxPerCall, positions.size())),
                      turn.apply(number, of)))
          .forEach(parts::add);
    }
    return parts;
  }

  /**
   * @throws LiveBoardUnavailable if the board takes no events at present
   */
  void requireNotHeld(BoardChange change, Decision decision) {
    switch (decision.verdict()) {
      case REBUILDING -> throw LiveBoardUnavailable.rebuilding(change.keys());
      case TORN -> throw LiveBoardUnavailable.halted(change.keys(), Halt.TORN);
      case GAP -> throw LiveBoardUnavailable.halted(change.keys(), Halt.GAP);
      case BACKLOG -> throw LiveBoardUnavailable.backlog(change.keys(), settings.maxBacklog());
      default -> {}
    }
  }

  /** Decodes a script's answer on an event. */
  static Decision decision(byte[] answer) {
    String[] words = LiveBoards.text(answer).split(" ");
    Verdict verdict = Verdict.of(words[0]);
    return new Decision(
        verdict,
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Microseconds.instant(Long.parseLong(words[3])),
        isRepeat(verdict) ? Verdict.of(words[4]) : null);
  }

  private static boolean isRepeat(Verdict verdict) {
    return verdict == Verdict.DUPLICATE || verdict == Verdict.CONFLICT;
  }
}
