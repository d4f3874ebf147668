-- Finds the earlier decision of a live board on an event's id.
-- KEYS: those of is_torn.lua  ARGV: id, digest of the event
-- Returns {'outcome, points given or taken back, total points, microseconds of the event, first
--   outcome'}, separated by blanks, with the outcome 'duplicate' or 'conflict'; nothing if the id
--   is new; or the outcome 'missing' if the board does not exist, is torn or has trimmed ids.
local first = redis.call('HGET', KEYS[3], ARGV[1])
if not first then
  local held = redis.call('HMGET', KEYS[1], 'state', 'forgotten', 'halted', 'rules', 'lines', 'seq',
    'size', 'exclusions')
  local may_have_it = held[2] or held[3] == 'torn'
  if (held[1] == 'open' or held[1] == 'sealed') and not may_have_it then
    local _, wide, dense, limited = cmsgpack.unpack(held[4])
    if not is_torn(held[5], held[6], held[7], wide == 1, dense == 1, limited == 1,
      held[8]) then
      return {}
    end
  end
  return {'missing 0 0 0'}
end
local outcome, change, total, micros, digest =
  string.match(first, '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
local same = digest == '' or digest == ARGV[2]
return {table.concat({same and 'duplicate' or 'conflict', change, total, micros, outcome}, ' ')}
