-- The first part of the scripts that rely on all that a live board holds.
-- KEYS: meta, board, ids, given, journal, levels, holders, places, excluded, excluded lines, ...
-- Returns whether the keys hold less or more than the board has counted, in O(1).
--   lines: its members; seq: its events, each of which has an id; size: entries of given, levels,
--   holders, excluded and excluded lines, less the ids that it does not keep; nil for 0
--   The drain compares the journal.
local function is_torn(lines, seq, size, wide, dense, limited, exclusions)
  local call = redis.call
  lines = tonumber(lines)
  if call('ZCARD', KEYS[2]) ~= lines or (wide and call('HLEN', KEYS[8]) ~= lines) then
    return true
  end
  local held = call('HLEN', KEYS[3])
  if limited then
    held = held + call('HLEN', KEYS[4])
  end
  if dense then
    held = held + call('ZCARD', KEYS[6]) + call('HLEN', KEYS[7])
  end
  if exclusions then
    held = held + call('HLEN', KEYS[9]) + call('ZCARD', KEYS[10])
  end
  return held ~= seq + (size or 0)
end

