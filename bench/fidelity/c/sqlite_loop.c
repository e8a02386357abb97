/* SQLite in memory without sizeup, as a C program of its own would use it: the transaction and the query of workers/data/src/sqlite.rs. */
#include "stretch.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCOUNTS = 100000, TELLERS = 10, HISTORY = 65536, LINES = 20000, CUSTOMERS = 1000, PRODUCTS = 500, STEPS = 7 };

struct job {
    sqlite3 *database;
    sqlite3_stmt *steps[STEPS];
    uint64_t state, done;
    sqlite3_int64 sum;
};

static uint64_t below(struct job *job, uint64_t bound)
{
    uint64_t z = job->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return ((z ^ z >> 31) >> 32) * bound >> 32;
}

static int failed(struct job *job)
{
    fprintf(stderr, "%s\n", sqlite3_errmsg(job->database));
    return 1;
}

static void execute(struct job *job, const char *sql)
{
    if (sqlite3_exec(job->database, sql, NULL, NULL, NULL) != SQLITE_OK)
        exit(failed(job));
}

static void fill(struct job *job, const char *table, int rows, const char *row)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO %s SELECT %s FROM n", rows, table,
             row);
    execute(job, sql);
}

static void prepare(struct job *job, int step, const char *sql)
{
    if (sqlite3_prepare_v3(job->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &job->steps[step], NULL) != SQLITE_OK)
        exit(failed(job));
}

/* Runs a step whose parameters are these. */
static int run(struct job *job, int step, int count, const sqlite3_int64 *parameters)
{
    sqlite3_stmt *statement = job->steps[step];
    int at, status;
    for (at = 0; at < count; at++)
        if (sqlite3_bind_int64(statement, at + 1, parameters[at]) != SQLITE_OK)
            return failed(job);
    while ((status = sqlite3_step(statement)) == SQLITE_ROW)
        job->sum += sqlite3_column_int64(statement, 0);
    return sqlite3_reset(statement) == SQLITE_OK && status == SQLITE_DONE ? 0 : failed(job);
}

static int transaction(void *state)
{
    struct job *job = state;
    sqlite3_int64 account = 1 + (sqlite3_int64)below(job, ACCOUNTS), teller = 1 + (sqlite3_int64)below(job, TELLERS);
    sqlite3_int64 delta = (sqlite3_int64)below(job, 10001) - 5000;
    sqlite3_int64 place = 1 + (sqlite3_int64)(++job->done % HISTORY);
    return run(job, 0, 0, NULL) || run(job, 1, 2, (sqlite3_int64[]){account, delta}) || run(job, 2, 1, &account)
           || run(job, 3, 2, (sqlite3_int64[]){teller, delta}) || run(job, 4, 1, &delta)
           || run(job, 5, 4, (sqlite3_int64[]){place, teller, account, delta}) || run(job, 6, 0, NULL);
}

static void set_up_transactions(struct job *job)
{
    execute(job, "CREATE TABLE branches (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL, filler TEXT NOT NULL);"
                 "CREATE TABLE tellers (id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance INTEGER NOT NULL, filler TEXT NOT NULL);"
                 "CREATE TABLE accounts (id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance INTEGER NOT NULL, filler TEXT NOT NULL);"
                 "CREATE TABLE history (id INTEGER PRIMARY KEY, teller INTEGER NOT NULL, branch INTEGER NOT NULL,"
                 " account INTEGER NOT NULL, delta INTEGER NOT NULL, filler TEXT NOT NULL);"
                 "BEGIN; INSERT INTO branches VALUES (1, 0, printf('%88s', ''));");
    fill(job, "tellers", TELLERS, "i, 1, 0, printf('%84s', '')");
    fill(job, "accounts", ACCOUNTS, "i, 1, 0, printf('%84s', '')");
    fill(job, "history", HISTORY, "i, 0, 0, 0, 0, printf('%22s', '')");
    execute(job, "COMMIT");
    prepare(job, 0, "BEGIN");
    prepare(job, 1, "UPDATE accounts SET balance = balance + ?2 WHERE id = ?1");
    prepare(job, 2, "SELECT balance FROM accounts WHERE id = ?1");
    prepare(job, 3, "UPDATE tellers SET balance = balance + ?2 WHERE id = ?1");
    prepare(job, 4, "UPDATE branches SET balance = balance + ?1 WHERE id = 1");
    prepare(job, 5, "REPLACE INTO history VALUES (?1, ?2, 1, ?3, ?4, '                      ')");
    prepare(job, 6, "COMMIT");
}

