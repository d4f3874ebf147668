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
