-- The payout files that were made, each once, so that others can name them: those with the same
-- transfers, and those under the same reference with more of them.
create table payout_file (
  id bigint generated always as identity primary key,
  -- As in the references of its lines.
  reference text not null,
  -- The posted revisions in it.
  outcomes int[] not null,
  -- Who made it first, and when.
  made_by text not null,
  made_at timestamptz not null,
  constraint "an empty payout file is not kept" check (cardinality(outcomes) > 0)
);

-- Of a hash, because an index has no room for all revisions of a long range.
create unique index payout_file_reference_outcomes_key
  on payout_file (reference, hash_array_extended(outcomes, 0));
