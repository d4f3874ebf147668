-- What a live board decided on an event, if it did.
-- KEYS: ids  ARGV: id, digest of the event, as its sender told it
-- Answers {outcome, points that it gave or took, points then, microseconds of the event, first
--   outcome}, the outcome being 'duplicate' or 'conflict', or nothing.
local first = redis.call('HGET', KEYS[1], ARGV[1])
if not first then
  return {}
end
local outcome, change, total, micros, digest =
  string.match(first, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
local same = digest == '' or digest == ARGV[2]
return {same and 'duplicate' or 'conflict', change, total, micros, outcome}
