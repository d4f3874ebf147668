-- Registered members, their invitations, and who may call the API: people and keys.

-- Of an external id, such as a telephone number, only a keyed hash and a mask are stored. The hash
-- distinguishes two ids; no view, report or log of this table can show one. A forgotten member keeps
-- no profile. Its hash stays, so that the external id registers once, and what a period pays for
-- being registered does not change.
create table member (
  n bigint generated always as identity unique,
  id text collate "C" primary key,
  external_hash text not null,
  external_mask text,
  nickname text,
  invite_code text,
  -- A digest of the registration: a repeated request has the same one.
  digest text,
  registered_at timestamptz not null,
  forgotten_at timestamptz,
  constraint "an external id registers once" unique (external_hash),
  constraint "an invite code leads to one member" unique (invite_code),
  constraint "a member has a profile until it is forgotten" check (
    num_nulls(external_mask, nickname, invite_code, digest)
      = case when forgotten_at is null then 0 else 4 end),
  constraint "an invite code has no characters that look alike"
    check (invite_code ~ '^[2-9A-HJKMNP-TV-Z]{8}$')
);

-- The version of the public profiles counts them.
create index member_forgotten on member (forgotten_at) where forgotten_at is not null;

-- Support staff find members by the beginning of a nickname.
create index member_nickname on member (lower(nickname) text_pattern_ops);

-- The key of those hashes. With it and the table, external ids can be found by trying them out.
create table member_key (
  single boolean primary key default true,
  key text not null,
  constraint "there is one key" check (single)
);

-- Who was invited by whom; never changes.
create table invite (
  newcomer text collate "C" primary key references member,
  inviter text collate "C" not null references member,
  invited_at timestamptz not null,
  constraint "nobody invites themselves" check (newcomer <> inviter)
);
create index invite_inviter on invite (inviter);

-- The address and the device that a registration came with, so that several from one are noticed.
-- Only keyed hashes are stored; those of a forgotten member are deleted once no closing needs them.
create table registration_tag (
  member text collate "C" not null references member,
  kind text not null,
  hash text not null,
  primary key (member, kind),
  constraint "a tag has a known kind" check (kind in ('address', 'device'))
);

-- Invites that must qualify, one row for each board on which their inviter is then credited. The
-- terms are those of the board's rules at the registration. A credit is an event of that board.
create table invite_credit (
  newcomer text collate "C" not null references invite,
  board text not null,
  -- The period of the board whose rules are the terms.
  terms_period_id bigint not null references period,
  -- The action that credits the inviter.
  action text not null,
  -- What the newcomer must do, where, how often, and until when.
  event_board text not null,
  event_action text not null,
  at_least bigint not null,
  deadline timestamptz not null,
  counted_in text not null,
  -- How many times it was credited; more than once if it was taken back in between.
  credits int not null default 0,
  -- The time by which the credit in force counts, and its period. Null if there is none.
  counted_at timestamptz,
  period text,
  primary key (newcomer, board),
  constraint "an invite qualifies by at least one event" check (at_least >= 1),
  constraint "a credit counts in a known period" check (
    counted_in in ('qualifying', 'registration')),
  constraint "a credit in force has a period" check (
    (counted_at is null) = (period is null) and (counted_at is null or credits > 0))
);
-- For what closes on a board, and for the journals of the boards on which invites qualify.
create index invite_credit_pending on invite_credit (board, deadline) where counted_at is null;
create index invite_credit_period on invite_credit (board, period);
create index invite_credit_event_board on invite_credit (event_board);

-- Newcomers of whom an event was stored or removed since their invites were last judged.
create table invite_due (
  newcomer text collate "C" primary key references invite,
  -- Rises with each event: who has judged the earlier ones leaves the row.
  mark bigint generated always as identity
);

-- The people who sign in with a password; those of an OpenID Connect provider are not kept here.
create table person (
  name text primary key,
  -- As Spring Security encodes it: the algorithm and a salted hash.
  password text not null,
  roles text[] not null,
  -- Whether the password must be changed before anything else, as somebody else has chosen it.
  must_change boolean not null,
  -- Rises with each change of password or roles, and ends the sessions that began before.
  version int not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  constraint "a person's name has no colon" check (name ~ '^[a-z0-9][a-z0-9._@-]{0,63}$'),
  constraint "a person has a known role" check (
    cardinality(roles) > 0
    and roles <@ array['viewer', 'operator', 'approver', 'admin', 'writer', 'wallet', 'reader'])
);

-- Attempts to sign in that failed one after another, and until when there are no others. Counted by
-- source, so that who guesses does not lock the person out everywhere.
create table sign_in_attempt (
  person text not null references person on delete cascade,
  -- The network of an address, a browser on which the person has signed in before, or empty for all
  -- addresses together.
  source text not null,
  attempts int not null,
  last_at timestamptz not null,
  locked_until timestamptz,
  primary key (person, source)
);

-- What programs and command lines are called by, and what they may do. A key's name stays; its
-- secrets change.
create table api_key (
  name text primary key,
  roles text[] not null,
  -- The boards that it may read and write; empty for all of them.
  boards text[] not null,
  -- What it may do of what its roles allow: names of operations of the API that are not plain reads,
  -- as the OpenAPI document has them; empty for all of them.
  operations text[] not null default '{}',
  -- The person who answers for it: what the key does counts as done by this person.
  owner text not null,
  -- Whether the owner made it for their own use, and not for a program. Nobody else has its secrets.
  own boolean not null default false,
  created_by text not null,
  created_at timestamptz not null,
  constraint "only a key of one's own approves" check (own or not 'approver' = any(roles)),
  constraint "a key's name has no space around it" check (name = btrim(name)),
  constraint "a key has a known role" check (
    cardinality(roles) > 0
    and roles <@ array['viewer', 'operator', 'approver', 'admin', 'writer', 'wallet', 'reader'])
);
create unique index "keys differ in more than capitals" on api_key (lower(name));

-- The secrets of API keys, of which several may be valid. Only a hash of each is stored.
create table api_secret (
  id text primary key,
  key text not null references api_key,
  hash text not null unique,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint "a secret's hash is SHA-256 in hexadecimal" check (hash ~ '^[0-9a-f]{64}$'),
  constraint "a secret expires after it was made" check (expires_at > created_at)
);
create index api_secret_key on api_secret (key);
