package palmares.ledger;

/**
 * What posting says to the database; all of it is about one {@code :period} and {@code :revision}.
 */
final class LedgerSql {
  /** Whose payments of a batch it is about; all of a batch of no bounds. */
  static final String WITHIN =
      """
      period_id = :period
        and revision = :revision
        and (:after::text is null or member > :after)
        and (:upTo::text is null or member <= :upTo)
      """;

  /** Accounts that are not there yet, of those who get ({@code to}) or who give ({@code from}). */
  static final String OPEN =
      """
      insert into account (kind, name, currency)
      select kind, name, currency
      from (
        select distinct %%1$s_kind as kind, %%1$s_name as name, currency
        from payable
        where %1$s
      ) owner
      left join account using (kind, name, currency)
      where account.id is null
      order by kind, name, currency
      on conflict (kind, name, currency) do nothing
      """
          .formatted(WITHIN);

  /** Who pays: few. */
  static final String PAYERS =
      """
      select distinct from_kind as kind, from_name as name, currency
      from payable
      where %1$s
      order by kind, name, currency
      """
          .formatted(WITHIN);

  static final String OPEN_ONE =
      """
      insert into account (kind, name, currency)
      select :kind, :name, :currency
      where not exists (
        select from account where (kind, name, currency) = (:kind, :name, :currency))
      on conflict (kind, name, currency) do nothing
      """;

  static final String STRANGERS =
      """
      select exists (
        select
        from (select to_kind as kind, to_name as name, currency from payable where %1$s) owner
        left join account using (kind, name, currency)
        where account.id is null)
      """
          .formatted(WITHIN);

  /**
   * In the order of the members, which is that of the indexes. Payers are few: each is looked up.
   */
  static final String BOOK =
      """
      with due as materialized (
        select * from payable where %4$s
      ), payer as materialized (
        select account.*
        from (select distinct from_kind, from_name, currency from due) owner
        cross join lateral (
          select *
          from account
          where kind = from_kind and name = from_name and currency = owner.currency
          limit 1
        ) account
      ), posted as (
        insert into %1$s (
          period_id, revision, member, rule, purpose, from_account, to_account, amount,
          posted_at, fence)
        select
          due.period_id, due.revision, due.member, due.rule, due.purpose,
          payer.id, payee.id, due.amount, :now, :fence
        from due
        join payer
          on payer.kind = due.from_kind
          and payer.name = due.from_name
          and payer.currency = due.currency
        join account payee
          on payee.kind = due.to_kind
          and payee.name = due.to_name
          and payee.currency = due.currency
          %5$s
        order by due.member, due.rule
        %3$s
        returning id, from_account, to_account, amount
      )
      insert into %2$s (transfer_id, account_id, amount)
      select id, from_account, -amount from posted
      union all
      select id, to_account, amount from posted
      """;

  /** The first payments of a period go to the members themselves, who are a range of all. */
  static final String PAYEES =
      """
      and (:after::text is null or payee.name > :after)
      and (:upTo::text is null or payee.name <= :upTo)
      """;

  static final String UNLESS_THERE =
      "on conflict (period_id, revision, member, rule, purpose) do nothing";

  static final String UNEQUAL =
      """
      select count(*)
      from (select * from payable where %1$s) due
      full join (
        select
          transfer.*,
          payer.kind as from_kind,
          payer.name as from_name,
          payee.kind as to_kind,
          payee.name as to_name,
          payer.currency,
          payee.currency as to_currency
        from transfer
        join account payer on payer.id = transfer.from_account
        join account payee on payee.id = transfer.to_account
        where %1$s
      ) done using (member, rule, purpose)
      where (due.amount, due.from_kind, due.from_name, due.to_kind, due.to_name,
          due.currency, due.currency)
        is distinct from (done.amount, done.from_kind, done.from_name, done.to_kind,
          done.to_name, done.currency, done.to_currency)
      """
          .formatted(WITHIN);

  private LedgerSql() {}
}
