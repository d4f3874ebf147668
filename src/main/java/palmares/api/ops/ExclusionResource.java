package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.security.Requires;
import palmares.api.security.Role;

/** Exclusions of members. */
@HttpExchange("/api/v1/ops/exclusions")
public interface ExclusionResource {
  /**
   * Lists exclusions.
   *
   * @param member null for all members
   * @param all whether to list lifted ones, too
   */
  @Requires(Role.VIEWER)
  @GetExchange
  Listing list(
      @RequestParam(required = false) @Nullable String member,
      @RequestParam(defaultValue = "false") boolean all);

  /** Excludes a member; live boards follow at once. */
  @Requires(Role.OPERATOR)
  @PostExchange
  Task exclude(@RequestBody ExclusionOrder body, Call call);

  /** Lifts exclusions of a member. */
  @Requires(Role.OPERATOR)
  @PostExchange("/lift")
  Task lift(@RequestBody LiftOrder body, Call call);

  /**
   * The body of an exclusion.
   *
   * @param level hidden, unranked or no-prize
   * @param board null for all boards
   * @param from a day in the board's zone, or a time; null for no bound
   * @param until a day or time; null for no bound
   * @param allowUnknown whether the member may be one without any event, registration or board
   */
  record ExclusionOrder(
      @Nullable String reason,
      @Nullable String member,
      @Nullable String level,
      @Nullable String board,
      @Nullable String from,
      @Nullable String until,
      boolean allowUnknown) {}

  /**
   * The body of a lifting.
   *
   * @param board only on this board; null for all
   * @param id only this exclusion; null for all that are in force
   */
  record LiftOrder(
      @Nullable String reason,
      @Nullable String member,
      @Nullable String board,
      @Nullable Long id) {}
}
