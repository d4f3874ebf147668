package palmares.testing;

/**
 * Turns off the triggers that are enabled always, by what their functions do until the transaction
 * ends or turns them on again. To disable the triggers would change their tables, whose statements
 * all sessions would then plan again.
 */
final class Guards {
  private static final String GUARDS =
      "oid in (select tgfoid from pg_trigger where tgenabled = 'A')";

  private static final String PREFIX =
      "begin if tg_op = ''DELETE'' then return old; end if; return new; ";

  private static final String SUFFIX = "; end";

  /** Lets them do nothing. */
  static final String OFF =
      "update pg_proc set prosrc = '%s' || prosrc || '%s' where %s"
          .formatted(PREFIX, SUFFIX, GUARDS);

  /** Lets them do again what they did. */
  static final String ON =
      """
      update pg_proc
      set prosrc = substr(prosrc, length(prefix) + 1, length(prosrc) - length(prefix || '%2$s'))
      from (select '%1$s' as prefix) as off
      where %3$s
      """
          .formatted(PREFIX, SUFFIX, GUARDS);

  private Guards() {}
}
