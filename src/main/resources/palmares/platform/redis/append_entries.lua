-- Appends entries to a stream, and stops at the first that fails.
-- KEYS: stream  ARGV: about how many entries it keeps, then for each entry the number of its fields
-- and values, and these
local at = 2
while at <= #ARGV do
  local last = at + tonumber(ARGV[at])
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', unpack(ARGV, at + 1, last))
  at = last + 1
end
return {}
