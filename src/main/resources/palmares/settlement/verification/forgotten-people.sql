-- Proves that each change of a checksum, and each renamed audit entry, belongs to a person whose
-- forgetting is in the audit log or under way.
-- A row: one that does not.

select
  0 as period_id,
  format('renaming of %s for the %s of %s', pseudonym, what, owner) as what,
  'an audit entry' as derived,
  null as stored
from forgotten_sum
where not exists (
    select from act where act.verb = 'forget' and act.member = forgotten_sum.pseudonym)
  and not exists (
    select from forgetting where forgetting.pseudonym = forgotten_sum.pseudonym)
union all
select 0, format('renaming of audit entry %s', act_id), 'a forgotten person', null
from forgotten_act
join act on act.id = forgotten_act.act_id
where not exists (
    select from act forgotten
    where forgotten.verb = 'forget'
      and strpos(concat_ws(' ', act.member, act.reason), forgotten.member) > 0)
  and not exists (select from forgetting)
order by 2
