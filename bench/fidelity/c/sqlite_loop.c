/* The work of the rows of SQLite as a plain program does it: `sqlite-loop oltp|join`. Each line of its input is a number of nanoseconds;
   it answers with the ops that it did in at least so much time and the CPU time that they took. `cc -O2 sqlite_loop.c -lsqlite3`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sqlite3.h>

static sqlite3 *db;
static uint64_t state;

static uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/* SplitMix64. */
static int64_t below(uint64_t bound) {
  state += 0x9e3779b97f4a7c15;
  return (int64_t)(((mixed(state) >> 32) * bound) >> 32);
}

static void must(int is_so) {
  if (!is_so) {
    fprintf(stderr, "sqlite-loop: %s\n", sqlite3_errmsg(db));
    exit(1);
  }
}

static void run(const char *sql) { must(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK); }

static sqlite3_stmt *prepared(const char *sql) {
  sqlite3_stmt *statement;
  must(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
  return statement;
}

/* Performs a statement with up to six numbers; returns the sum of the last column. */
static int64_t perform(sqlite3_stmt *statement, int count, const int64_t *values) {
  int64_t sum = 0;
  int status;
  for (int i = 0; i < count; i++) must(sqlite3_bind_int64(statement, i + 1, values[i]) == SQLITE_OK);
  while ((status = sqlite3_step(statement)) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count(statement); i++) sum += sqlite3_column_int64(statement, i);
  must(status == SQLITE_DONE);
  must(sqlite3_reset(statement) == SQLITE_OK);
  return sum;
}
#define PERFORM(statement, ...) \
  perform(statement, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

static sqlite3_stmt *begin, *account_add, *account_get, *teller_add, *branch_add, *enter, *commit, *query;
static int64_t done, sum;

#define COUNTED "WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < "
static void set_up_oltp(void) {
  state = 2028;
  run("CREATE TABLE branches (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL, filler TEXT NOT NULL);"
      "CREATE TABLE tellers (id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance INTEGER NOT NULL, filler TEXT NOT NULL);"
      "CREATE TABLE accounts (id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance INTEGER NOT NULL, filler TEXT NOT NULL);"
      "CREATE TABLE history (id INTEGER PRIMARY KEY, teller INTEGER NOT NULL, branch INTEGER NOT NULL, account INTEGER NOT NULL,"
      " delta INTEGER NOT NULL, number INTEGER NOT NULL); BEGIN;"
      "INSERT INTO branches VALUES (1, 0, printf('%88s', ''));"
      COUNTED "10) INSERT INTO tellers SELECT n, 1, 0, printf('%84s', '') FROM counted;"
      COUNTED "100000) INSERT INTO accounts SELECT n, 1, 0, printf('%84s', '') FROM counted;"
      COUNTED "10000) INSERT INTO history SELECT n, 0, 0, 0, 0, 0 FROM counted; COMMIT");
  begin = prepared("BEGIN");
  account_add = prepared("UPDATE accounts SET balance = balance + ? WHERE id = ?");
  account_get = prepared("SELECT balance FROM accounts WHERE id = ?");
  teller_add = prepared("UPDATE tellers SET balance = balance + ? WHERE id = ?");
  branch_add = prepared("UPDATE branches SET balance = balance + ? WHERE id = ?");
  enter = prepared("REPLACE INTO history (id, teller, branch, account, delta, number) VALUES (?, ?, ?, ?, ?, ?)");
  commit = prepared("COMMIT");
}

static void oltp(void) {
  int64_t account = 1 + below(100000), teller = 1 + below(10), delta = 1 + below(9999) - 5000;
  perform(begin, 0, NULL);
  PERFORM(account_add, delta, account);
  sum += PERFORM(account_get, account);
  PERFORM(teller_add, delta, teller);
  PERFORM(branch_add, delta, 1);
  PERFORM(enter, 1 + done % 10000, teller, 1, account, delta, done + 1);
  perform(commit, 0, NULL);
}

static void set_up_join(void) {
  sqlite3_stmt *customer, *order, *line;
  state = 2029;
  run("CREATE TABLE customers (id INTEGER PRIMARY KEY, nation INTEGER NOT NULL);"
      "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, day INTEGER NOT NULL);"
      "CREATE TABLE lines (order_id INTEGER, number INTEGER, quantity INTEGER NOT NULL, price INTEGER NOT NULL,"
      " PRIMARY KEY (order_id, number)) WITHOUT ROWID; BEGIN");
  customer = prepared("INSERT INTO customers VALUES (?, ?)");
  order = prepared("INSERT INTO orders VALUES (?, ?, ?)");
  line = prepared("INSERT INTO lines VALUES (?, ?, ?, ?)");
  for (int64_t i = 1; i <= 10000; i++) PERFORM(customer, i, (int64_t)(mixed((uint64_t)i) % 25));
  for (int64_t i = 1; i <= 100000; i++) {
    int64_t of = 1 + below(10000), day = below(2400), count = 1 + below(7);
    PERFORM(order, i, of, day);
    for (int64_t number = 1; number <= count; number++) {
      int64_t quantity = 1 + below(50), price = 1 + below(100000);
      PERFORM(line, i, number, quantity, price);
    }
  }
  run("COMMIT; CREATE INDEX orders_by_day ON orders (day)");
  query = prepared("SELECT customers.nation, count(*), sum(lines.quantity * lines.price) FROM orders JOIN customers ON customers.id ="
                   " orders.customer JOIN lines ON lines.order_id = orders.id WHERE orders.day >= ? AND orders.day < ?"
                   " GROUP BY customers.nation ORDER BY customers.nation");
}

static void join(void) { sum += PERFORM(query, done % 80 * 30, done % 80 * 30 + 30); }

static int64_t now_ns(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
  int is_join = argc == 2 && strcmp(argv[1], "join") == 0;
  char text[32];
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  must(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK);
  (is_join ? set_up_join : set_up_oltp)();
  printf("%s\n", sqlite3_libversion());
  fflush(stdout);
  while (fgets(text, sizeof text, stdin)) {
    int64_t least = atoll(text), from = done, start = now_ns(CLOCK_MONOTONIC), cpu = now_ns(CLOCK_THREAD_CPUTIME_ID);
    do {
      for (int i = 0; i < (is_join ? 1 : 64); i++, done++) (is_join ? join : oltp)();
    } while (now_ns(CLOCK_MONOTONIC) - start < least);
    printf("%lld %lld\n", (long long)(done - from), (long long)(now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu));
    fflush(stdout);
  }
  return sum == 42;
}
