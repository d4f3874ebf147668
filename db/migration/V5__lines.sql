-- Outcomes and their lines: the revisions of a period, what changes them, and the final standings.

-- One outcome of a period: what it was computed from, who decided on it, and when it was posted.
-- The first comes from the closing. Each later one amends another and posts only the differences.
create table revision (
  -- The number of the outcome, which its lines and payments carry: below zero if they share tables
  -- with other outcomes, above zero if they have their own.
  id int not null unique,
  period_id bigint not null references period,
  revision int not null,
  -- The revision that it amends; null for the first.
  base int,
  -- The rules that it awards by. An amendment may use other rules than the period opened under.
  definition_hash text not null references definition,
  -- What happens to an amount that a member was overpaid, as the period's own rules say.
  owed text not null,
  prepared_by text not null,
  prepared_at timestamptz not null,
  -- Whether two people must approve it before it is posted.
  two_person boolean not null default false,
  reason text,
  -- Why it is held for a person's approval, as codes with values; empty if it is not held.
  held_for jsonb not null default '[]',
  -- When a held revision is released automatically; null if never.
  release_at timestamptz,
  verdict text,
  decided_by text,
  decided_at timestamptz,
  verdict_reason text,
  -- How a person decided ties that the rules leave to a person, and who did.
  ties text,
  ties_by text,
  -- When its payments became money, and the fence of the lease that posted them.
  posted_at timestamptz,
  fence bigint,
  -- The last entry of the audit log that was begun when the outcome was. Both are written under the
  -- lease of the period, so that its entries are before or after the outcome by their numbers. Times
  -- may go back.
  follows_entry bigint not null default coalesce(pg_sequence_last_value('audit_entry_id_seq'), 0),
  -- The time by which exclusions were frozen; null before.
  frozen_at timestamptz,
  -- When all lines and payments were there, how many, and the sums of line_hash and payment_hash.
  filled_at timestamptz,
  lines bigint,
  line_sum numeric,
  payments bigint,
  payment_sum numeric,
  primary key (period_id, revision),
  constraint "revisions count from the first" check (revision >= 1),
  constraint "all but the first amend an earlier one" check (
    (revision = 1) = (base is null) and base < revision),
  constraint "no outcome has the number zero" check (id <> 0),
  constraint "a revision says what becomes of what is owed" unique (period_id, revision, owed),
  -- An amount left as a debt is never restored to the write-offs, nor the other way round.
  constraint "what becomes of what is owed is the same in all revisions"
    foreign key (period_id, base, owed) references revision (period_id, revision, owed),
  constraint "an amendment has a reason" check (base is null or reason is not null),
  constraint "what is owed has a known end" check (owed in ('take', 'write-off', 'debt')),
  constraint "a verdict is known" check (verdict in ('approved', 'rejected')),
  constraint "a verdict has a name, a time and a reason" check (
    (verdict is null) = (decided_by is null)
    and (verdict is null) = (decided_at is null)
    and (verdict is null) = (verdict_reason is null)),
  constraint "only what is approved is posted" check (
    posted_at is null or verdict is not distinct from 'approved'),
  constraint "ties are decided in a known way" check (ties in ('each', 'share', 'order')),
  constraint "what is filled is counted" check (
    (filled_at is null) = (lines is null)
    and (filled_at is null) = (line_sum is null)
    and (filled_at is null) = (payments is null)
    and (filled_at is null) = (payment_sum is null)),
  constraint "only what is filled is posted" check (posted_at is null or filled_at is not null),
  constraint "a posting is fenced" check ((posted_at is null) = (fence is null))
);
-- Numbers of outcomes that share tables, from -1 down, and of those with their own, from 1 up; from
-- 1500000000 up if they are rolled back, so that they leave no gaps.
create sequence shared_outcome increment -1 maxvalue -1 start -1;
create sequence own_outcome minvalue 1 maxvalue 1499999999;
create sequence trial_outcome minvalue 1500000000 maxvalue 2147483646 cycle;
create unique index "a period has one amendment at a time" on revision (period_id)
  where base is not null and posted_at is null and verdict is distinct from 'rejected';
