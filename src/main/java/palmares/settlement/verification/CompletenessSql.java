package palmares.settlement.verification;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows that others rest on must be there, whole. Each statement answers rows as those of {@link
 * LineSql} do.
 */
final class CompletenessSql {
  private CompletenessSql() {}

  /** Tables whose rows are of a period, and by whose primary key its rows are found. */
  private static final List<String> OF_PERIODS =
      List.of(
          "event",
          "committed_event",
          "revision",
          "frozen_exclusion",
          "correction",
          "amended_line",
          "tier_move",
          "manifest");

  /**
   * Rows of periods that do not exist. The periods of a table are found by one look into its index
   * each, since a table may hold a hundred million rows of a few periods.
   */
  private static final String OF_NO_PERIOD =
      """
      select
        0 as period_id,
        format('%1$s rows of a period that does not exist, with id %%s', found.id) as what,
        null as derived,
        format('%%s, such as %%s', count(*), min(orphan::text)) as stored
      from (
        with recursive known as (
          select min(period_id) as id from %1$s
          union all
          select (select min(period_id) from %1$s where period_id > known.id)
          from known
          where known.id is not null
        )
        select id from known where id is not null
      ) found
      join %1$s orphan on orphan.period_id = found.id
      where not exists (select from period where period.id = found.id)
      group by found.id
      """;

  /** Rows of outcomes that do not exist, in the table that outcomes share; found as above. */
  private static final String OF_NO_OUTCOME =
      """
      select
        0 as period_id,
        format('%1$s rows of an outcome that does not exist, with id %%s', found.id) as what,
        null as derived,
        format('%%s, such as %%s', count(*), min(orphan::text)) as stored
      from (
        with recursive known as (
          select min(outcome) as id from %1$s where outcome < 0
          union all
          select (select min(outcome) from %1$s where outcome > known.id and outcome < 0)
          from known
          where known.id is not null
        )
        select id from known where id is not null
      ) found
      join %1$s orphan on orphan.outcome = found.id and orphan.outcome < 0
      where not exists (select from revision where revision.id = found.id)
      group by found.id
      """;

  /**
   * An outcome's own table holds its rows alone, so that the catalog names them; only those that
   * have no outcome are read. What was restarted leaves empty ones.
   */
  private static final String TABLES_OF_NO_OUTCOME =
      """
      select
        0 as period_id,
        format('table %s of an outcome that does not exist', own.oid::regclass) as what,
        null as derived,
        format('%s bytes', pg_relation_size(own.oid)) as stored
      from (
        with recursive part as (
          select inhrelid as id
          from pg_inherits
          where inhparent in ('line'::regclass, 'payment'::regclass)
          union all
          select inhrelid from part join pg_inherits on inhparent = part.id
        )
        select id from part
      ) part
      join pg_class own on own.oid = part.id and own.relkind = 'r'
      cross join lateral regexp_match(
        pg_get_expr(relpartbound, own.oid), 'FROM \\((\\d+)\\) TO \\((\\d+)\\)') as bound
      where bound is not null
        and case
          when exists (select from revision where id >= bound[1]::int and id < bound[2]::int)
            then false
          else has_rows(own.oid)
        end
      union all
      select 0, format('prize number %s of outcome %s', rule, outcome), null,
        currency || ' by ' || name
      from prize
      where not exists (select from revision where revision.id = prize.outcome)
      """;

  /** All of the ledger, and of the outcomes that it pays, that belongs to nothing. */
  static final String ORPHANS =
      OF_PERIODS.stream().map(OF_NO_PERIOD::formatted).collect(Collectors.joining("union all\n"))
          + "union all\n"
          + OF_NO_OUTCOME.formatted("line")
          + "union all\n"
          + OF_NO_OUTCOME.formatted("payment")
          + "union all\n"
          + TABLES_OF_NO_OUTCOME;

  /** Of everything, whatever period. */
  static final String FOUNDATIONS =
      """
      select
        0 as period_id,
        format('definition %s of %s', used.hash, used.board) as what,
        'a row' as derived,
        null as stored
      from (
        select definition_hash as hash, board from period
        union
        select revision.definition_hash, period.board
        from revision
        join period on period.id = revision.period_id
      ) used
      left join definition using (hash)
      where definition.hash is null
      union all
      select
        0,
        format('hash of the definition that was first used at %s', first_used_at),
        encode(sha256(convert_to(source, 'UTF8')), 'hex'),
        hash
      from definition
      where hash <> encode(sha256(convert_to(source, 'UTF8')), 'hex')
      """;

  /** How far the journal of a period was drained. */
  static final String DRAINED =
      """
      select period.id as period_id, 'drained of the journal' as what,
        coalesce(rebuilt_events, sealed_events)::text as derived, drained::text as stored
      from period
      left join journal_position on journal_position.period_id = period.id
      where period.id = any(:ids)
        and coalesce(rebuilt_events, sealed_events) <> coalesce(drained, 0)
      order by period.id
      """;

  /** What a period lacks of what was sealed is acknowledged, and the act of that is kept. */
  static final String LOSSES_FROM_ACTS =
      """
      with loss as (
        select period_id, made_at as at, made_by as by, reason
        from acknowledged_loss
        where period_id = any(:ids)
      ), kept_act as (
        select period.id as period_id, act.at, act.by, act.reason
        from act
        join period on period.board = act.board and period.name = act.period
        where act.verb = 'accept-loss' and period.id = any(:ids)
      )
      select
        coalesce(kept_act.period_id, loss.period_id) as period_id,
        'loss acknowledged by ' || coalesce(kept_act.by, loss.by) as what,
        kept_act.reason as derived,
        loss.reason as stored
      from kept_act
      full join loss using (period_id, at, by)
      where kept_act.reason is distinct from loss.reason
      union all
      select
        id,
        'loss after the seal',
        'that somebody acknowledged it',
        format('%s of %s members, %s of %s points, %s of %s events', rebuilt_members,
          sealed_members, rebuilt_points, sealed_points, rebuilt_events, sealed_events)
      from period
      where id = any(:ids)
        and (rebuilt_members < sealed_members
          or rebuilt_points < sealed_points
          or rebuilt_events < sealed_events)
        and not exists (
          select from acknowledged_loss left_over
          where left_over.period_id = period.id
            and (left_over.members, left_over.points, left_over.events)
              = (rebuilt_members, rebuilt_points, rebuilt_events))
      order by 1, 2
      """;
}
