#!lua
-- Creates a period's live board, unless it exists in any state. The board takes no events before it
-- is opened, after PostgreSQL has marked it as created.
-- KEYS: meta  ARGV: rules, a sequence in MessagePack with 1 or 0 for yes or no: unit, wide, dense,
--   whether actions count a limited number of times, start, end, close (microseconds; false for
--   none), horizon, tick (microseconds), scoring, maximum points, span, maximum of the second key,
--   whether the fewest of it are best, maximum number of events (0 for no limit)
-- Returns 1 if it created the board, 0 if it existed.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'state', 'new', 'seq', '0', 'points', '0', 'drained', '0',
  'lines', '0', 'rules', ARGV[1])
return 1