create index revision_frozen on revision (frozen_at);
create index revision_posted on revision (posted_at) where posted_at is not null;

-- The slices that the first outcome of a big period is filled in, each in one transaction with its
-- row here. A closing that dies leaves them to the next attempt, which fills those that are missing.
-- They are deleted once all lines are there.
create table closing_slice (
  outcome int not null references revision (id),
  slice int not null,
  -- A hash of the exclusions that were in force.
  excluded text not null,
  -- Of the lease that planned it, and of the one that filled it.
  fence bigint not null,
  filled_fence bigint,
  -- Which lines of the frozen board it has, from the top.
  from_index bigint not null,
  to_index bigint not null,
  -- The last line before it that has a rank, with its place, its competition rank, and the number of
  -- levels up to its own.
  before_index bigint not null,
  place int not null,
  rank int not null,
  levels int not null,
  -- The place before its first line of an unranked member; null if there is one slice only.
  unranked int,
  -- What it holds, once it is filled.
  lines bigint,
  points bigint,
  line_sum numeric,
  fingerprint numeric,
  ranked_lines int,
  unranked_lines int,
  excluded_members text[],
  payments bigint,
  payment_sum numeric,
  -- The sum by each rule whose payments are computed from single lines.
  awarded numeric[],
  primary key (outcome, slice),
  constraint "a slice begins before it ends" check (from_index >= 0 and from_index < to_index),
  constraint "a filled slice is counted" check (
    num_nulls(filled_fence, lines, points, line_sum, fingerprint, ranked_lines, unranked_lines,
      excluded_members, payments, payment_sum, awarded) in (0, 11))
);

-- Named lists of excluded members. A board refers to them in its file.
create table exclusion_list (
  name text primary key,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null,
  constraint "a list has a simple name" check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  constraint "a list has a reason" check (reason <> '')
);

-- Who may not win. An exclusion is in force for each period that it overlaps.
create table exclusion (
  id bigint generated always as identity primary key,
  member text collate "C" not null,
  -- Null for every board, unless it is of a list: then for the boards that refer to the list.
  board text,
  list text references exclusion_list,
  level text not null,
  -- Null for no start, null for no end.
  starts_at timestamptz,
  ends_at timestamptz,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null,
  lifted_by text,
  lifted_at timestamptz,
  lift_reason text,
  constraint "an exclusion has a known level" check (level in ('hidden', 'unranked', 'no-prize')),
  constraint "an exclusion ends after it starts" check (starts_at < ends_at),
  constraint "an exclusion is of a board or of a list" check (board is null or list is null),
  constraint "an exclusion has a reason" check (reason <> ''),
  constraint "a lifted exclusion says who, when and why" check (
    (lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lift_reason is null))
);
create index exclusion_member on exclusion (member) where lifted_at is null;
create index exclusion_made on exclusion (made_at);
create index exclusion_lifted on exclusion (lifted_at);

-- The time of the latest freeze in microseconds since 1970. A sequence, so that all sessions see it
-- at once, even if the transaction of the freeze has not committed yet.
create sequence freeze_clock minvalue 0 start 0;

-- The exclusions that a revision was ranked under: the strongest of each member, copied as it was
-- then.
create table frozen_exclusion (
  period_id bigint not null,
  revision int not null,
  member text collate "C" not null,
  level text not null,
  -- Null only in a dry run, which may hide members without an exclusion. A dry run is never posted,
  -- and verification reports such a row as extra.
  exclusion_id bigint references exclusion,
  board text,
  list text,
  starts_at timestamptz,
  ends_at timestamptz,
  reason text,
  made_by text,
  primary key (period_id, revision, member),
  foreign key (period_id, revision) references revision,
  constraint "a frozen exclusion has a known level" check (
    level in ('hidden', 'unranked', 'no-prize'))
);

