-- What has been copied from a frozen live board: one row a slice of its index range, written in the
-- transaction that copies the slice.
create table snapshot_slice (
  period_id bigint not null references period,
  slice int not null,
  members bigint not null,
  points numeric not null,
  taken_at timestamptz not null,
  primary key (period_id, slice),
  constraint "a slice holds somebody" check (members > 0)
);

-- The frozen live board. Filled by COPY only; no foreign key, its slices' rows stand for it.
create table snapshot (
  period_id bigint not null,
  member text collate "C" not null,
  points bigint not null,
  reached_at timestamptz not null,
  primary key (period_id, member),
  constraint "points in a snapshot are not negative" check (points >= 0)
);

-- The final lines of a closed period. The place is the position in the one exact order; the rank
-- is what the board's method makes of it.
create table standing (
  period_id bigint not null references period,
  revision int not null,
  place bigint not null,
  rank bigint not null,
  member text collate "C" not null,
  points bigint not null,
  reached_at timestamptz not null,
  primary key (period_id, revision, place),
  constraint "a member stands once in a revision" unique (period_id, revision, member),
  constraint "places count from one" check (place >= 1),
  constraint "a rank is never worse than the place" check (rank between 1 and place)
);
