-- Finds the earlier decision of a live board on an event's id.
-- KEYS: meta, ids  ARGV: id, digest of the event
-- Returns {'outcome, points given or taken back, total points, microseconds of the event, first
--   outcome'}, separated by blanks, with the outcome 'duplicate' or 'conflict'; nothing if the id
--   is new; or the outcome 'missing' if the board does not exist, is torn or has trimmed ids.
local first = redis.call('HGET', KEYS[2], ARGV[1])
if not first then
  local held = redis.call('HMGET', KEYS[1], 'state', 'forgotten', 'halted')
  if (held[1] == 'open' or held[1] == 'sealed') and not held[2] and held[3] ~= 'torn' then
    return {}
  end
  return {'missing 0 0 0'}
end
local outcome, change, total, micros, digest =
  string.match(first, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
local same = digest == '' or digest == ARGV[2]
return {table.concat({same and 'duplicate' or 'conflict', change, total, micros, outcome}, ' ')}