static int query(void *state)
{
    struct job *job = state;
    int status;
    while ((status = sqlite3_step(job->steps[0])) == SQLITE_ROW)
        job->sum += sqlite3_column_int64(job->steps[0], 2) + sqlite3_column_int64(job->steps[0], 3);
    return sqlite3_reset(job->steps[0]) == SQLITE_OK && status == SQLITE_DONE ? 0 : failed(job);
}

static void set_up_query(struct job *job)
{
    static const char *const regions[] = {"africa", "andes", "asia", "baltic", "europe", "nordic", "oceania", "pacific"};
    static const char *const kinds[] = {"bags",  "books", "boots", "coats", "games", "hats",
                                        "lamps", "maps",  "music", "ropes", "tents", "tools"};
    char sql[128];
    int id;
    execute(job, "CREATE TABLE customers (id INTEGER PRIMARY KEY, region TEXT NOT NULL);"
                 "CREATE TABLE products (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, price INTEGER NOT NULL);"
                 "CREATE TABLE lines (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, product INTEGER NOT NULL, quantity INTEGER NOT NULL);"
                 "BEGIN;");
    for (id = 0; id < CUSTOMERS; id++) {
        snprintf(sql, sizeof sql, "INSERT INTO customers VALUES (%d, '%s')", id, regions[below(job, 8)]);
        execute(job, sql);
    }
    for (id = 0; id < PRODUCTS; id++) {
        const char *kind = kinds[below(job, 12)];
        snprintf(sql, sizeof sql, "INSERT INTO products VALUES (%d, '%s', %d)", id, kind, (int)below(job, 50000));
        execute(job, sql);
    }
    prepare(job, 1, "INSERT INTO lines VALUES (?1, ?2, ?3, ?4)");
    for (id = 0; id < LINES; id++) {
        sqlite3_int64 line[4] = {id};
        line[1] = (sqlite3_int64)below(job, CUSTOMERS);
        line[2] = (sqlite3_int64)below(job, PRODUCTS);
        line[3] = 1 + (sqlite3_int64)below(job, 9);
        if (run(job, 1, 4, line) != 0)
            exit(1);
    }
    execute(job, "COMMIT");
    prepare(job, 0,
            "SELECT customers.region, products.kind, count(*), sum(lines.quantity * products.price)"
            " FROM lines JOIN customers ON customers.id = lines.customer JOIN products ON products.id = lines.product"
            " WHERE lines.quantity > 1 GROUP BY customers.region, products.kind"
            " ORDER BY customers.region, products.kind");
}

int main(int count, char **arguments)
{
    static struct job job;
    int is_query = count == 4 && strcmp(arguments[1], "sqlite-query") == 0;
    if (count != 4 || (!is_query && strcmp(arguments[1], "sqlite-oltp") != 0)) {
        fprintf(stderr, "usage: %s sqlite-oltp|sqlite-query WARM_UP_NS SAMPLE_NS\n", arguments[0]);
        return 2;
    }
    job.state = 2028;
    if (sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK
        || sqlite3_open_v2(":memory:", &job.database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return failed(&job);
    if (is_query)
        set_up_query(&job);
    else
        set_up_transactions(&job);
    live_in_allocator();
    return time_stretch(sqlite3_libversion(), is_query ? query : transaction, &job, number("WARM_UP_NS", arguments[2]),
                        number("SAMPLE_NS", arguments[3]));
}
