-- fibonacci: the naive recursion, which does nothing but call itself and add.
-- Problem: the textbook's; F(0) = 0, F(1) = 1. The code is our own.
--
-- One op is F(`size`), reckoned by 2 × F(size + 1) − 1 calls. Returns it in decimal, with a newline.

local format = string.format

local function fibonacci(n)
  if n < 2 then
    return n
  end
  return fibonacci(n - 1) + fibonacci(n - 2)
end

return function(size)
  return format("%d\n", fibonacci(size))
end
