#!lua
-- Makes a period's live board, unless it is there in any state. It takes no events before it is
-- opened: by then PostgreSQL knows that it was made.
-- KEYS: meta  ARGV: field, value, field, value, ...
-- Answers 1 if it made it, 0 if it was there.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'state', 'new', 'seq', '0', 'points', '0', 'drained', '0',
  unpack(ARGV))
return 1
