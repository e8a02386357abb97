//! A plain LuaJIT state, as a program that embeds LuaJIT makes it: with LuaJIT's own allocator, and called by
//! `lua_pcall` directly. (mlua's states use the system's allocator behind a counter, which cost `binary-trees-6` a
//! sixth of its speed.)

use mlua_sys as ffi;
use std::ffi::CString;
use std::ptr::NonNull;
use std::slice;

/// A state with the standard libraries. Errors are Lua's messages.
pub struct State(NonNull<ffi::lua_State>);

/// The loaded function lies at the bottom of the stack.
const FUNCTION: i32 = 1;

impl State {
    pub fn new() -> Result<Self, String> {
        unsafe extern "C-unwind" fn open_libraries(state: *mut ffi::lua_State) -> i32 {
            // SAFETY: LuaJIT calls this with its state.
            unsafe { ffi::luaL_openlibs(state) };
            0
        }
        // SAFETY: makes a state, or gives null when there is no memory.
        let state = NonNull::new(unsafe { ffi::luaL_newstate() }).ok_or("no memory for a state")?;
        let state = Self(state);
        // SAFETY: the state is alive; the function keeps to Lua's calling convention.
        let status = unsafe { ffi::lua_cpcall(state.raw(), open_libraries, std::ptr::null_mut()) };
        state.succeeded(status)?;
        Ok(state)
    }

    /// Runs a chunk, whose result becomes the function that [`Self::call`] calls.
    pub fn load(&mut self, source: &str, name: &str) -> Result<(), String> {
        let name = CString::new(format!("={name}")).map_err(|e| e.to_string())?;
        // SAFETY: the state is alive; the texts outlive the calls. An emptied stack has room for
        // LUA_MINSTACK values.
        unsafe {
            ffi::lua_settop(self.raw(), 0);
            let text = source.as_ptr().cast();
            self.succeeded(ffi::luaL_loadbuffer(self.raw(), text, source.len(), name.as_ptr()))?;
            self.succeeded(ffi::lua_pcall(self.raw(), 0, 1, 0))
        }
    }

    /// Runs a chunk with texts as its arguments.
    pub fn run_with(&mut self, source: &str, name: &str, texts: &[&str]) -> Result<(), String> {
        let name = CString::new(format!("={name}")).map_err(|e| e.to_string())?;
        // SAFETY: as in `load`; the stack is asked for room for the texts.
        unsafe {
            ffi::lua_settop(self.raw(), 0);
            let text = source.as_ptr().cast();
            self.succeeded(ffi::luaL_loadbuffer(self.raw(), text, source.len(), name.as_ptr()))?;
            let count = texts.len() as i32;
            if ffi::lua_checkstack(self.raw(), count) == 0 {
                return Err("no memory for arguments".to_owned());
            }
            for text in texts {
                ffi::lua_pushlstring(self.raw(), text.as_ptr().cast(), text.len());
            }
            self.succeeded(ffi::lua_pcall(self.raw(), count, 0, 0))
        }
    }

    /// Calls the function with a number. It must return a string, which is discarded.
    pub fn call(&mut self, size: u32) -> Result<(), String> {
        self.push_output(size)?;
        // SAFETY: the state is alive, the output lies on top.
        unsafe { ffi::lua_settop(self.raw(), FUNCTION) };
        Ok(())
    }

    /// Calls the function with a number and returns the string that it must return.
    pub fn output(&mut self, size: u32) -> Result<Vec<u8>, String> {
        self.push_output(size)?;
        Ok(self.take_text())
    }

    /// The string that a chunk returns.
    pub fn eval(&mut self, source: &str) -> Result<String, String> {
        self.load(source, "eval")?;
        // SAFETY: the state is alive.
        if unsafe { ffi::lua_type(self.raw(), -1) } != ffi::LUA_TSTRING {
            return Err("the chunk does not return a string".to_owned());
        }
        String::from_utf8(self.take_text()).map_err(|e| e.to_string())
    }

