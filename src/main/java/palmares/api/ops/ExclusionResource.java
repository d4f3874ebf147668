package palmares.api.ops;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.period.exclusion.ExclusionLevel;
import palmares.period.exclusion.NamedLists.NamedList;
import palmares.platform.output.Identifier;
import palmares.platform.output.Wrapped;
import palmares.platform.text.Sentence;
import palmares.platform.time.DayOrTime;
import palmares.rules.board.MemberId;

/** Exclusions of members. */
@HttpExchange("/api/v1/ops/exclusions")
public interface ExclusionResource {
  /**
   * Lists exclusions, the oldest first.
   *
   * @param member null for all members
   * @param all whether to list lifted ones, too
   */
  @Operation("opsExclusionList")
  @Requires(Role.VIEWER)
  @GetExchange
  Rows<ExclusionRow> list(
      @RequestParam(required = false) @Nullable String member,
      @RequestParam(defaultValue = "false") boolean all,
      PageRequest page);

  /** Excludes a member; live boards follow at once. */
  @Operation("opsExclude")
  @Requires(Role.OPERATOR)
  @PostExchange
  Task exclude(@RequestBody ExclusionRequest body, Call call);

  /** Lifts exclusions of a member. */
  @Operation("opsLift")
  @Requires(Role.OPERATOR)
  @PostExchange("/lift")
  Task lift(@RequestBody LiftRequest body, Call call);

  /** Excludes the members in a file: all of them, or none. */
  @Operation("opsExcludeFile")
  @Requires(Role.OPERATOR)
  @PostExchange("/file")
  Task excludeFile(@RequestBody FileRequest body, Call call);

  /** Lists the named lists of excluded members that board files refer to. */
  @Operation("opsLists")
  @Requires(Role.VIEWER)
  @GetExchange("/lists")
  Rows<NamedList> lists();

  /** Lists the entries of a named list, the oldest first. */
  @Operation("opsListEntries")
  @Requires(Role.VIEWER)
  @GetExchange("/lists/{list}")
  Rows<ExclusionRow> entries(@PathVariable String list, PageRequest page);

  /** Creates an empty list. */
  @Operation("opsCreateList")
  @Requires(Role.OPERATOR)
  @PostExchange("/lists/{list}")
  Task createList(@PathVariable String list, @RequestBody ReasonRequest body, Call call);

  /** Adds a member, or those in a file, to a list. */
  @Operation("opsAddToList")
  @Requires(Role.OPERATOR)
  @PostExchange("/lists/{list}/add")
  Task addToList(@PathVariable String list, @RequestBody EntryRequest body, Call call);

  /** Removes a member from a list. */
  @Operation("opsRemoveFromList")
  @Requires(Role.OPERATOR)
  @PostExchange("/lists/{list}/remove")
  Task removeFromList(@PathVariable String list, @RequestBody RemovalRequest body, Call call);

  /**
   * The body of the exclusions in a file.
   *
   * @param csv the first line names the columns: member, level and reason, and if need be board,
   *     from and until
   * @param allowUnknown whether members may be some without any event, registration or board
   */
  record FileRequest(String reason, String csv, boolean allowUnknown) {}

  /**
   * The body of entries for a list: a member and its level, or a file.
   *
   * @param csv the first line names the columns: member, level and reason, and if need be from and
   *     until
   */
  record EntryRequest(
      String reason,
      @Nullable @Takes(MemberId.class) String member,
      @Nullable @Takes(ExclusionLevel.class) String level,
      @Nullable String csv,
      boolean allowUnknown) {}

  /** The body of a removal from a list. */
  record RemovalRequest(String reason, @Takes(MemberId.class) String member) {}

  /**
   * The body of an exclusion.
   *
   * @param level hidden, unranked or no-prize
   * @param board null for all boards
   * @param from a day in the board's zone, or a time; null for no bound
   * @param until a day or time; null for no bound
   * @param allowUnknown whether the member may be one without any event, registration or board
   */
  record ExclusionRequest(
      String reason,
      @Takes(MemberId.class) String member,
      @Takes(ExclusionLevel.class) String level,
      @Nullable String board,
      @Nullable @Takes(DayOrTime.class) String from,
      @Nullable @Takes(DayOrTime.class) String until,
      boolean allowUnknown) {}

  /**
   * The body of a lifting.
   *
   * @param board only those of this board; null for any
   * @param id only this exclusion; null for those of a board, or all if {@code all} says so
   * @param all whether to lift all of the member that are in force
   */
  record LiftRequest(
      String reason,
      @Takes(MemberId.class) String member,
      @Nullable String board,
      @Nullable Long id,
      boolean all) {}

  /**
   * An exclusion.
   *
   * @param board null for all boards
   * @param list the list of exclusions that it is an entry of; null if it is none
   * @param from null for no bound
   * @param until null for no bound
   * @param lifted when, by whom and why it was lifted; null while it is in force
   */
  record ExclusionRow(
      @Identifier long id,
      @Wrapped String member,
      ExclusionLevel level,
      @Nullable String board,
      @Nullable String list,
      @Nullable Instant from,
      @Nullable Instant until,
      Instant createdAt,
      @Wrapped String by,
      @Wrapped String reason,
      @Nullable Sentence lifted) {}
}
