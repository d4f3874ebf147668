-- Its number is in Redis, too, so that no other installation uses the same live boards.
create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  -- The latest heartbeats of servers, each of which is in Redis, too: a copy lacks those since then.
  heartbeats uuid[] not null default '{}'
);
insert into installation default values;

-- The servers of the installation: which run, and when each of them last swept.
create table node (
  name text primary key,
  -- How it signs leases, runs and log lines: host name and process id.
  process text not null,
  -- Differs from all other processes, also from those with the same name and process id.
  instance uuid not null default gen_random_uuid(),
  roles text[] not null,
  -- The newest form of shared data that it reads, by which it decides what runs next to it.
  format int not null,
  -- Which Redis it uses: its nodes, and whether they are a cluster.
  redis text not null,
  started_at timestamptz not null,
  -- Its last heartbeat.
  seen_at timestamptz not null,
  -- When it was stopped; null while it runs, and if it died.
  stopped_at timestamptz,
  -- When its last sweep ended without a failure; null if it never did.
  swept_at timestamptz,
  -- Since when it cannot use Redis, and why it could not last; both null while it can.
  redis_down_since timestamptz,
  redis_failure text,
  constraint "an outage of Redis has a reason" check (
    (redis_down_since is null) = (redis_failure is null))
);
