-- A currency has a name: looked at once a statement, not once a row. The planner would rather look at
-- a million names than at the few that differ, unless it is told to find these first.
alter table award drop constraint "a currency has a name";

create function require_currency() returns trigger language plpgsql as $$
declare
  nameless text;
begin
  with told as materialized (
    select distinct currency from added
  )
  select currency into nameless
    from told
    where currency !~ '^[a-z0-9][a-z0-9-]{0,39}$'
    limit 1;
  if found then
    raise exception 'award refused: % is no name of a currency', nameless
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger "a currency has a name" after insert on award
  referencing new table as added for each statement execute function require_currency();
create trigger "a changed currency has a name" after update on award
  referencing new table as added for each statement execute function require_currency();

-- A merge would read the index of all lines, and sort what was added.
alter function require_line() set enable_mergejoin = off;
