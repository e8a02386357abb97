/* A plain LuaJIT process: a program is loaded once and its function called again and again. */
#include "stretch.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

struct job {
    lua_State *state;
    lua_Integer size;
};

/* Calls the function that lies on the stack; its output, a string, is left there. */
static int call(struct job *job)
{
    lua_pushvalue(job->state, 1);
    lua_pushinteger(job->state, job->size);
    if (lua_pcall(job->state, 1, 1, 0) != 0 || lua_type(job->state, -1) != LUA_TSTRING) {
        fprintf(stderr, "the program failed: %s\n", lua_tostring(job->state, -1));
        return 1;
    }
    return 0;
}

static int op(void *state)
{
    struct job *job = state;
    if (call(job) != 0)
        return 1;
    lua_pop(job->state, 1);
    return 0;
}

/* jit.version, once the compiler is known to be on. */
static const char *version(lua_State *state)
{
    if (luaL_dostring(state, "assert(jit.status(), 'the compiler is off') return jit.version") != 0) {
        fprintf(stderr, "%s\n", lua_tostring(state, -1));
        return NULL;
    }
    return lua_tostring(state, -1);
}

int main(int count, char **arguments)
{
    struct job job;
    int timed = count == 5, checked = count == 4 && strcmp(arguments[3], "output") == 0;
    const char *library;
    if (!timed && !checked) {
        fprintf(stderr, "usage: %s PROGRAM SIZE WARM_UP_NS SAMPLE_NS\n       %s PROGRAM SIZE output\n",
                arguments[0], arguments[0]);
        return 2;
    }
    job.size = (lua_Integer)number("SIZE", arguments[2]);
    job.state = luaL_newstate();
    if (job.state == NULL) {
        fputs("no state\n", stderr);
        return 1;
    }
    luaL_openlibs(job.state);
    if (luaL_loadfile(job.state, arguments[1]) != 0 || lua_pcall(job.state, 0, 1, 0) != 0) {
        fprintf(stderr, "%s\n", lua_tostring(job.state, -1));
        return 1;
    }
    if (checked) {
        size_t bytes;
        const char *output = call(&job) == 0 ? lua_tolstring(job.state, -1, &bytes) : NULL;
        return output != NULL && fwrite(output, 1, bytes, stdout) == bytes && fflush(stdout) == 0 ? 0 : 1;
    }
    library = version(job.state);
    if (library == NULL)
        return 1;
    return time_stretch(library, op, &job, number("WARM_UP_NS", arguments[3]),
                        number("SAMPLE_NS", arguments[4]));
}
