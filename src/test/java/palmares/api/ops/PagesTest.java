package palmares.api.ops;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.roles.Role;
import palmares.operations.amendment.AmendmentRequest;
import palmares.operations.amendment.Amendments;
import palmares.period.Period;
import palmares.period.exclusion.Exclusion.Terms;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.Exclusions;
import palmares.period.exclusion.NamedLists;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.testing.Api;
import palmares.testing.Api.Answer;
import palmares.testing.Contest;
import palmares.testing.World;
import palmares.testing.WorldTest;
import tools.jackson.databind.JsonNode;

/** Lists that grow are read in pages, which repeat and miss nothing. */
@WorldTest
class PagesTest {
  private static final int PAGE = 1;
  private static final int PAGES = 3;
  private static final String BOTS = "bots";

  @Autowired private World world;
  @Autowired private ApiKeys keys;
  @Autowired private JdbcClient jdbc;
  @Autowired private Exclusions exclusions;
  @Autowired private NamedLists lists;
  @Autowired private Amendments amendments;
  @LocalServerPort private int port;

  private Api api;
  private Board board;
  private Period first;
  private long batch;
  private int grown;

  @BeforeEach
  void beginEveryList() {
    api =
        new Api(
            port,
            keys.create(new NewKey("ops", Set.of(Role.VIEWER), Set.of(), null), "ann", "test"));
    board = world.board(Contest.rules());
    lists.create(BOTS, "ann", "found by a report");
    world.take(Contest.facts());
    first = world.settle(world.open(board));
    batch =
        jdbc.sql(
                """
                insert into task (verb, target, reason, made_by, started_at, request_hash)
                values ('close-batch', '{"code": "verbatim", "values": {"text": "all"}}', 'a test',
                        'ann', now(), '')
                returning id
                """)
            .query(Long.class)
            .single();
    grow();
  }

  /** Adds at least one row to each list. */
  private void grow() {
    grown++;
    Period period = world.open(board);
    world.take(Contest.facts());
    period = world.settle(period);
    for (String list : new String[] {null, BOTS}) {
      var terms =
          new Terms(new MemberId("m" + grown), ExclusionLevel.HIDDEN, null, list, null, null);
      exclusions.exclude(terms, "a bot", "ann");
    }
    var points = Map.of(new MemberId("ann"), 1000L + grown);
    amendments.prepare(first.id(), new AmendmentRequest("zoe", "by hand", null, points));
    amendments.approve(first.id(), null, "bob", "right so");
    sql(
        """
        insert into member (
          id, external_hash, external_mask, nickname, invite_code, digest, registered_at)
        values ('m' || ?, ?, '***', 'Grown ' || ?, 'AAAAAAA' || ?, '', now())
        """,
        grown,
        "hash " + grown,
        grown,
        grown + 1);
    sql(
        """
        insert into late_event (
          board, period, id, member, action, undo, quantity, occurred_at, arrived_at)
        values (?, ?, 'late-' || ?, 'ann', 'like', false, 1, now(), now() + ? * interval '1 us')
        """,
        first.board().value(),
        first.name().value(),
        grown,
        grown);
    sql(
        """
        insert into journal_quarantine (period_id, seq, entry, error, quarantined_at)
        values (?, ?, '', said('verbatim', '{"text": "refused"}'), now())
        """,
        first.id().value(),
        grown);
    sql(
        """
        insert into verification_run (
          night, since, started_at, ended_at, by, periods, differences)
        values (date '2026-01-01' + ?, now(), now(), now(), 'ann', 1, 0)
        """,
        grown);
    sql(
        """
        insert into task (verb, target, reason, made_by, started_at, request_hash)
        values ('close-batch', '{"code": "verbatim", "values": {"text": "all"}}', 'a test', 'ann',
                now(), '')
        """);
    sql(
        "insert into task_item (task_id, n, period_id) values (?, ?, ?)",
        batch,
        grown,
        period.id().value());
  }

  private void sql(String sql, Object... parameters) {
    assertThat(jdbc.sql(sql).params(parameters).update()).isOne();
  }

  private List<String> paths() {
    String period = "/boards/%s/periods/%s".formatted(board.id(), first.name());
    return List.of(
        "/audit-log?board=" + board.id(),
        "/runs?",
        "/verifications?",
        "/quarantine?",
        "/inbox?board=" + board.id(),
        "/periods?board=%s&state=settled".formatted(board.id()),
        period + "/revisions?",
        "/exclusions?all=true",
        "/exclusions/lists/bots?",
        "/late-events?",
        "/members?search=grown",
        "/tasks?",
        "/tasks/%d/items?".formatted(batch),
        "/ledger/accounts/ann?kind=member",
        "/ledger/accounts/rewards:%s?".formatted(board.id()));
  }

  @Test
  void joinedPagesAreTheWholeListWhileRowsAreAdded() {
    while (grown < PAGE * PAGES) {
      grow();
    }
    var whole = new LinkedHashMap<String, List<JsonNode>>();
    var joined = new LinkedHashMap<String, List<JsonNode>>();
    var next = new LinkedHashMap<String, String>();
    for (String path : paths()) {
      whole.put(path, rows(api.get("/ops" + path + "&count=" + PAGE * PAGES)));
      next.put(path, path + "&count=" + PAGE);
      joined.put(path, new ArrayList<>());
    }
    for (int page = 0; page < PAGES; page++) {
      for (String path : paths()) {
        Answer answer = api.get("/ops" + next.get(path));
        assertThat(rows(answer)).as("a page of %s", path).hasSize(PAGE);
        requireNonNull(joined.get(path)).addAll(rows(answer));
        if (page < PAGES - 1) {
          next.put(path, path.replaceAll("\\?.*", "") + query(answer));
        }
      }
      grow();
    }
    whole.forEach((path, rows) -> assertThat(joined.get(path)).as(path).isEqualTo(rows));
  }

  @Test
  void theLastPageHasNoLink() {
    for (String path : paths()) {
      assertThat(api.get("/ops" + path + "&count=10000").header("Link")).as(path).isEmpty();
    }
  }

  private static List<JsonNode> rows(Answer answer) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
    return answer.body().valueStream().toList();
  }

  private static String query(Answer answer) {
    String link = answer.header("Link");
    assertThat(link).matches("<\\?[^<>]*after=[^<>]*>; rel=\"next\"").contains("count=" + PAGE);
    return link.substring(1, link.indexOf('>'));
  }

  @Test
  void wrongLengthsAndCursorsAreRefused() {
    for (String path : paths()) {
      for (String wrong : List.of("count=0", "count=10001", "count=-1")) {
        assertThat(api.get("/ops" + path + "&" + wrong).problem()).as(path).endsWith("field");
      }
      for (String wrong : List.of("x", "", "AA", PageCursor.of("a", "b", "c", "d", "e").text())) {
        Answer refused = api.get("/ops" + path + "&after=" + wrong);
        assertThat(refused.status()).as(path + " " + wrong).isEqualTo(400);
        assertThat(refused.problem()).endsWith("invalid-cursor");
      }
    }
  }
}
