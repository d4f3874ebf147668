#!lua
-- Makes a period's live board, unless it is there in any state. It takes no events before it is
-- opened: by then PostgreSQL knows that it was made.
-- KEYS: meta  ARGV: rules, in MessagePack one after the other, with 1 or 0 for yes or no: unit, wide,
--   dense, start, end, close (microseconds; false for none), horizon, tick (microseconds), scoring,
--   most points, span, most of the second key, fewest of it are best, most events (0 for any number)
-- Answers 1 if it made it, 0 if it was there.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'state', 'new', 'seq', '0', 'points', '0', 'drained', '0',
  'rules', ARGV[1])
return 1
