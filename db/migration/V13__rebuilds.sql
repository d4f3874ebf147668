-- Live boards that were made anew: under which lease, by whom, and from how many events.
create table rebuild (
  period_id bigint not null references period,
  fence bigint not null,
  owner text not null,
  started_at timestamptz not null,
  -- Empty if it broke off.
  ended_at timestamptz,
  -- How many events the journal had, and how many more only Redis had.
  events bigint,
  strays bigint,
  constraint "a lease is used for one rebuild" primary key (period_id, fence),
  constraint "a rebuild that is over says what it was made from" check (
    (ended_at is null) = (events is null) and (ended_at is null) = (strays is null))
);

-- The population that a period closes with where a rebuild made another than was sealed. The sealed
-- figures are evidence and stay as they are.
alter table period
  add column rebuilt_members bigint,
  add column rebuilt_points numeric,
  add column rebuilt_events bigint,
  add constraint "a rebuilt population is stated whole" check (
    (rebuilt_members is null) = (rebuilt_points is null)
    and (rebuilt_members is null) = (rebuilt_events is null)),
  add constraint "only a sealed period has a rebuilt population" check (
    rebuilt_members is null or sealed_at is not null);

-- That a person accepted a rebuild which falls short of what was sealed or copied of the board.
create table acknowledged_loss (
  period_id bigint not null,
  -- Of the rebuild.
  fence bigint not null,
  -- What is left, and what the period closes with.
  members bigint not null,
  points numeric not null,
  events bigint not null,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null,
  primary key (period_id, fence),
  foreign key (period_id, fence) references rebuild,
  constraint "an acknowledged loss has a name and a reason" check (made_by <> '' and reason <> '')
);

-- The members that are known to be affected: their lines had been copied before the loss.
create table acknowledged_loss_line (
  period_id bigint not null,
  fence bigint not null,
  member text collate "C" not null,
  -- What the copy said, and what the journal makes of it; empty if nothing.
  points bigint not null,
  rebuilt_points bigint,
  primary key (period_id, fence, member),
  foreign key (period_id, fence) references acknowledged_loss
);

create function refuse_sealed_edit() returns trigger language plpgsql as $$
begin
  raise exception
    'the sealed figures of period % are never edited: % members, % points, % events',
    old.id, old.sealed_members, old.sealed_points, old.sealed_events
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger "sealed figures are never edited" before update on period
  for each row
  when (old.sealed_at is not null
    and (old.sealed_at, old.sealed_members, old.sealed_points, old.sealed_events)
      is distinct from
        (new.sealed_at, new.sealed_members, new.sealed_points, new.sealed_events))
  execute function refuse_sealed_edit();

create function require_acknowledged_loss() returns trigger language plpgsql as $$
begin
  if old.state <> 'sealed' or new.state <> 'sealed' then
    raise exception 'the population of period % cannot change any more: it is %', old.id, old.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if (new.rebuilt_members < new.sealed_members
        or new.rebuilt_points < new.sealed_points
        or new.rebuilt_events < new.sealed_events)
      and not exists (
        select from acknowledged_loss loss
        where loss.period_id = new.id
          and (loss.members, loss.points, loss.events)
            = (new.rebuilt_members, new.rebuilt_points, new.rebuilt_events)) then
    raise exception 'nobody has acknowledged what period % lost after it was sealed', old.id
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger "a loss is acknowledged before it counts" before update on period
  for each row
  when ((old.rebuilt_members, old.rebuilt_points, old.rebuilt_events)
    is distinct from (new.rebuilt_members, new.rebuilt_points, new.rebuilt_events))
  execute function require_acknowledged_loss();

alter table period enable always trigger "sealed figures are never edited";
alter table period enable always trigger "a loss is acknowledged before it counts";
