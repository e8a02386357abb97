-- Names the machine code of each trace when it is compiled, in the form of `perf`'s map files: START SIZE NAME, numbers in hex.
-- Called with the file's path and the source of the program that is loaded next.
local path, source = ...
local util = require("jit.util")
local map = assert(io.open(path, "a"))
map:setvbuf("line")

local lines = {}
for line in (source .. "\n"):gmatch("(.-)\r?\n") do
  lines[#lines + 1] = line
end

local function name(func, pc)
  local info = util.funcinfo(func, pc)
  if not info.linedefined then
    return "a built-in function"
  end
  local declared = lines[info.linedefined] or ""
  local words = declared:match("function%s+([%w_.:]+)") or declared:match("([%w_.]+)%s*=%s*function") or "function"
  return words .. " at " .. info.loc
end

local begun = {}
jit.attach(function(what, trace, func, pc)
  if what == "start" then
    begun[trace] = name(func, pc)
  elseif what == "stop" then
    local code, address = util.tracemc(trace)
    if code then
      map:write(string.format("%x %x trace of %s\n", address, #code, begun[trace] or "unknown"))
    end
  end
end, "trace")