    fn push_output(&mut self, size: u32) -> Result<(), String> {
        // SAFETY: the state is alive; the stack holds the function only and has room for more.
        unsafe {
            ffi::lua_pushvalue(self.raw(), FUNCTION);
            ffi::lua_pushinteger(self.raw(), size as ffi::lua_Integer);
            self.succeeded(ffi::lua_pcall(self.raw(), 1, 1, 0))?;
            if ffi::lua_type(self.raw(), -1) != ffi::LUA_TSTRING {
                ffi::lua_settop(self.raw(), FUNCTION);
                return Err("the program does not return a string".to_owned());
            }
        }
        Ok(())
    }

    /// Checks a protected call; on failure returns the message that it left.
    fn succeeded(&self, status: i32) -> Result<(), String> {
        if status == ffi::LUA_OK {
            return Ok(());
        }
        // SAFETY: the state is alive; a failed call leaves its error on top.
        unsafe {
            if ffi::lua_type(self.raw(), -1) == ffi::LUA_TSTRING {
                return Err(String::from_utf8_lossy(&self.take_text()).into_owned());
            }
            ffi::lua_pop(self.raw(), 1);
        }
        Err("an error without a text".to_owned())
    }

    /// Takes the string on top of the stack.
    fn take_text(&self) -> Vec<u8> {
        let mut length = 0;
        // SAFETY: the state is alive and its top is a string, which stays where it is until it is
        // popped.
        unsafe {
            let text = ffi::lua_tolstring(self.raw(), -1, &raw mut length);
            let bytes = slice::from_raw_parts(text.cast(), length).to_vec();
            ffi::lua_pop(self.raw(), 1);
            bytes
        }
    }

    fn raw(&self) -> *mut ffi::lua_State {
        self.0.as_ptr()
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // SAFETY: closed once.
        unsafe { ffi::lua_close(self.raw()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_loaded_once_and_called_many_times() {
        let mut state = State::new().unwrap();
        state
            .load("local n = 0 return function(s) n = n + s return 'sum ' .. n end", "sum")
            .unwrap();
        state.call(1).unwrap();
        state.call(2).unwrap();
        assert_eq!(state.output(4).unwrap(), b"sum 7");
    }

    #[test]
    fn a_trace_is_named_after_its_function_when_it_is_compiled() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("sizeup-jit-map-{}", std::process::id()));
        let source = "local function total(n)\n  local s = 0\n  for i = 1, n do s = s + i end\n  return s\nend\n\
                      return function(n) return tostring(total(n)) end";
        let mut state = State::new().unwrap();
        let texts = [path.to_str().unwrap(), source];
        state.run_with(include_str!("jit_map.lua"), "jit_map.lua", &texts).unwrap();
        state.load(source, "sums.lua").unwrap();
        state.call(100_000).unwrap();
        let map = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let line = map.lines().next().unwrap();
        let (numbers, name) = line.split_once(" trace of ").unwrap();
        assert!(name.starts_with("total at sums.lua:"), "{map}");
        let numbers = numbers.split(' ').map(|number| u64::from_str_radix(number, 16).unwrap());
        assert!(numbers.clone().count() == 2 && numbers.clone().all(|number| number > 0), "{map}");
    }

    #[test]
    fn an_error_names_its_place_and_the_state_stays_usable() {
        let mut state = State::new().unwrap();
        let broken = state.load("return function(", "broken.lua").unwrap_err();
        assert!(broken.starts_with("broken.lua:1:"), "{broken}");
        state.load("return function(s) if s == 1 then error(nil) end return s end", "f").unwrap();
        assert_eq!(state.call(1).unwrap_err(), "an error without a text");
        state
            .load("return function(s) if s == 1 then error('no') end return 's' .. s end", "f")
            .unwrap();
        assert_eq!(state.call(1).unwrap_err(), "f:1: no");
        assert_eq!(state.output(2).unwrap(), b"s2");
    }

    #[test]
    fn a_result_that_is_not_a_string_is_refused() {
        let mut state = State::new().unwrap();
        state.load("return function(s) return s end", "f").unwrap();
        assert!(state.call(1).is_err());
        assert!(state.eval("return 1").is_err());
        assert_eq!(state.eval("return 'x'").unwrap(), "x");
    }
}