-- Why a member's line in an amendment differs from the closing's: an accepted late event, or points
-- corrected by hand. An amendment includes the corrections of its base.
create table correction (
  period_id bigint not null,
  revision int not null,
  n int not null,
  member text collate "C" not null,
  kind text not null,
  -- The late event's id; null for points corrected by hand.
  event_id text,
  points bigint not null,
  then_by bigint not null default 0,
  -- When the member reached the corrected points.
  at timestamptz,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null,
  primary key (period_id, revision, n),
  foreign key (period_id, revision) references revision,
  constraint "an event is accepted once in a revision" unique (period_id, revision, event_id),
  constraint "a correction has a known kind" check (kind in ('late-event', 'points')),
  constraint "a late event says which" check ((kind = 'late-event') = (event_id is not null))
);

-- The lines after correction, which replace the closing's.
create table amended_line (
  period_id bigint not null,
  revision int not null,
  member text collate "C" not null,
  points bigint not null,
  then_by bigint not null,
  arrival bigint not null,
  reached_at timestamptz,
  primary key (period_id, revision, member),
  foreign key (period_id, revision) references revision,
  constraint "points in an amended line are not negative" check (points >= 0)
);

-- One member's line of an outcome: the frozen board and the final standing in one row, written once
-- in the order of the places. The widest columns come first, so that there is no padding.
create table line (
  -- Null if the scores of an adopted board hold no time.
  reached_at timestamptz,
  points bigint not null,
  -- The second key, and the number of the event that reached the points where arrivals break ties;
  -- null on boards without them.
  then_by bigint,
  arrival bigint,
  outcome int not null,
  -- The position in the one exact order; null for a hidden member. Unranked members follow all
  -- ranked ones and have no rank.
  place int,
  rank int,
  member text collate "C" not null,
  constraint "points are not negative" check (points >= 0),
  constraint "the second key is not negative" check (then_by >= 0),
  constraint "places count from one" check (place >= 1),
  constraint "a rank is never worse than the place" check (
    rank is null or rank between 1 and place)
) partition by range (outcome);

-- A big outcome has its own partitions (attach_outcome_tables); all others share this one.
create table line_shared (like line including constraints);
alter table line attach partition line_shared for values from (minvalue) to (0);
create unique index "a place is taken once in an outcome" on line_shared (outcome, place);
create unique index "a member has one line in an outcome" on line_shared (member, outcome);

-- Members who move between the tiers of a board family, by each revision of a period.
create table tier_move (
  period_id bigint not null,
  revision int not null,
  member text collate "C" not null,
  family text not null,
  tier int not null,
  direction text not null,
  to_tier int not null,
  -- The board of that tier in the same period; null if none had a period then.
  to_board text,
  primary key (period_id, revision, member),
  constraint "a member moves by one tier" check (
    (direction = 'up' and to_tier = tier - 1) or (direction = 'down' and to_tier = tier + 1)),
  constraint "tiers count from the top" check (tier >= 1 and to_tier >= 1)
);
create index tier_move_family on tier_move (family, period_id);

-- Members of an adopted board whose order the scores do not hold. Each row is a group of members
-- with the same points and, as far as is known, the same time.
create table loss (
  period_id bigint not null references period,
  kind text not null,
  points bigint not null,
  reached_at timestamptz,
  members bigint not null,
  constraint "a member is lost in one group" unique nulls not distinct (
    period_id, points, reached_at),
  constraint "a loss has a known kind" check (kind in ('no-time', 'equal-time', 'coarse-time')),
  constraint "nothing is lost of a member alone" check (members > 1),
  constraint "a time is lost where there is none" check (
    kind <> 'no-time' or reached_at is null)
);

-- Writes to an adopted board's keys after the seal: reported, neither paid nor changed.
create table late_write (
  period_id bigint not null references period,
  key text not null,
  entries bigint not null,
  seen_at timestamptz not null,
  primary key (period_id, key),
  constraint "a late write wrote something" check (entries > 0)
);
